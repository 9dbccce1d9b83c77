package rules

import (
	"fmt"
	"math"
)

// CheckSizes checks what the forward pass relies on: a shape, R and M at least one,
// and as many parameters everywhere as they say. Their values may be anything. The
// error names the parameter and its index.
func (rb *RuleBase) CheckSizes() error {
	switch {
	case rb == nil:
		return invalid("there are no rules")
	case rb.Shape == nil:
		return invalid("no membership shape")
	}
	params := rb.Shape.Params()
	R, M := rb.Rules(), rb.Features()
	switch {
	case R < 1 || M < 1:
		return invalid("%d rules over %d features: at least one of each is needed", R, M)
	case len(rb.Antecedents) != len(params):
		return invalid("%d antecedent parameters; %s has %d", len(rb.Antecedents), rb.Shape.Name(), len(params))
	}
	if err := checkSize(rb.Consequents, R, M+1); err != nil {
		return invalid("w%v", err)
	}
	for j, param := range params {
		if err := checkSize(rb.Antecedents[j], R, M); err != nil {
			return invalid("%s%v", param.Name, err)
		}
	}
	return nil
}

// Validate checks sizes, as CheckSizes does, and values: all numbers finite, the
// spread floor positive, every antecedent parameter in its domain, merge weights at
// least one, tied parameters equal. The error names the parameter and its index.
func (rb *RuleBase) Validate() error {
	if err := rb.CheckSizes(); err != nil {
		return err
	}
	switch {
	case !(rb.SpreadFloor > 0) || math.IsInf(rb.SpreadFloor, 0):
		return invalid("spread floor %v: must be positive and finite", rb.SpreadFloor)
	case rb.MergeWeights != nil && len(rb.MergeWeights) != rb.Rules():
		return invalid("%d merge weights; there are %d rules", len(rb.MergeWeights), rb.Rules())
	}
	for r, w := range rb.MergeWeights {
		if w < 1 {
			return invalid("merge weight[r=%d] = %d: must be at least 1", r, w)
		}
	}
	if err := checkFinite(rb.Consequents); err != nil {
		return invalid("w%v", err)
	}
	for j, param := range rb.Shape.Params() {
		if err := checkFinite(rb.Antecedents[j]); err != nil {
			return invalid("%s%v", param.Name, err)
		}
	}
	if err := rb.checkTie(); err != nil {
		return invalid("%v", err)
	}
	return rb.checkDomain()
}

// checkDomain refuses parameters that Project would move.
func (rb *RuleBase) checkDomain() error {
	projected := rb.Clone()
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

func invalid(format string, a ...any) error {
	return fmt.Errorf("%w: %s", ErrInvalid, fmt.Sprintf(format, a...))
}

// checkSize returns an error that starts with the index it is about.
func checkSize(a [][]float64, rows, cols int) error {
	if len(a) != rows {
		return fmt.Errorf(": %d rows; there are %d rules", len(a), rows)
	}
	for r, row := range a {
		if len(row) != cols {
			return fmt.Errorf("[r=%d]: %d values; %d are needed", r, len(row), cols)
		}
	}
	return nil
}

// checkFinite returns an error that starts with the index it is about.
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
