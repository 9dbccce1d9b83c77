package data

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// Oddity is what is odd about cells of a column of numbers, or about the column, with at most one remedy.
type Oddity struct {
	Kind   string // impossible, units, codes, outliers or stuck
	Column string
	What   string // it is, after the name of the column
	Cells  int    // that are odd; 0: all
	Rows   []int  // the first of them, by their numbers in the table

	Limits *Limits  // data.limits
	NA     []string // data.na
	Ranked bool     // data.categorical
}

// The evidence required for oddities.
const (
	oddRows     = 50     // rows, at least
	oddSample   = 4096   // rows, evenly spaced, at most, that quartiles are of
	farOut      = 10.0   // quartile distances
	farTail     = 2.0    // widths of the range from the 1% to the 99% quantile; of numbers on both sides of zero, its square
	farRatio    = 2.5    // of positive numbers: the logarithms of greatest / 99% quantile to 99% quantile / upper quartile
	longTail    = 1.5    // times this ratio of a power law
	mostFar     = 0.005  // share of cells beyond these; more of them are a long tail
	mostListed  = 3      // rows of an oddity that are listed
	mostTexts   = 12     // different outliers of a target that its remedy lists
	stuckRows   = 24     // rows in a row of a value, at least, that a stuck sensor gives
	stretchRows = 3      // rows in a row of a value that are a stretch
	stuckShare  = 0.05   // of the rows, at most, that are in other stretches; more are the way of the table
	stuckWithin = 0.9    // of the cells of the value are in the stretch
	stuckValues = 100    // different numbers
	unitRows    = 5      // rows in another unit
	codeValues  = 15     // different numbers that are codes
	codeRows    = 10     // rows of each on average
	codeGaps    = 1.5    // of their range to how many there are: counts and ranks have no gaps
	codeShare   = 0.4    // of the rows that have the most frequent one, at most: it would be the usual value of a quantity
	codeSample  = 50_000 // rows, evenly spaced, at most, that codes are looked for in
	codeEffect  = 0.05   // share of the target's variance between codes
	codeRough   = 0.75   // of the differences between neighbouring numbers to those between all
	namedRough  = 0.25   // likewise, of columns whose name is that of a code
)

// Oddities returns what is odd about the columns of numbers and the target. Rows are those of d; where it is a sample, its cells are
// counted. The cost is one pass over each column, and sorting at most 4096 of its cells.
func Oddities(d *Dataset) (all []Oddity) {
	if d.Len() < oddRows {
		return nil
	}
	at := 0
	for _, c := range d.Schema.Columns {
		if c.Numbers() {
			all = append(all, oddOf(d, c.Name, feature(d, at), inputOddities)...)
		}
		at += c.Width()
	}
	return append(all, OddTarget(d)...)
}

// OddTarget returns the oddity of the only target of numbers, whose rows its remedy leaves out.
func OddTarget(d *Dataset) []Oddity {
	if d.Len() < oddRows || d.Schema.Classes != nil || d.Others != nil {
		return nil
	}
	found := oddOf(d, d.Schema.Target, d.Y, targetOddities)
	for i := range found {
		odd := &found[i]
		if odd.Limits == nil {
			continue
		}
		low, high := odd.Limits.Ends()
		odd.Limits, odd.NA = nil, textsBeyond(d.Y, low, high)
		if len(odd.NA) > mostTexts {
			odd.NA = nil
		}
	}
	return found
}

