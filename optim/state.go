package optim

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/kernel"
)

// State is all that a solver remembers between steps. It keeps every bit through JSON.
type State struct {
	Solver  string                 `json:"solver"`  // name of the solver
	Step    int                    `json:"step"`    // updates made so far; k of the next one is Step+1
	Moments map[string][][]float64 `json:"moments"` // by name ("m", "v"), then by parameter; no parameters at Step 0

	StepSize float64   `json:"step_size,omitempty"` // of anfis
	Losses   []float64 `json:"losses,omitempty"`    // of anfis, those observed since it last changed its step size
}

// State is described at Solver.
func (s *solver) State() State {
	st := State{Solver: s.method.name, Step: s.step, Moments: make(map[string][][]float64, len(s.method.moments))}
	for j, name := range s.method.moments {
		st.Moments[name] = make([][]float64, len(s.moments))
		for i := range s.moments {
			st.Moments[name][i] = slices.Clone(s.moments[i][j])
		}
	}
	return st
}

// Restore is described at Solver.
func (s *solver) Restore(st State) error {
	if err := s.accepts(st); err != nil {
		return fmt.Errorf("%w: %w", ErrState, err)
	}
	s.step, s.moments, s.sizes = st.Step, make([][][]float64, len(st.Moments[s.method.moments[0]])), nil
	for i := range s.moments {
		s.moments[i] = make([][]float64, len(s.method.moments))
		for j, name := range s.method.moments {
			s.moments[i][j] = slices.Clone(st.Moments[name][i])
		}
		s.sizes = append(s.sizes, len(s.moments[i][0]))
	}
	return nil
}

// accepts says what keeps st from being a state of this solver.
func (s *solver) accepts(st State) error {
	if st.Solver != s.method.name {
		return fmt.Errorf("it is one of solver %q, this is %s", st.Solver, s.method.name)
	}
	if st.Step < 0 {
		return fmt.Errorf("step is %d", st.Step)
	}
	if st.StepSize != 0 || st.Losses != nil {
		return fmt.Errorf("solver %s has no step size that changes, but here is one", s.method.name)
	}
	for name := range st.Moments {
		if !slices.Contains(s.method.moments, name) {
			return fmt.Errorf("solver %s has no moment %q", s.method.name, name)
		}
	}
	first := s.method.moments[0]
	if params := len(st.Moments[first]); (st.Step > 0) != (params > 0) {
		return fmt.Errorf("moments of %d parameters at step %d", params, st.Step)
	}
	for _, name := range s.method.moments {
		moment, ok := st.Moments[name]
		if !ok {
			return fmt.Errorf("moment %q is missing", name)
		}
		if err := sameSizes(moment, st.Moments[first]); err != nil {
			return fmt.Errorf("moment %q: %w of moment %q", name, err, first)
		}
		if i, j, ok := firstNotFinite(moment); ok {
			return fmt.Errorf("moment %q of parameter %d is %g at element %d", name, i, moment[i][j], j)
		}
	}
	if s.step > 0 && st.Step > 0 {
		if err := sameSizes(st.Moments[first], column(s.moments, 0)); err != nil {
			return fmt.Errorf("%w of this solver", err)
		}
	}
	return nil
}

// sameSizes says where the sizes of two lists of parameters differ.
func sameSizes(got, want [][]float64) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d parameters against the %d", len(got), len(want))
	}
	for i := range got {
		if len(got[i]) != len(want[i]) {
			return fmt.Errorf("parameter %d has %d elements against the %d", i, len(got[i]), len(want[i]))
		}
	}
	return nil
}

// column returns moment j of each parameter.
func column(moments [][][]float64, j int) [][]float64 {
	c := make([][]float64, len(moments))
	for i := range moments {
		c[i] = moments[i][j]
	}
	return c
}

// firstNotFinite finds the first element that is NaN or infinite.
func firstNotFinite(values [][]float64) (i, j int, found bool) {
	for i, row := range values {
		if kernel.Within(row, math.Inf(1)) {
			continue
		}
		for j, v := range row {
			if !finite(v) {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}
