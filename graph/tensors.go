package graph

import (
	"gorgonia.org/tensor"

	"github.com/tskgraph/tskgraph/rules"
)

// Rulebases hold parameters as [R,M]; the graph holds them rule-contiguous, [M,R]. Only
// this file converts between the two.

// toTensors returns antecedents [M,R], biases [C,R], slopes [C M,R] and, if there are any,
// the values of curves, [C Q,R] or [C Q,1]: rows of one output after the other.
func toTensors(rb *rules.RuleBase) []*tensor.Dense {
	M, C := rb.Features(), rb.OutputCount()
	var params []*tensor.Dense
	for _, rows := range rb.Antecedents {
		params = append(params, newTensor(transposed(rows, 0, M), len(rows)))
	}
	params = append(params, consequents(rb.Consequents, C)...)
	if rb.Curves != nil {
		var cells []float64
		for c := range C {
			cells = append(cells, rules.KnotMajor(rb.Output(c).Curves)...)
		}
		params = append(params, newTensor(cells, len(rb.Curves)/C))
	}
	return params
}

// consequents returns the biases [C,R] and the slopes [C M,R] of consequents [R][C(M+1)].
func consequents(w [][]float64, C int) []*tensor.Dense {
	var biases, slopes []float64
	for c, width := 0, len(w[0])/C; c < C; c++ {
		biases = append(biases, transposed(w, c*width, c*width+1)...)
		slopes = append(slopes, transposed(w, c*width+1, (c+1)*width)...)
	}
	return []*tensor.Dense{newTensor(biases, len(w)), newTensor(slopes, len(w))}
}

// newTensor returns cells as the rows of a tensor with the given number of columns.
func newTensor(cells []float64, columns int) *tensor.Dense {
	return tensor.New(tensor.WithShape(len(cells)/columns, columns), tensor.WithBacking(cells))
}

// transposed returns the columns [from, to) of the rows [R] as rows, [to-from,R].
func transposed(rows [][]float64, from, to int) []float64 {
	R := len(rows)
	cells := make([]float64, (to-from)*R)
	for r, row := range rows {
		for m, v := range row[from:to] {
			cells[m*R+r] = v
		}
	}
	return cells
}

// fromTensors is the inverse of toTensors.
func fromTensors(params []*tensor.Dense, antecedents int) rules.Parameters {
	biases, slopes := params[antecedents], params[antecedents+1]
	C, R := biases.Shape()[0], biases.Shape()[1]
	M := slopes.Shape()[0] / C
	p := rules.RuleBase{Parameters: rules.NewParameters(antecedents, R, M)}
	for j, rows := range p.Antecedents {
		fill(rows, 0, params[j].Float64s())
	}
	p.SetOutputs(C)
	for c := range C {
		fill(p.Consequents, c*(M+1), biases.Float64s()[c*R:(c+1)*R])
		fill(p.Consequents, c*(M+1)+1, slopes.Float64s()[c*M*R:(c+1)*M*R])
	}
	if len(params) > antecedents+2 {
		curves := params[antecedents+2]
		Q, columns := curves.Shape()[0]/C, curves.Shape()[1]
		p.Curves = rules.NewCurves(C*columns, Q)
		for c := range C {
			fill(p.Output(c).Curves, 0, curves.Float64s()[c*Q*columns:(c+1)*Q*columns])
		}
	}
	return p.Parameters
}

// fill writes cells [n,R] to the columns of the rows [R] from column from on.
func fill(rows [][]float64, from int, cells []float64) {
	R := len(rows)
	for i, v := range cells {
		rows[i%R][from+i/R] = v
	}
}
