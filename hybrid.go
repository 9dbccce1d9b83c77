package tskgraph

import (
	"fmt"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/lse"
	"github.com/tskgraph/tskgraph/optim"
)

// hybrid is ANFIS's hybrid learning as an objective: its parameters are the
// antecedents, and the consequents are always those of least squares for them.
type hybrid struct {
	*graph.Network
	estimator *lse.Estimator
	failed    error // why the consequents are not those of the present antecedents
}

// newHybrid estimates the first consequents. If that fails, so will the first Evaluate.
func newHybrid(n *graph.Network, e *lse.Estimator) *hybrid {
	h := &hybrid{Network: n, estimator: e}
	h.estimate()
	return h
}

// estimate replaces the consequents. Where that fails they stay as they are.
func (h *hybrid) estimate() {
	w, err := h.estimator.Estimate(h.RuleBase())
	if err != nil {
		h.failed = fmt.Errorf("%w: %w", optim.ErrDiverged, err)
		return
	}
	h.failed = nil
	h.SetConsequents(w)
}

// Params returns the antecedents.
func (h *hybrid) Params() []gorgonia.ValueGrad {
	all := h.Network.Params()
	return all[:len(all)-2]
}

// Evaluate is that of the network.
func (h *hybrid) Evaluate(x, target, mask, weight []float64) (data, penalty float64, skipped int, err error) {
	if h.failed != nil {
		return 0, 0, 0, h.failed
	}
	return h.Network.Evaluate(x, target, mask, weight)
}

// Project moves the antecedents into their domain and has the consequents follow.
func (h *hybrid) Project() {
	h.Network.Project()
	h.estimate()
}
