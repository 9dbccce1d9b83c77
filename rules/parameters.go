package rules

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
)

// Parameters are the trainable parameters of a rulebase. A gradient has the same type.
type Parameters struct {
	// Antecedents holds the parameters of the membership functions: one [R][M]
	// matrix per parameter, in the order of Shape.Params.
	Antecedents [][][]float64 `json:"antecedents"`

	// Consequents is [R][C(M+1)], the parameters of output c in columns c(M+1) to
	// (c+1)(M+1), the bias w_{r,0} first.
	Consequents [][]float64 `json:"consequents"`

	// Curves holds the values of the curves in the consequents at their knots, [C][Q] if
	// all rules share them, else [C R][Q], output by output; nil: no curves. See
	// RuleBase.Knots.
	Curves [][]float64 `json:"curves,omitempty"`
}

// NewParameters returns parameters, all zero, for R rules over M features with one output
// and a shape with n parameters, without curves.
func NewParameters(n, R, M int) Parameters {
	p := Parameters{Antecedents: make([][][]float64, n), Consequents: matrix(R, M+1)}
	for j := range p.Antecedents {
		p.Antecedents[j] = matrix(R, M)
	}
	return p
}

// Rules returns R.
func (p Parameters) Rules() int { return len(p.Consequents) }

// Features returns M.
func (p Parameters) Features() int {
	if len(p.Antecedents) == 0 || len(p.Antecedents[0]) == 0 {
		return 0
	}
	return len(p.Antecedents[0][0])
}

// OutputCount returns C, the number of outputs.
func (p Parameters) OutputCount() int {
	if len(p.Consequents) == 0 {
		return 0
	}
	return len(p.Consequents[0]) / (p.Features() + 1)
}

// Output returns output c alone: parameters that share the memory of p.
func (p Parameters) Output(c int) Parameters {
	width, C := p.Features()+1, p.OutputCount()
	if C == 1 {
		return p
	}
	rows := make([][]float64, p.Rules())
	for r, w := range p.Consequents {
		rows[r] = w[c*width : (c+1)*width : (c+1)*width]
	}
	p.Consequents = rows
	if n := len(p.Curves) / C; n > 0 {
		p.Curves = p.Curves[c*n : (c+1)*n : (c+1)*n]
	}
	return p
}

// Curve returns the values at all knots, [Q], of the curves in rule r. There must be one
// output.
func (p Parameters) Curve(r int) []float64 {
	if len(p.Curves) == 1 {
		return p.Curves[0]
	}
	return p.Curves[r]
}

// Slopes returns the slopes, output by output and feature by feature: [C M,R].
func (p Parameters) Slopes() (v []float64) {
	for c, width := 0, p.Features()+1; c < p.OutputCount(); c++ {
		v = append(v, Columns(p.Consequents, c*width+1, (c+1)*width)...)
	}
	return v
}

// KnotMajor returns the values of the curves, of which there are some, output by output and knot by knot: [C Q,R] or, if all
// rules share them, [C Q,1], and the number of columns.
func (p Parameters) KnotMajor() (v []float64, columns int) {
	for c := range p.OutputCount() {
		curves := p.Output(c).Curves
		v, columns = append(v, Columns(curves, 0, len(curves[0]))...), len(curves)
	}
	return v, columns
}

// At returns the address of an element.
func (p Parameters) At(e Element) *float64 { return &p.Antecedents[e.Parameter][e.Rule][e.Feature] }

// Function writes the parameters of the membership function X_{r,m} to dst, in
// the order of Shape.Params, and returns dst.
func (p Parameters) Function(dst []float64, r, m int) []float64 {
	for j := range dst {
		dst[j] = p.Antecedents[j][r][m]
	}
	return dst
}

// matrix returns n rows of the given width that share one array.
func matrix(n, width int) [][]float64 { return rowsOf(make([]float64, n*width), n, width) }

// rowsOf returns cells as n rows of the given width.
func rowsOf(cells []float64, n, width int) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = cells[i*width : (i+1)*width : (i+1)*width]
	}
	return rows
}

