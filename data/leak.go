package data

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Leak is one or two columns that leak the target: they determine it in every row of a data set, up to rounding.
type Leak struct {
	Columns []string
	// the target is Offset + the sum of slope times column; nil: one column that rises or falls with the target, or gives
	// its class
	Slopes []float64
	Offset float64

	target string
	falls  bool // without Slopes: it falls where the target rises
	class  int  // of a target of classes: how the column gives them away
}

// Leaks returns the numeric columns of d that determine the target, each by a linear function or by rising or falling with it
// in every row, and the pairs of the others of which the target is a linear function, as a total is of its parts. Where the target has
// classes, it returns the columns that determine them: by a value or a range for each class, or a class for each of few values.
// Columns with missing values are skipped, and so are pairs among more than 500 columns. The cost is reading the columns
// once for each target, sorting them for classes, and 256 rows for each pair.
func Leaks(d *Dataset) (leaks []Leak) {
	if d.Schema.Classes != nil {
		return classLeaks(d)
	}
	for c := range d.Schema.Targets() {
		leaks = append(leaks, numberLeaks(d.Target(c))...)
	}
	return leaks
}

// numberLeaks are those of a target of numbers.
func numberLeaks(d *Dataset) []Leak {
	y := standardised(sampled(d.Y))
	if d.Len() < leakRows || y == nil || different(d.Y) < leakValues {
		return nil
	}
	var leaks []Leak
	var rest []candidate
	at := 0
	for _, c := range d.Schema.Columns {
		one := candidate{name: c.Name, at: at}
		at += c.Width()
		some := sampled(feature(d, one.at))
		if one.sample = standardised(some); !c.Numbers() || one.sample == nil {
			continue
		}
		if 1-math.Abs(product(one.sample, y)) < 1e-9 {
			if leak := gives(d, []candidate{one}); leak != nil {
				leaks = append(leaks, *leak)
				continue
			}
		}
		if rises, falls := together(some, sampled(d.Y)); d.Len() >= monotoneRows && (rises || falls) {
			if rises, falls = together(feature(d, one.at), d.Y); rises || falls {
				leaks = append(leaks, Leak{Columns: []string{c.Name}, target: d.Schema.Target, falls: falls})
				continue
			}
		}
		rest = append(rest, one)
	}
	return append(leaks, pairLeaks(d, rest, y)...)
}

// classLeaks returns the columns that determine the class. Columns with missing values are skipped.
func classLeaks(d *Dataset) (leaks []Leak) {
	if d.Len() < leakRows {
		return nil
	}
	at := 0
	for _, c := range d.Schema.Columns {
		if how := classGivenBy(d.Y, cells(d, c, at)); how != 0 && (how != partsClass || c.Numbers()) {
			leaks = append(leaks, Leak{Columns: []string{c.Name}, target: d.Schema.Target, class: how})
		}
		at += c.Width()
	}
	return leaks
}

// candidate is a column that may be part of a leak.
type candidate struct {
	name   string
	at     int       // the feature
	sample []float64 // standardised
}

// pairLeaks returns the pairs of columns that determine the target. A pair that explains it fully on a sample of the rows is
// tested on all of them.
func pairLeaks(d *Dataset, columns []candidate, y []float64) (leaks []Leak) {
	if len(columns) > pairedColumns {
		return nil
	}
	with := make([]float64, len(columns))
	for i, c := range columns {
		with[i] = product(c.sample, y)
	}
	for i, a := range columns {
		for j, b := range columns[:i] {
			r := product(a.sample, b.sample)
			unexplained := 1 - float64(r*r) - float64(with[i]*with[i]) - float64(with[j]*with[j]) + float64(2*r*with[i]*with[j])
			if 1-float64(r*r) < 1e-6 || unexplained > 1e-9*(1-float64(r*r)) {
				continue
			}
			if leak := gives(d, []candidate{b, a}); leak != nil {
				leaks = append(leaks, *leak)
			}
		}
	}
	return leaks
}

// gives returns the leak of one or two columns if the target is a linear function of them in every row, else nil.
func gives(d *Dataset, columns []candidate) *Leak {
	var values [][]float64
	l := &Leak{target: d.Schema.Target}
	for _, c := range columns {
		values, l.Columns = append(values, feature(d, c.at)), append(l.Columns, c.name)
	}
	l.Slopes, l.Offset = fitLine(values, d.Y)
	tolerance := leakTolerance * (slices.Max(d.Y) - slices.Min(d.Y))
	for i, y := range d.Y {
		for k, x := range values {
			y -= float64(l.Slopes[k] * x[i])
		}
		if !(math.Abs(y-l.Offset) <= tolerance) {
			return nil
		}
	}
	for k := range l.Slopes {
		l.Slopes[k] = numeric.Round(l.Slopes[k], 6)
	}
	if l.Offset = numeric.Round(l.Offset, 6); math.Abs(l.Offset) <= tolerance {
		l.Offset = 0
	}
	return l
}

// Target returns the column that the others determine.
func (l Leak) Target() string { return l.target }

// Identity reports whether the target is a linear function of one column, or the sum or difference of two: an identity, which
// no measurement would give; or one column is the class by other names.
func (l Leak) Identity() bool {
	return l.class == namesClass || len(l.Slopes) == 1 || len(l.Slopes) == 2 && math.Abs(l.Slopes[0]) == 1 && math.Abs(l.Slopes[1]) == 1
}

// String describes the relation.
func (l Leak) String() string {
	switch {
	case l.class == namesClass:
		return fmt.Sprintf("%s is %s by other names, in every row", escape.Quote(l.Columns[0]), escape.Quote(l.target))
	case l.class == givesClass:
		return fmt.Sprintf("each value of %s has one class of %s, in every row", escape.Quote(l.Columns[0]), escape.Quote(l.target))
	case l.class == partsClass:
		return fmt.Sprintf("each class of %s has a range of %s of its own, in every row", escape.Quote(l.target), escape.Quote(l.Columns[0]))
	case l.Slopes == nil && l.falls:
		return fmt.Sprintf("%s falls wherever %s rises, in every row", escape.Quote(l.Columns[0]), escape.Quote(l.target))
	case l.Slopes == nil:
		return fmt.Sprintf("%s rises wherever %s does, in every row", escape.Quote(l.Columns[0]), escape.Quote(l.target))
	}
	var sum strings.Builder
	for k, name := range l.Columns {
		term(&sum, l.Slopes[k], escape.Quote(name))
	}
	if l.Offset != 0 {
		term(&sum, l.Offset, "")
	}
	return fmt.Sprintf("%s = %s in every row", escape.Quote(l.target), sum.String())
}

// term writes a term of a sum.
func term(b *strings.Builder, factor float64, name string) {
	sign := " + "
	switch first := b.Len() == 0; {
	case first && factor < 0:
		sign = "-"
	case first:
		sign = ""
	case factor < 0:
		sign = " - "
	}
	b.WriteString(sign)
	size := numeric.Show(math.Abs(factor), 6)
	switch {
	case name == "":
		b.WriteString(size)
	case size == "1":
		b.WriteString(name)
	default:
		b.WriteString(size + " " + name)
	}
}
