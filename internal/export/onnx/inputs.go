package onnx

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/export"
)

// inputs are the inputs of the rules of a member.
type inputs struct {
	then string // z [N, Width], of the THEN parts
	when string // u [N, Width and more], of the IF parts
	at   []int  // [Width] columns of when
	near string // whether all numbers are near enough for a prediction, [N, 1]
}

// scale returns the inputs of a member by the features [N, F]: steps 1 and 2 of [export.Member].
func scale(g *graph, m *export.Member, features string) inputs {
	var at []int
	var mean, sd, missing []float64
	for _, in := range m.Inputs {
		at, mean, sd, missing = append(at, in.Feature), append(mean, in.Mean), append(sd, in.SD), append(missing, in.Missing)
	}
	x := g.columns(features, at...)
	z := g.where(g.op("IsNaN", x), g.row("missing", missing), g.op("Div", centre(g, x, mean), g.row("sd", sd)))
	far := export.FarthestOf(g.real == floatType)
	limited := slices.ContainsFunc(m.Inputs, export.Input.Limited)
	if limited {
		var low, high []float64
		for _, of := range m.Inputs {
			low, high = append(low, max(of.Low, -far)), append(high, min(of.High, far))
		}
		z = g.limit(z, g.row("least", low), g.row("most", high))
	}
	near := g.op("Less", g.op("Abs", z), g.scalar(far))
	if limited {
		near = g.op("And", near, g.op("Not", g.op("IsInf", x)))
	}
	in := inputs{then: z, near: g.all(near)}
	if m.Components != nil {
		loadings := make([]float64, 0, len(m.Inputs)*len(m.Components))
		for i := range m.Inputs {
			for _, of := range m.Components {
				loadings = append(loadings, of[i])
			}
		}
		in.then = g.op("MatMul", z, g.reals("loadings", loadings, len(m.Inputs), len(m.Components)))
	}
	in.when = in.then
	for i := range m.Width() {
		in.at = append(in.at, i)
	}
	in.straighten(g, m)
	return in
}

// centre returns x - mean. Of numbers of 32 bits, a mean is the sum of two, so that it is not
// rounded.
func centre(g *graph, x string, mean []float64) string {
	low := make([]float64, len(mean))
	for i, v := range mean {
		low[i] = v - float64(float32(v))
	}
	x = g.op("Sub", x, g.row("mean", mean))
	if g.real == floatType {
		x = g.op("Sub", x, g.row("mean_low", low))
	}
	return x
}

// straighten adds columns for the transforms of inputs that have one.
func (in *inputs) straighten(g *graph, m *export.Member) {
	var at []int
	var lambda, other, mean, sd []float64
	for i, of := range m.Inputs {
		if p := of.Power; p != nil {
			in.at[i] = len(m.Inputs) + len(at)
			at, lambda, other = append(at, i), append(lambda, p.Lambda), append(other, 2-p.Lambda)
			mean, sd = append(mean, p.Mean), append(sd, p.SD)
		}
	}
	if at == nil {
		return
	}
	z := g.columns(in.then, at...)
	below := g.op("Less", z, g.scalar(0))
	psi := yeoJohnson(g, g.op("Abs", z), g.where(below, g.row("lambda_below", other), g.row("lambda", lambda)))
	psi = g.where(below, g.op("Neg", psi), psi)
	u := g.op("Div", g.op("Sub", psi, g.row("power_mean", mean)), g.row("power_sd", sd))
	in.when = g.concat(in.then, g.limit(u, g.scalar(-export.PowerLimit), g.scalar(export.PowerLimit)))
}

// yeoJohnson returns ((1+a)^lambda - 1) / lambda for a >= 0, and log(1+a) for lambda 0: it is
// l (e^x - 1)/x with l = log(1+a) and x = lambda l. Near zero, (e^x - 1)/x is (v-1)/log(v) with
// v = e^x, where the rounding errors of two factors cancel (Kahan).
func yeoJohnson(g *graph, a, lambda string) string {
	one := g.scalar(1)
	l := g.op("Log", g.op("Add", one, a))
	x := g.op("Mul", lambda, l)
	v := g.op("Exp", x)
	near := g.op("Less", g.op("Abs", x), one)
	slope := g.op("Div", g.op("Sub", v, one), g.where(near, g.op("Log", v), x))
	return g.op("Mul", l, g.where(g.op("Equal", v, one), one, slope))
}

// matrixInput is the name of the input of a graph that takes a matrix of features.
const matrixInput = "features"

// readMatrix adds one input [N, F] and returns it.
func readMatrix(g *graph, f *export.Form) (features string, names []string) {
	features = g.input(matrixInput, g.real, len(f.Features), "the features in the order of the metadata; NaN is a missing one")
	return features, []string{features}
}

// readColumns adds an input [N, 1] for each column, and returns the features [N, F] and the names
// of the inputs.
func readColumns(g *graph, f *export.Form) (features string, names []string) {
	for _, c := range f.Columns {
		of := g.real
		if !c.Numbers() {
			of = stringType
		}
		names = append(names, g.input(c.Name, of, 1, columnDoc(c)))
	}
	var encoded []string
	for i, c := range f.Columns {
		encoded = append(encoded, encode(g, c, names[i]))
	}
	return g.concat(encoded...), names
}

// columnDoc describes a column in a line.
func columnDoc(c export.Column) string {
	if !c.Numbers() {
		return fmt.Sprintf("one of %q; an empty text is missing", c.Levels)
	}
	text := fmt.Sprintf("%g to %g in training; NaN is missing", c.Min, c.Max)
	if c.Unit != "" {
		text = escape.Text(c.Unit) + ", " + text
	}
	return text
}

// encode returns the features [N, Width] of a column.
func encode(g *graph, c export.Column, cells string) string {
	switch {
	case c.Numbers() && c.Missing:
		nan := g.scalar(math.NaN())
		return g.concat(cells, g.where(g.op("IsNaN", cells), nan, g.scalar(0)))
	case c.Numbers():
		return cells
	}
	if !c.Nominal() {
		return codes(g, c, cells, c.Values(-1)[0])
	}
	levels := make([]float64, len(c.Levels))
	for k := range levels {
		levels[k] = c.Code(k)
	}
	at := codes(g, c, cells, -1)
	is := g.cast(g.op("Equal", at, g.row("levels", levels)), g.real)
	return g.where(g.op("IsNaN", at), g.scalar(math.NaN()), is)
}

// codes returns the codes [N, 1] of the levels of cells, or that of an unknown level; NaN for an empty text.
func codes(g *graph, c export.Column, cells string, unknown float64) string {
	keys, values, other := newAttribute("keys_strings", typeStrings), newAttribute("values_floats", typeFloats),
		newAttribute("default_float", typeFloat)
	keys.text(attributeStrings, "")
	values.float(attributeFloats, float32(math.NaN()))
	for k, level := range c.Levels {
		keys.text(attributeStrings, level)
		values.float(attributeFloats, float32(c.Code(k)))
	}
	other.float(attributeFloat, float32(unknown))
	return g.cast(g.add(mlDomain, "LabelEncoder", []string{cells}, g.unique("LabelEncoder"), []message{keys, values, other}), g.real)
}
