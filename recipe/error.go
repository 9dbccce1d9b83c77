package recipe

import "errors"

// Error is a fault of a recipe.
type Error struct {
	Key     string   // as config.yaml names it, e.g. "train.batch"
	With    []string // other keys whose values the fault rests on
	Message string   // what is wrong and what to do

	// Setting is the number, from 1, of the setting of a race that is at fault, and Part
	// the name of the key in it; zero and empty if it is none's.
	Setting int
	Part    string
}

func (e *Error) Error() string { return e.Key + ": " + e.Message }

// Parts returns the errors that a joined error is made of.
func Parts(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
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
