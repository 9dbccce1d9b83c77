package graph

import (
	"gorgonia.org/tensor"

	"github.com/tskgraph/tskgraph/rules"
)

// Rulebases hold parameters as [R,M]; the graph holds them rule-contiguous, [M,R]. Only
// this file converts between the two.

// toTensors returns antecedents [M,R], biases [1,R], slopes [M,R] and, if there are any, the
// values of curves, [Q,R] or [Q,1].
func toTensors(rb *rules.RuleBase) []*tensor.Dense {
	R, M := rb.Rules(), rb.Features()
	var params []*tensor.Dense
	for _, rows := range rb.Antecedents {
		params = append(params, transposed(rows, 0, M))
	}
	params = append(params, transposed(rb.Consequents[:R], 0, 1), transposed(rb.Consequents, 1, M+1))
	if rb.Curves != nil {
		params = append(params, transposed(rb.Curves, 0, len(rb.Curves[0])))
	}
	return params
}

// transposed returns the columns [from, to) of the rows [R], as a tensor
// [to-from,R].
func transposed(rows [][]float64, from, to int) *tensor.Dense {
	R := len(rows)
	cells := make([]float64, (to-from)*R)
	for r, row := range rows {
		for m, v := range row[from:to] {
			cells[m*R+r] = v
		}
	}
	return tensor.New(tensor.WithShape(to-from, R), tensor.WithBacking(cells))
}

// fromTensors is the inverse of toTensors.
func fromTensors(params []*tensor.Dense, antecedents int) rules.Parameters {
	slopes := params[antecedents+1]
	M, R := slopes.Shape()[0], slopes.Shape()[1]
	p := rules.NewParameters(antecedents, R, M)
	for j, rows := range p.Antecedents {
		fill(rows, 0, params[j])
	}
	fill(p.Consequents, 0, params[antecedents])
	fill(p.Consequents, 1, slopes)
	if len(params) > antecedents+2 {
		curves := params[antecedents+2]
		Q, C := curves.Shape()[0], curves.Shape()[1]
		p.Curves = rules.NewCurves(C, Q)
		fill(p.Curves, 0, curves)
	}
	return p
}

// fill writes a tensor [n,R] to the columns of the rows [R] from column from on.
func fill(rows [][]float64, from int, t *tensor.Dense) {
	R := len(rows)
	for i, v := range t.Float64s() {
		rows[i%R][from+i/R] = v
	}
}
