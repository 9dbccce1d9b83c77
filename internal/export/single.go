package export

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/membership"
)

// openSingle scales the positions of open borders, see [membership.IsOpen], into the range of
// 32-bit numbers. Their flanks stay one for all samples.
const openSingle = 1e-170

// Single returns the form for a target that computes with numbers of 32 bits: the same, with open
// borders within their range.
func Single(f *Form) *Form {
	narrow := *f
	narrow.Members = slices.Clone(f.Members)
	for k := range narrow.Members {
		m := &narrow.Members[k]
		m.Rules = slices.Clone(m.Rules)
		for r := range m.Rules {
			m.Rules[r].Params = singleParams(m.Shape, m.Rules[r].Params)
		}
	}
	return &narrow
}

func singleParams(shape membership.Function, params [][]float64) [][]float64 {
	narrow := make([][]float64, len(params))
	for i, p := range params {
		narrow[i] = slices.Clone(p)
		for j, param := range shape.Params() {
			if membership.IsOpen(param, p[j]) && !math.IsInf(p[j], 0) {
				narrow[i][j] *= openSingle
			}
		}
	}
	return narrow
}

// singleRatio is the size of numbers in standard deviations above which 32 bits are too few for them:
// the z-score is then off by 1e-5 and more.
const singleRatio = 200

// SingleNotes names the columns whose numbers lose digits that matter when a target reads them as
// numbers of 32 bits.
func SingleNotes(f *Form) (notes []string) {
	for _, c := range f.Columns {
		sd := math.Inf(1)
		for _, m := range f.Members {
			for _, in := range m.Inputs {
				if in.Feature == c.First {
					sd = min(sd, in.SD)
				}
			}
		}
		if size := max(math.Abs(c.Min), math.Abs(c.Max)); c.Encoding == data.Numeric && size > singleRatio*sd {
			notes = append(notes, fmt.Sprintf("column %s: numbers up to %.6g that differ by %.3g (a standard deviation) lose digits in 32 bits: their z-scores may be off by %.1g",
				escape.Quote(c.Name), size, sd, 0x1p-24*size/sd))
		}
	}
	return notes
}