// textsBeyond returns the different numbers outside a range as texts.
func textsBeyond(values []float64, low, high float64) (texts []string) {
	for _, v := range values {
		if text := table.NumberText(v); (v < low || v > high) && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts
}

// search is a kind of oddities, and what finds one.
type search struct {
	kind string
	find func(*oddity) *Oddity
}

var (
	targetOddities = []search{{"impossible", (*oddity).impossible}, {"units", (*oddity).units}, {"outliers", (*oddity).outliers},
		{"stuck", (*oddity).stuck}}
	inputOddities = slices.Insert(slices.Clone(targetOddities), 2, search{"codes", (*oddity).code})
)

// oddOf returns the first oddity of a column [N] with missing cells, NaN; none if it has none.
func oddOf(d *Dataset, name string, values []float64, searches []search) []Oddity {
	some := slices.DeleteFunc(slices.Clone(spaced(values, oddSample)), math.IsNaN)
	if len(some) < oddRows {
		return nil
	}
	slices.Sort(some)
	low, high := some[len(some)/4], some[len(some)*3/4]
	o := oddity{d: d, name: name, values: values, sorted: some, low: low, high: high}
	for _, one := range searches {
		if found := one.find(&o); found != nil {
			found.Kind, found.Column = one.kind, name
			return []Oddity{*found}
		}
	}
	return nil
}

// oddity is a column that is looked at.
type oddity struct {
	d              *Dataset
	name           string
	values, sorted []float64 // all, and some of those that are there, in order
	low, high      float64   // quartiles
}

// beyond returns the oddity of the cells outside a range; nil: none, or more than a share of the cells. Its limits are those of the range
// beyond which there are cells.
func (o *oddity) beyond(low, high, most float64, what func(cells string) string) *Oddity {
	odd := &Oddity{Limits: &Limits{}}
	var cells []string
	for i, v := range o.values {
		if !(v < low || v > high) {
			continue
		}
		if odd.Cells++; len(odd.Rows) < mostListed {
			row := o.d.Rows[i]
			odd.Rows, cells = append(odd.Rows, row), append(cells, fmt.Sprintf("%s in row %d", table.NumberText(v), row))
		}
		if v < low {
			odd.Limits.Low = &low
		} else {
			odd.Limits.High = &high
		}
	}
	if odd.Cells == 0 || float64(odd.Cells) > most*float64(len(o.values)) {
		return nil
	}
	count := fmt.Sprintf("%d of %d cells are", odd.Cells, len(o.values))
	if odd.Cells == 1 {
		count = "1 cell is"
	}
	odd.What = what(count) + ": " + strings.Join(cells, ", ")
	if odd.Cells > len(cells) {
		odd.What += fmt.Sprintf(" and %d more", odd.Cells-len(cells))
	}
	return odd
}

// outliers finds cells more than ten quartile distances beyond the quartiles that no long tail leads to.
func (o *oddity) outliers() *Oddity {
	distance := float64(farOut * (o.high - o.low))
	if !(distance > 0) || spanOf(o.name) != nil {
		return nil
	}
	first, last := o.sorted[len(o.sorted)/100], o.sorted[len(o.sorted)*99/100]
	least, most := math.Inf(1), math.Inf(-1)
	for _, v := range o.values {
		if v == v {
			least, most = min(least, v), max(most, v)
		}
	}
	tail := float64(farTail * (last - first))
	switch {
	case least < 0:
		tail = float64(tail * farTail)
	case math.Log(most/last) < max(farRatio, longTail*math.Log(float64(len(o.values))/100)/math.Log(25))*math.Log(last/o.high):
		return nil // a power law has log(n/100)/log(25)
	}
	step := math.Pow(10, math.Floor(math.Log10(distance/farOut)))
	low := numeric.Round(step*math.Floor(min(o.low-distance, first-tail)/step), 12)
	high := numeric.Round(step*math.Ceil(max(o.high+distance, last+tail)/step), 12)
	return o.beyond(low, high, mostFar, func(cells string) string {
		return fmt.Sprintf("%s more than ten quartile distances beyond the quartiles, %s and %s", cells, numeric.Show(o.low, 4),
			numeric.Show(o.high, 4))
	})
}

// span is what the numbers of columns with such names can be, if most are.
type span struct {
	name        *regexp.Regexp
	what        string
	low, high   float64
	whole       bool
	first, last float64 // all whole numbers from first to last occur; equal: none need to
}

var spans = []span{
	{regexp.MustCompile(`(?i)(year|yr)([ _.-]?(built|blt|sold|of[a-z]+|remod/?add))?$`), "no year", 1500, 2100, true, 0, 0},
	{regexp.MustCompile(`(?i)^((.*[ _.-])?(month|mon)|monthof[a-z]+)$`), "no month", 1, 12, true, 1, 12},
	{regexp.MustCompile(`(?i)^((.*[ _.-])?(day|dom|day[ _.-]?of[ _.-]?month))$`), "no day of a month", 1, 31, true, 1, 31},
	{regexp.MustCompile(`(?i)^((.*[ _.-])?(hour|hr))$`), "no hour", 0, 24, true, 0, 23},
	{regexp.MustCompile(`(?i)^((.*[ _.-])?latt?itude|lat)$`), "no latitude", -90, 90, false, 0, 0},
	{regexp.MustCompile(`(?i)^((.*[ _.-])?long(t?itude)?|lon|lng)$`), "no longitude", -180, 360, false, 0, 0},
}

// spanOf returns what the numbers of a column can be; nil if its name does not say.
func spanOf(column string) *span {
	if at := slices.IndexFunc(spans, func(s span) bool { return s.name.MatchString(column) }); at >= 0 {
		return &spans[at]
	}
	return nil
}

// mostImpossible is the share of the cells of a column, at most, that are not what its name says; more, and it means something else.
const mostImpossible = 0.2

// impossible finds years, months, days, hours and coordinates that are none.
func (o *oddity) impossible() *Oddity {
	s := spanOf(o.name)
	if s == nil || o.low < s.low || o.high > s.high || s.what == "no year" && o.low < 1800 || s.whole && !allWhole(o.sorted) {
		return nil
	}
	for v := s.first; v <= s.last && s.first < s.last; v++ {
		if !slices.Contains(o.values, v) {
			return nil
		}
	}
	odd := o.beyond(s.low, s.high, mostImpossible, func(cells string) string { return cells + " " + s.what })
	if odd == nil {
		return nil
	}
	odd.Limits, odd.NA = nil, textsBeyond(o.values, s.low, s.high)
	return odd
}

func allWhole(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return v != math.Trunc(v) })
}

