package words

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Rules of the words of a curve. Its range is the difference of its largest and its least value.
const (
	// wordsOff is the largest distance of the straight lines that the words describe from the
	// curve, and the largest change that is called nearly constant, as a share of the curve's range.
	wordsOff = 0.1

	// steepness of a line "steeply" at least, "slowly" at most, as a multiple of the mean
	// steepness of the lines.
	steeply, slowly = 2, 0.5

	// mostLines: a curve that needs more lines has no simple form.
	mostLines = 4
)

// corners returns the indices of the ends of the fewest straight lines between points of a
// curve, from the first to the last one, that lie within a distance of every point between
// them; of several, those with the least sum of squared distances.
func corners(x, y []float64, distance float64) []int {
	n := len(x)
	lines, squares, from := make([]int, n), make([]float64, n), make([]int, n)
	for j := 1; j < n; j++ {
		lines[j] = n
		for i := j - 1; i >= 0; i-- {
			off, ok := offLine(x, y, i, j, distance)
			if !ok {
				continue
			}
			if count, sum := lines[i]+1, squares[i]+off; count < lines[j] || count == lines[j] && sum < squares[j] {
				lines[j], squares[j], from[j] = count, sum, i
			}
		}
	}
	ends := []int{n - 1}
	for ends[0] > 0 {
		ends = slices.Insert(ends, 0, from[ends[0]])
	}
	return ends
}

// offLine returns the sum of the squared distances of the points between i and j from the line
// through these; false if one exceeds a distance.
func offLine(x, y []float64, i, j int, distance float64) (sum float64, ok bool) {
	for q := i + 1; q < j; q++ {
		on := y[i] + float64((x[q]-x[i])/(x[j]-x[i])*(y[j]-y[i]))
		if !(math.Abs(y[q]-on) <= distance) {
			return 0, false
		}
		sum += float64((y[q] - on) * (y[q] - on))
	}
	return sum, true
}

// piece is a part of a curve in words, up to the point to.
type piece struct {
	to     int
	change float64
	verb   string // rises or falls
	adverb string // steeply, slowly, flat or none
}

// flat is the adverb of a piece that is nearly constant.
const flat = "flat"

// shape returns a curve in words, such as "rises steeply until 28 days (+12.3), then is nearly
// constant (+0.8)": its corners with the change on each line. place formats a value of x.
func shape(x, y []float64, place func(float64) string) string {
	n := len(x)
	low, high := slices.Min(y), slices.Max(y)
	size := high - low
	if size == 0 {
		return "is constant"
	}
	ends := corners(x, y, wordsOff*size)
	if len(ends)-1 > mostLines || math.IsInf(size, 0) {
		at := func(v float64) string { return place(x[slices.Index(y, v)]) + " (" + signed(v, size) + ")" }
		return "has no simple form: lowest at " + at(low) + ", highest at " + at(high)
	}
	text, last := "", piece{}
	for k, p := range pieces(x, y, ends, size) {
		if k > 0 {
			text += ", then "
		}
		text += p.after(last)
		if last = p; p.to < n-1 {
			text += " until " + place(x[p.to])
		}
		text += fmt.Sprintf(" (%s)", signed(p.change, size))
	}
	return text
}

// pieces returns the lines between the corners of a curve, those that follow each other with
// the same words as one. size is the curve's range.
func pieces(x, y []float64, ends []int, size float64) []piece {
	var all []piece
	changes := 0.0
	for k, j := range ends[1:] {
		changes += math.Abs(y[j] - y[ends[k]])
	}
	for k, j := range ends[1:] {
		i := ends[k]
		p := piece{to: j, change: y[j] - y[i], verb: "rises"}
		if p.change < 0 {
			p.verb = "falls"
		}
		change := math.Abs(p.change)
		switch steepness := change / changes / ((x[j] - x[i]) / (x[len(x)-1] - x[0])); {
		case change <= wordsOff*size:
			p.adverb = flat
		case steepness >= steeply:
			p.adverb = "steeply"
		case steepness <= slowly:
			p.adverb = "slowly"
		}
		if k > 0 {
			before := &all[len(all)-1]
			if before.adverb == p.adverb && (before.verb == p.verb || p.adverb == flat) {
				before.to, before.change = j, before.change+p.change
				continue
			}
		}
		all = append(all, p)
	}
	return all
}

// after returns the words of a piece after another one, without the verb if it is the same.
func (p piece) after(last piece) string {
	switch {
	case p.adverb == flat:
		return "is nearly constant"
	case p.verb != last.verb || last.adverb == flat:
		return strings.TrimSpace(p.verb + " " + p.adverb)
	case p.adverb != "":
		return p.adverb
	case last.adverb == "steeply":
		return "less steeply"
	case last.adverb == "slowly":
		return "more steeply"
	}
	return p.verb
}