// Columns returns the columns from, ..., to-1 of R rows, one after the other: [to-from,R].
func Columns(rows [][]float64, from, to int) []float64 {
	cells := make([]float64, (to-from)*len(rows))
	columns(cells, rows, from)
	return cells
}

// SetColumns is the inverse of [Columns].
func SetColumns(rows [][]float64, from int, cells []float64) {
	for i, v := range cells {
		rows[i%len(rows)][from+i/len(rows)] = v
	}
}

// columns writes M cells of each of the rows [B], those from the given one, to columns [M,B].
func columns(to []float64, rows [][]float64, from int) {
	B := len(rows)
	for n, row := range rows {
		for m, v := range row[from : from+len(to)/B] {
			to[m*B+n] = v
		}
	}
}

func copyRows(dst, src [][]float64) {
	for i, row := range src {
		copy(dst[i], row)
	}
}

// cloneRows returns a deep copy; nil for nil.
func cloneRows(rows [][]float64) [][]float64 {
	if rows == nil {
		return nil
	}
	c := make([][]float64, len(rows))
	for i, row := range rows {
		c[i] = append([]float64(nil), row...)
	}
	return c
}

// Project moves antecedent parameters into their domain in place: p[j][i] is
// parameter j of membership function i, whatever the order of the functions.
func Project(shape membership.Function, spreadFloor float64, p [][]float64) {
	Projection(shape, spreadFloor)(p)
}

// Projection returns [Project] for one shape and floor, as a function that
// allocates nothing.
func Projection(shape membership.Function, spreadFloor float64) func(p [][]float64) {
	var least []float64
	for _, param := range shape.Params() {
		least = append(least, param.Kind.Least(spreadFloor))
	}
	s, further := shape.(membership.Projector)
	return func(p [][]float64) {
		for j, bound := range least {
			if math.IsInf(bound, -1) {
				continue
			}
			for i, v := range p[j] {
				p[j][i] = max(v, bound)
			}
		}
		if further {
			s.Project(p)
		}
	}
}

// flatSpread is the spread of a flat membership function: so wide that its grade is one
// to the bit for all samples, and that no gradient moves it.
const flatSpread = 1e200

// farthest is the distance from zero, in scaled units, up to which a flat function must
// be one.
const farthest = 1e6

// flatParams returns the parameters of a flat function of the shape. Slopes are plus or
// minus one instead of nearly zero, so that the edges are far away and steep. If the
// borders have parameters of their own, both are open.
func flatParams(shape membership.Function) []float64 {
	if s, ok := shape.(membership.Bordered); ok {
		return s.Between(math.Inf(-1), math.Inf(1), 1)
	}
	p := shape.Place(0, flatSpread)
	for j, param := range shape.Params() {
		if param.Kind == membership.Slope {
			p[j] = math.Copysign(1, p[j])
		}
	}
	return p
}

// CanBeFlat reports whether a function of the shape is one everywhere if it is wide
// enough, as for all built-in shapes.
func CanBeFlat(shape membership.Function) bool { return flat(shape, flatParams(shape)) }

func flat(shape membership.Function, p []float64) bool {
	g := []float64{-farthest, 0, farthest}
	shape.Grades(g, g, p)
	return g[0] == 1 && g[1] == 1 && g[2] == 1
}

// checkDomain checks that Project would not change any parameter, and that a kept one is in
// the domain of its shape with a spread floor near zero.
func checkDomain(rb *RuleBase) error {
	projected := rb.Clone()
	if rb.Keep != nil {
		projected.Keep, projected.SpreadFloor = nil, math.SmallestNonzeroFloat64
		projected.Project()
		projected.Keep, projected.SpreadFloor = rb.Keep, rb.SpreadFloor
	}
	projected.Project()
	for j, param := range rb.Shape.Params() {
		for r, row := range rb.Antecedents[j] {
			for m, v := range row {
				if v != projected.Antecedents[j][r][m] {
					return invalid("%s[r=%d,m=%d] = %v is outside the domain of %s", param.Name, r, m, v, rb.Shape.Name())
				}
			}
		}
	}
	return nil
}