// units finds positive numbers in two clusters that are about three decades apart, so that those of one, divided by 1000, lie among those
// of the other.
func (o *oddity) units() *Oddity {
	some := o.sorted
	if some[0] <= 0 {
		return nil
	}
	gap, cut := 0.0, 0
	for i := unitRows; i <= len(some)-unitRows; i++ {
		if ratio := some[i] / some[i-1]; ratio > gap {
			gap, cut = ratio, i
		}
	}
	if gap < 10 {
		return nil
	}
	within := func(v float64, of []float64) bool { return v > of[len(of)/10] && v < of[len(of)*9/10] }
	below, above := some[:cut], some[cut:]
	if !within(above[len(above)/2]/1000, below) || !within(below[len(below)/2]*1000, above) {
		return nil
	}
	low, high, times := math.Inf(-1), some[cut-1], "1000"
	if len(below) < len(above) {
		low, high, times = some[cut], math.Inf(1), "0.001"
	}
	odd := o.beyond(low, high, 0.5, func(cells string) string {
		return fmt.Sprintf("%s about %s times the others, with none between %s and %s, as if in another unit", cells, times,
			numeric.Show(some[cut-1], 6), numeric.Show(some[cut], 6))
	})
	if odd != nil {
		odd.Limits = nil
	}
	return odd
}

// stuck finds a stretch of rows with the same number, not a whole one, of a column that changes elsewhere.
func (o *oddity) stuck() *Oddity {
	different := map[float64]bool{}
	for _, v := range o.sorted {
		different[v] = true
	}
	if len(different) < stuckValues {
		return nil
	}
	rows, longest, end := 0, 0, 0 // in stretches
	for i, n := 1, 1; i <= len(o.values); i++ {
		if i < len(o.values) && o.values[i] == o.values[i-1] && o.d.Rows[i] == o.d.Rows[i-1]+1 {
			n++
			continue
		}
		if n >= stretchRows {
			rows += n
		}
		if n > longest {
			longest, end = n, i
		}
		n = 1
	}
	if longest < stuckRows || float64(rows-longest) > stuckShare*float64(len(o.values)) {
		return nil
	}
	v, cells := o.values[end-1], 0
	for _, other := range o.values {
		if other == v {
			cells++
		}
	}
	if v == math.Trunc(v) || v == o.sorted[0] || v == o.sorted[len(o.sorted)-1] || float64(longest) < stuckWithin*float64(cells) {
		return nil
	}
	text, first := table.NumberText(v), o.d.Rows[end-longest]
	return &Oddity{Cells: longest, Rows: []int{first}, NA: []string{text},
		What: fmt.Sprintf("%s in each of the %d rows from %d to %d, as of a sensor that is stuck", text, longest, first, o.d.Rows[end-1])}
}

// String describes the oddity.
func (o Oddity) String() string { return escape.Quote(o.Column) + ": " + o.What }
