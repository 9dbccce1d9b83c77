package export

import (
	"math"
	"slices"

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
