package data

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// code finds whole numbers that seem to be codes: the target differs between them, but between neighbouring numbers nearly as much as
// between any two.
func (o *oddity) code() *Oddity {
	if len(o.d.Schema.Classes) > 2 || o.d.Others != nil || !allWhole(o.sorted) {
		return nil
	}
	effect, rough, numbers := codeOf(spaced(o.values, codeSample), ranksOf(spaced(o.d.Y, codeSample)))
	least := codeRough
	if codeName.MatchString(o.name) {
		least = namedRough
	}
	if numbers < codeValues || effect < codeEffect || rough < least {
		return nil
	}
	return &Oddity{Ranked: true, What: fmt.Sprintf("%d numbers that seem to be codes: they explain %.0f%% of the variance of the "+
		"ranks of %s, which follow their order little", numbers, 100*effect, escape.Text(o.d.Schema.Target))}
}

// codeName matches names of columns of codes, which may follow each other in some order, as neighbouring postcodes are near.
var codeName = regexp.MustCompile(`(?i)(post(al|leit)?[ _.-]?(code|zahl)|zip|plz|code)$`)

// ranksOf returns the rank of each value, which outliers do not affect; equal values share the mean of theirs.
func ranksOf(y []float64) []float64 {
	order, ranks := inOrder(len(y)), make([]float64, len(y))
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(y[i], y[j]) })
	for k := 0; k < len(order); {
		end := k
		for ; end < len(order) && y[order[end]] == y[order[k]]; end++ {
		}
		for _, i := range order[k:end] {
			ranks[i] = float64(k+end-1) / 2
		}
		k = end
	}
	return ranks
}

// codeOf returns the share of the variance of y between the rows of equal x, without what chance gives; the mean squared difference between
// neighbouring numbers x in y, relative to that between all of them, likewise; and how many numbers there are. There are none where
// the numbers are too many for the rows, one is usual, or they have no gaps.
func codeOf(x, y []float64) (effect, rough float64, numbers int) {
	sums, rows, all := map[float64]float64{}, map[float64]float64{}, 0.0
	mean := average(y)
	for i, v := range x {
		if v == v {
			sums[v] += y[i] - mean
			rows[v]++
			all++
		}
	}
	if numbers = len(rows); numbers < 2 || codeRows*float64(numbers) > all {
		return 0, 0, 0
	}
	known := slices.Sorted(maps.Keys(rows))
	if most := slices.Max(slices.Collect(maps.Values(rows))); most > codeShare*all || known[numbers-1]-known[0] < codeGaps*float64(numbers) {
		return 0, 0, 0
	}
	between, total, squares := 0.0, 0.0, 0.0
	for i, v := range x {
		if v == v {
			total += float64((y[i] - mean) * (y[i] - mean))
		}
	}
	var neighbours, pairs, before float64
	for k, v := range known {
		between += sums[v] * sums[v] / rows[v]
		squares += rows[v] * rows[v]
		if k > 0 {
			weight := rows[v] * rows[before] / (rows[v] + rows[before])
			difference := sums[v]/rows[v] - sums[before]/rows[before]
			neighbours += float64(weight * difference * difference)
			pairs += weight
		}
		before = v
	}
	groups := float64(numbers)
	noise := (total - between) / (all - groups) // variance within a group
	spread := (between - float64((groups-1)*noise)) / (all - squares/all)
	if !numeric.Finite(noise, spread) || spread <= 0 {
		return 0, 0, 0
	}
	return (between - float64((groups-1)*noise)) / (total + noise), (neighbours - float64((groups-1)*noise)) / (2 * spread * pairs), numbers
}

// Doubles returns the columns that repeat an earlier one in every row: as numbers up to a linear function, or as levels by other names.
// Columns with missing values are skipped, and pairs among more than 500 columns. The cost is 256 rows for each pair.
func Doubles(d *Dataset) (doubles []Leak) {
	if len(d.Schema.Columns) > pairedColumns || d.Len() < leakRows {
		return nil
	}
	var before []double
	at, few := 0, &Dataset{X: sampled(d.X), Y: sampled(d.Y)}
	for _, c := range d.Schema.Columns {
		one := double{candidate: candidate{name: c.Name, at: at, sample: standardised(feature(few, at))}, column: c, some: cells(few, c, at)}
		at += c.Width()
		if i := slices.IndexFunc(before, func(b double) bool { return one.repeats(d, b) != nil }); i >= 0 {
			doubles = append(doubles, *one.repeats(d, before[i]))
		} else {
			before = append(before, one)
		}
	}
	return doubles
}

// double is a column that may repeat another.
type double struct {
	candidate
	column Column
	some   []float64 // cells, see candidate.sample
}

// repeats returns how a column repeats an earlier one; nil if it does not.
func (c double) repeats(d *Dataset, b double) *Leak {
	if c.column.Numbers() && b.column.Numbers() {
		if c.sample == nil || b.sample == nil || 1-math.Abs(product(c.sample, b.sample)) > 1e-9 {
			return nil
		}
		of := *d
		of.Y, of.Schema.Target = feature(d, c.at), c.name
		return gives(&of, []candidate{b.candidate})
	}
	if classGivenBy(c.some, b.some) != namesClass || classGivenBy(cells(d, c.column, c.at), cells(d, b.column, b.at)) != namesClass {
		return nil
	}
	return &Leak{Columns: []string{b.name}, target: c.name, class: namesClass}
}
