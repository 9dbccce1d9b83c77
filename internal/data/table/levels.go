package table

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// Finding is what the rows of a piece decided about a column whose encoding or levels were not given.
type Finding struct {
	Encoding Encoding // empty: no row has a value
	Opened   string   // see column
	First    *Error
	Levels   []string
	Blank    bool // a cell is missing
	Places   []*Error
	Decimal  Decimal
}

// FoundIn returns what the rows read so far decided.
func FoundIn(columns []*Coder) (all []Finding) {
	for _, c := range columns {
		f := Finding{Decimal: c.decimal, Blank: c.blank}
		if !c.Closed {
			f.Encoding, f.Opened, f.First, f.Levels, f.Places = c.Encoding, c.opened, c.first, c.Levels, c.places
		}
		all = append(all, f)
	}
	return all
}

// Learn adds to the columns of a table what a later piece of it decided. It returns the number that each level of the piece has in the
// table, [K][L]; nil where all numbers are the same. Two pieces that contradict one another are the error that the table is.
func Learn(columns []*Coder, piece []Finding) (numbers [][]int, err error) {
	numbers = make([][]int, len(columns))
	for k, c := range columns {
		f := piece[k]
		c.decimal.follow(f.Decimal)
		c.blank = c.blank || f.Blank
		if c.Closed || f.Encoding == "" {
			continue
		}
		if c.Encoding == "" {
			c.code(f.Encoding, nil)
			c.first, c.opened = f.First, f.Opened
		}
		switch {
		case c.Encoding == Numeric && f.Encoding != Numeric:
			return nil, f.First
		case c.Encoding != Numeric && f.Encoding == Numeric:
			return nil, c.noCategory(f.Opened)
		}
		if numbers[k], err = c.learn(f); err != nil {
			return nil, err
		}
	}
	return numbers, nil
}

// learn adds levels, and returns their numbers.
func (c *Coder) learn(f Finding) (numbers []int, err error) {
	same := true
	for i, level := range f.Levels {
		n, known := c.number[level]
		if !known {
			if full := c.full(); full != "" {
				fault := *f.Places[i]
				fault.Message = full
				return nil, &fault
			}
			n = len(c.Levels)
			c.Levels, c.places = append(c.Levels, level), append(c.places, f.Places[i])
			c.number[level] = n
		}
		same = same && n == i
		numbers = append(numbers, n)
	}
	if same {
		return nil, nil
	}
	return numbers, nil
}

// Teach tells columns that are to be read what all rows of the table decide, so that their levels have the numbers of the table.
func Teach(columns []*Coder, content []Finding) {
	for k, c := range columns {
		f := content[k]
		c.blank = f.Blank
		if c.Closed || f.Encoding == "" {
			continue
		}
		c.code(f.Encoding, nil)
		c.first, c.opened = f.First, f.Opened
		c.Levels, c.places = slices.Clone(f.Levels), slices.Clone(f.Places)
		for i, level := range c.Levels {
			c.number[level] = i
		}
	}
}

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
		return nil, nil, Faultf(file, "column %s has one class only, %s: there is nothing to predict", escape.Quote(target.Name),
			escape.Quote(classes[0]))
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
			fault.Message = fmt.Sprintf("column %s: %s is not a whole number of at most 15 digits, and so not a class: set task: regression to "+
				"predict numbers", escape.Quote(target.Name), escape.Quote(name))
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
	fault.Message = fmt.Sprintf("column %s: %s: give at least %d rows of each class, so that it can be trained on and tested, or leave "+
		"its rows out, or join it with another class",
		escape.Quote(column), what, fewestSamples)
	return &fault
}