// Restorable returns an error unless a file can hold the shape, the t-norm and the
// defuzzification of a valid rulebase, see [membership.Restorable] and [inference.Restorable].
func Restorable(rb *RuleBase) error {
	if err := membership.Restorable(rb.Shape); err != nil {
		return err
	}
	return inference.Restorable(rb.TNorm, rb.Defuzzification)
}

func invalid(format string, a ...any) error {
	return fmt.Errorf("%w: %s", ErrInvalid, fmt.Sprintf(format, a...))
}

// checkInputs checks the sizes of a rulebase and of samples x [N][M] or [N][2M] with a mask [N][R] or nil.
func checkInputs(rb *RuleBase, x, mask [][]float64) error {
	if err := rb.CheckSizes(); err != nil {
		return err
	}
	M, R := rb.Features(), rb.Rules()
	for n, row := range x {
		if len(row) != len(x[0]) || len(row) != M && len(row) != 2*M {
			return invalid("sample %d has %d features; the rules are over %d, and all samples are alike", n, len(row), M)
		}
	}
	if mask != nil && len(mask) != len(x) {
		return invalid("a mask of %d samples; there are %d", len(mask), len(x))
	}
	for n, row := range mask {
		if len(row) != R {
			return invalid("mask[%d] has %d values; there are %d rules", n, len(row), R)
		}
	}
	return nil
}

// checkSamples checks a rulebase, and the sizes of samples x [N][M] or [N][2M] with weights [N] or nil.
func checkSamples(rb *RuleBase, x [][]float64, weight []float64) error {
	if err := rb.Validate(); err != nil {
		return err
	}
	if weight != nil && len(weight) != len(x) {
		return invalid("%d weights of %d samples", len(weight), len(x))
	}
	return checkInputs(rb, x, nil)
}

// checkSize returns an error that begins with the index of the fault.
func checkSize(a [][]float64, rows, cols int) error {
	if len(a) != rows {
		return fmt.Errorf(": %d rows; there are %d rules", len(a), rows)
	}
	for r, row := range a {
		if len(row) != cols {
			return fmt.Errorf("[r=%d]: %d values; want %d", r, len(row), cols)
		}
	}
	return nil
}

// checkFinite returns an error that begins with the index of the fault.
func checkFinite(a [][]float64) error {
	for r, row := range a {
		for m, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("[r=%d,m=%d] = %v: must be finite", r, m, v)
			}
		}
	}
	return nil
}

// Append returns a rulebase of the rules of rb, then those of more: of the same shape, features,
// outputs, t-norm and defuzzification. Rules share curves, splits and signs as those of rb do; more has none
// of these, no kept parts and no ties. The spread floor is the smaller of the two.
func Append(rb, more *RuleBase) *RuleBase {
	all, added := rb.Clone(), more.Clone()
	for j := range all.Antecedents {
		all.Antecedents[j] = append(all.Antecedents[j], added.Antecedents[j]...)
	}
	all.Consequents = append(all.Consequents, added.Consequents...)
	all.SpreadFloor = min(rb.SpreadFloor, more.SpreadFloor)
	n := more.Rules()
	if rb.MergeWeights != nil {
		all.MergeWeights = append(all.MergeWeights, slices.Repeat([]int{1}, n)...)
	}
	if rb.Keep != nil {
		all.Keep = append(all.Keep, make([]Keep, n)...)
	}
	if rb.Tie != nil {
		for i := range n {
			all.Tie = append(all.Tie, fresh(rb.Tie, i))
		}
	}
	return all
}

// fresh returns labels [M] that are not in tie, different ones for each i.
func fresh(tie [][]int, i int) []int {
	labels := make([]int, len(tie[0]))
	for _, row := range tie {
		for m, label := range row {
			labels[m] = max(labels[m], label+1+i)
		}
	}
	return labels
}
