package recipe

import (
	"errors"
	"fmt"
)

// Error reports an invalid value of a recipe.
type Error struct {
	Key     string   // as config.yaml names it, e.g. "train.batch"
	With    []string // other keys whose values are involved
	Message string   // what is wrong and what to do

	// Setting is the number, from 1, of the faulty setting of a race, and Part the name
	// of the key in it; zero and empty if no setting is at fault.
	Setting int
	Part    string
}

func (e *Error) Error() string { return e.Key + ": " + e.Message }

// Parts returns the errors that [errors.Join] has joined. An error that wraps several in one text is one part.
func Parts(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error })
	if ok && fmt.Sprint(errors.Join(joined.Unwrap()...)) == err.Error() {
		var all []error
		for _, e := range joined.Unwrap() {
			all = append(all, Parts(e)...)
		}
		return all
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

// faults collects errors.
type faults []error

func (f *faults) add(e *Error) { *f = append(*f, e) }

func (f faults) join() error { return errors.Join(f...) }
