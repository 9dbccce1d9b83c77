package rules

// Parameters are the trainable parameters of a rulebase. A gradient has the same type.
type Parameters struct {
	// Antecedents holds the parameters of the membership functions: one [R][M]
	// matrix per parameter, in the order of Shape.Params.
	Antecedents [][][]float64 `json:"antecedents"`

	// Consequents is [R][M+1]; column 0 is the bias w_{r,0}.
	Consequents [][]float64 `json:"consequents"`

	// Curves holds the values of the curves in the consequents at their knots, [1][Q] if
	// all rules share them, else [R][Q]; nil: no curves. See RuleBase.Knots.
	Curves [][]float64 `json:"curves,omitempty"`
}

// NewParameters returns parameters, all zero, for R rules over M features and a shape
// with n parameters, without curves.
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
	if len(p.Consequents) == 0 {
		return 0
	}
	return len(p.Consequents[0]) - 1
}

// Curve returns the values at all knots, [Q], of the curves in rule r.
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
