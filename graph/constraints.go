package graph

import (
	"fmt"

	"github.com/tskgraph/tskgraph/rules"
)

// checkConstraints returns an error if a network with the options would change what rb keeps or
// bounds.
func checkConstraints(o Options, rb *rules.RuleBase) error {
	if o.BatchNorm == nil {
		return nil
	}
	for r := range rb.Rules() {
		if rb.Keeps(r, rules.KeepThen) {
			return fmt.Errorf("%w: batch normalisation changes THEN parts, but that of rule %d is kept", ErrGraph, r+1)
		}
	}
	if rb.Signs != nil {
		return fmt.Errorf("%w: batch normalisation changes slopes, whose signs are bounded", ErrGraph)
	}
	return nil
}

// constrain sets which parameters are kept, and the signs of the slopes, to those of rb, whose
// parameters the network has.
func constrain(n *Network, rb *rules.RuleBase) {
	if kept := rules.Kept(rb); kept != nil {
		for i, marks := range toTensors(&rules.RuleBase{Parameters: *kept}) {
			n.raw[i].keep(marks.Float64s())
		}
	}
	for c := range rb.OutputCount() {
		if one := rb.Output(c); one.Signs != nil {
			n.signs = append(n.signs, one.Signs[1:]...)
		}
	}
}

// projectSigns sets slopes [C M,R] that the signs [C M] of their rows do not allow to zero.
func projectSigns(slopes []float64, signs []int) {
	if len(signs) == 0 {
		return
	}
	R := len(slopes) / len(signs)
	for i, sign := range signs {
		if sign == 0 {
			continue
		}
		for k, v := range slopes[i*R : (i+1)*R] {
			slopes[i*R+k] = rules.Signed(v, sign)
		}
	}
}

// restore sets the elements of parameters that are kept to their values.
func restore(params []*parameter) {
	for _, p := range params {
		p.restore()
	}
}
