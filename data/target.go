package data

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Other is a further target of a Schema.
type Other struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"`
}

const (
	maxClasses = 1000 // of a target
	maxTargets = 100
)

// Targets returns the names of all C targets.
func (s Schema) Targets() []string {
	names := []string{s.Target}
	for _, o := range s.Others {
		names = append(names, o.Name)
	}
	return names
}

// Class returns the index of the class that a trimmed cell names: the class of that text or, where all classes are numbers,
// of that number ("1.0" and "01" are "1").
func (s Schema) Class(cell string) (index int, ok bool) {
	if index = slices.Index(s.Classes, cell); index >= 0 || !allNumbers(s.Classes) {
		return index, index >= 0
	}
	v, ok := parseNumber(cell)
	if ok {
		index = slices.Index(s.Classes, className(v))
	}
	return index, index >= 0
}

// className is the name of a class that is a number.
func className(v float64) string {
	return strconv.FormatFloat(v+0, 'f', -1, 64) // -0 + 0 is 0
}

// allNumbers reports whether all classes are numbers.
func allNumbers(classes []string) bool {
	return !slices.ContainsFunc(classes, func(class string) bool {
		_, ok := parseNumber(class)
		return !ok
	})
}

// validateTargets checks targets and classes, and adds the names of the targets to seen.
func (s Schema) validateTargets(seen map[string]bool) error {
	if n := 1 + len(s.Others); n > maxTargets {
		return fmt.Errorf("%d targets: at most %d", n, maxTargets)
	}
	for _, name := range s.Targets() {
		if err := checkName(name); err != nil {
			return fmt.Errorf("target: %w", err)
		}
		if seen[name] {
			return fmt.Errorf("target: %s is given twice", quote(name))
		}
		seen[name] = true
	}
	switch k := len(s.Classes); {
	case k == 0:
		return nil
	case len(s.Others) > 0:
		return fmt.Errorf("a target of classes and further targets: classes are predicted alone")
	case k < 2 || k > maxClasses:
		return fmt.Errorf("classes: %d of them: want 2 to %d", k, maxClasses)
	}
	na := s.NA.of(s.Target)
	if err := checkLevels("class", s.Classes, na); err != nil {
		return fmt.Errorf("classes: %w", err)
	}
	numbers := allNumbers(s.Classes)
	for _, class := range s.Classes {
		switch v, number := parseNumber(class); {
		case number && na.number(v):
			return fmt.Errorf("classes: class %s reads as a missing value", quote(class))
		case numbers && class != className(v):
			return fmt.Errorf("classes: class %s: write the number as %s", quote(class), className(v))
		}
	}
	return nil
}

// checkTargets checks the values of the targets, N of each.
func checkTargets(d *Dataset) error {
	if len(d.Others) != len(d.Schema.Others) {
		return faultf("", "values of %d further targets, the schema names %d", len(d.Others), len(d.Schema.Others))
	}
	for c, name := range d.Schema.Targets() {
		values := d.Y
		if c > 0 {
			values = d.Others[c-1]
		}
		if len(values) != d.Len() {
			return faultf("", "%d values of %s for %d rows", len(values), quote(name), d.Len())
		}
		for i, v := range values {
			if !numeric.Finite(v) {
				return faultf("", "row %d, %s: %v is not finite", i+1, quote(name), v)
			}
		}
	}
	if k := len(d.Schema.Classes); k > 0 {
		for i, y := range d.Y {
			if y != math.Trunc(y) || y < 0 || y >= float64(k) {
				return faultf("", "row %d, %s: %v is not the index of one of %d classes", i+1, quote(d.Schema.Target), y, k)
			}
		}
	}
	return nil
}

// pickAll picks from each of several columns.
func pickAll(from [][]float64, rows []int) [][]float64 {
	if from == nil {
		return nil
	}
	to := make([][]float64, len(from))
	for c, values := range from {
		to[c] = pick(values, rows)
	}
	return to
}
