package rules

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
