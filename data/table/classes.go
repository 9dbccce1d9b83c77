package table

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// fewestSamples is how many samples a class must have: fewer cannot be divided into parts to train and to test on.
const fewestSamples = 3

// foundClasses returns the classes of a target in order, and the index of the class of each of its levels, which it numbers in order of
// appearance; counts are the rows of each level. Where all are numbers, equal ones are one class. A class of rows that were left out is
// none. Fewer than two classes, too few samples of one, and numbers that are not whole are an *Error.
func foundClasses(target *Coder, counts []int, file string) (classes []string, index []float64, err error) {
	names, err := classNames(target, counts)
	if err != nil {
		return nil, nil, err
	}
	samples := map[string]int{} // of each class
	for n, name := range names {
		if counts[n] > 0 {
			samples[name] += counts[n]
		}
	}
	classes = slices.SortedFunc(maps.Keys(samples), compareLevels)
	if len(classes) == 1 {
		return nil, nil, Faultf(file, "column %s has one class only, %s: there is nothing to predict", escape.Quote(target.Name), escape.Quote(classes[0]))
	}
	var rare []string
	var first *Error
	for n, name := range names {
		if 0 < samples[name] && samples[name] < fewestSamples && !slices.Contains(rare, name) {
			if rare = append(rare, name); len(rare) == 1 {
				first = target.places[n]
			}
		}
	}
	if rare != nil {
		return nil, nil, tooRare(target.Name, rare, samples, first)
	}
	index = make([]float64, len(names))
	for n, name := range names {
		at, _ := slices.BinarySearchFunc(classes, name, compareLevels)
		index[n] = float64(at)
	}
	return classes, index, nil
}

// classNames returns the name of the class of each level: a number in its shortest form if all are numbers.
func classNames(target *Coder, counts []int) ([]string, error) {
	names := slices.Clone(target.Levels)
	for n, name := range names {
		if _, number := ParseNumber(name); !number && counts[n] > 0 {
			return names, nil
		}
	}
	for n, name := range names {
		v, _ := ParseNumber(name)
		if counts[n] > 0 && (v != math.Trunc(v) || math.Abs(v) > largestClass) {
			fault := *target.places[n]
			fault.Message = fmt.Sprintf("column %s: %s is not a whole number of at most 15 digits, and so not a class: set task: regression to predict numbers", escape.Quote(target.Name), escape.Quote(name))
			return nil, &fault
		}
		names[n] = className(v)
	}
	return names, nil
}

// largestClass is the largest number that is a class.
const largestClass = 1e15 - 1

// tooRare is the error about classes of too few samples, the first of which is at a place.
func tooRare(column string, rare []string, samples map[string]int, place *Error) *Error {
	fault := *place
	times := "once"
	if samples[rare[0]] > 1 {
		times = "twice"
	}
	what := fmt.Sprintf("the class %s occurs only %s", escape.Quote(rare[0]), times)
	if len(rare) > 1 {
		what = fmt.Sprintf("the classes %s occur only once or twice", escape.List(rare))
	}
	fault.Message = fmt.Sprintf("column %s: %s: give at least %d rows of each class, so that it can be trained on and tested, or leave its rows out, or join it with another class",
		escape.Quote(column), what, fewestSamples)
	return &fault
}
