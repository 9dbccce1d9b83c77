package optim

import (
	"fmt"
	"math"
	"slices"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// ANFIS is the gradient descent of ANFIS (Jang, "ANFIS: adaptive-network-based fuzzy inference system", IEEE
// Transactions on Systems, Man, and Cybernetics, 1993): all parameters together move by a step of length kappa, down
// the gradient scaled by its norm,
//
//	theta = theta - kappa g / |g|
//
// kappa starts at LearningRate. It grows by 1.1 when the loss has fallen four times in a row, and shrinks by 0.9 when
// it has twice risen and fallen in turn; the counts restart after each change. The loss of an evaluation counts before the
// step that follows it. A gradient of zero moves nothing. Tied copies of a parameter each count in |g|.
//
// Its solver is a [LossSolver].
type ANFIS struct {
	LearningRate float64 // > 0; 0: 0.01
}

func init() { Register(func() Method { return new(ANFIS) }) }

func (*ANFIS) Name() string        { return "anfis" }
func (o *ANFIS) Options() []Option { return []Option{learningRate(&o.LearningRate, 0.01)} }
func (o *ANFIS) Start() Solver     { return &anfis{name: o.Name(), size: o.LearningRate} }

const (
	growth, shrinkage = 1.1, 0.9
	remembered        = 5 // losses: four changes
)

// anfis is a [LossSolver].
type anfis struct {
	name   string
	step   int
	size   float64   // kappa
	losses []float64 // observed since the last change of size, the last five at most
	sizes  []int     // elements by parameter, nil before the first step
	params []Parameter
}

// Observe is described at LossSolver.
func (a *anfis) Observe(loss float64) {
	if len(a.losses) == remembered {
		copy(a.losses, a.losses[1:])
		a.losses = a.losses[:remembered-1]
	}
	a.losses = append(a.losses, loss)
	switch {
	case len(a.losses) < remembered:
		return
	case a.changed(-1, -1, -1, -1):
		a.size *= growth
	case a.changed(1, -1, 1, -1):
		a.size *= shrinkage
	default:
		return
	}
	a.losses = append(a.losses[:0], loss)
}

// changed reports whether the losses rose (1) and fell (-1) in this order.
func (a *anfis) changed(signs ...float64) bool {
	for i, sign := range signs {
		if !((a.losses[i+1]-a.losses[i])*sign > 0) {
			return false
		}
	}
	return true
}

func (a *anfis) Step(model []gorgonia.ValueGrad) error {
	var err error
	if a.params, err = bind(a.params, model, a.sizes); err != nil {
		return err
	}
	if a.sizes == nil {
		a.sizes = sizesOf(a.params)
	}
	a.step++
	largest := 0.0
	for _, p := range a.params {
		for _, g := range p.Grad {
			largest = max(largest, math.Abs(g))
		}
	}
	if largest == 0 {
		return nil
	}
	sum := 0.0 // of squares, scaled so that they neither overflow nor vanish
	for _, p := range a.params {
		for _, g := range p.Grad {
			sum += float64((g / largest) * (g / largest))
		}
	}
	length := a.size / math.Sqrt(sum)
	for _, p := range a.params {
		for i, g := range p.Grad {
			p.Value[i] -= float64(length * (g / largest))
		}
	}
	return nil
}

func (a *anfis) State() State {
	return State{Solver: a.name, Step: a.step, Moments: map[string][][]float64{}, StepSize: a.size, Losses: slices.Clone(a.losses)}
}

func (a *anfis) Restore(st State) error {
	switch {
	case st.Solver != a.name:
		return fmt.Errorf("%w: state of solver %q, this is %s", ErrState, st.Solver, a.name)
	case st.Step < 0:
		return fmt.Errorf("%w: step is %d", ErrState, st.Step)
	case len(st.Moments) > 0:
		return fmt.Errorf("%w: solver %s has no moments", ErrState, a.name)
	case !(st.StepSize > 0) || !numeric.Finite(st.StepSize):
		return fmt.Errorf("%w: step size is %g", ErrState, st.StepSize)
	case len(st.Losses) > remembered:
		return fmt.Errorf("%w: %d losses, at most %d are remembered", ErrState, len(st.Losses), remembered)
	}
	for i, v := range st.Losses {
		if !numeric.Finite(v) {
			return fmt.Errorf("%w: loss %d is %g", ErrState, i, v)
		}
	}
	a.step, a.size, a.losses = st.Step, st.StepSize, slices.Clone(st.Losses)
	return nil
}
