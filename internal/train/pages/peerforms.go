package pages

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
)

// searchForm is the form of samples and options in JSON, which keeps their bits.
type searchForm struct {
	Samples        Samples // without what follows
	Limits         []uint64
	Offset         []float64
	Loss           lossForm
	Truth          [2][]float64 // the targets and weights
	Options        Options      // without what follows
	Factors, Steps bool
}

// formOf returns the form of samples of a least squares problem, and of options.
func formOf(s Samples, o Options) searchForm {
	f := searchForm{Samples: s, Offset: s.offset, Options: o, Factors: o.factors, Steps: o.steps}
	if s.Limits != nil {
		f.Samples.Limits, f.Limits = nil, []uint64{math.Float64bits(s.Limits[0]), math.Float64bits(s.Limits[1])}
	}
	if t := s.truth; t != nil {
		f.Loss, f.Truth = formOfLoss(t.loss), [2][]float64{t.y, t.weight}
	}
	return f
}

// portion returns an empty portion of the search.
func (f *searchForm) portion() *portion {
	s, o := f.Samples, f.Options
	s.offset, o.factors, o.steps = f.Offset, f.Factors, f.Steps
	if f.Limits != nil {
		s.Limits = &[2]float64{math.Float64frombits(f.Limits[0]), math.Float64frombits(f.Limits[1])}
	}
	if l := f.Loss.loss(); l != nil {
		s.truth = &truth{l, f.Truth[0], f.Truth[1]}
	}
	return newPortion(s, o)
}

// lossForm is the form of a loss: its name, and the bits of its parameters.
type lossForm struct {
	Name string
	Bits [2]uint64
}

// formOfLoss returns the form of a loss.
func formOfLoss(l Loss) lossForm {
	form := func(name string, a, b float64) lossForm {
		return lossForm{name, [2]uint64{math.Float64bits(a), math.Float64bits(b)}}
	}
	switch l := l.(type) {
	case Logistic:
		return form("logistic", 0, 0)
	case Quantile:
		return form("quantile", l.Level, 0)
	case Absolute:
		return form("absolute", 0, 0)
	case Huber:
		return form("huber", l.Delta, 0)
	case Clipped:
		return form("clipped", l.Low, l.High)
	}
	panic(fmt.Sprintf("pages: %T has no form", l)) // of this package
}

// loss returns the loss; nil for none.
func (f lossForm) loss() Loss {
	a, b := math.Float64frombits(f.Bits[0]), math.Float64frombits(f.Bits[1])
	return map[string]Loss{"logistic": Logistic{}, "quantile": Quantile{a}, "absolute": Absolute{}, "huber": Huber{a},
		"clipped": Clipped{a, b}}[f.Name]
}

// errorsForm is the form of errors of settings: of each the number of its sums, -1 if it has none, among all that differ.
type errorsForm struct {
	At   grid[int]
	Bits []byte // [][errorCells] of numbers, little-endian
}

// MarshalJSON writes the errors beside what else an answer has.
func (a answer) MarshalJSON() ([]byte, error) {
	type plain answer
	form := struct {
		plain
		Errors *errorsForm `json:",omitempty"`
	}{plain: plain(a)}
	if a.Errors[summands] != nil {
		form.Errors = formOfErrors(a.Errors)
	}
	return json.Marshal(form)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (a *answer) UnmarshalJSON(text []byte) error {
	type plain answer
	form := struct {
		*plain
		Errors *errorsForm
	}{plain: (*plain)(a)}
	if err := json.Unmarshal(text, &form); err != nil || form.Errors == nil {
		return err
	}
	a.Errors = form.Errors.errors()
	return nil
}

// formOfErrors returns the form of errors.
func formOfErrors(of grid[[]float64]) *errorsForm {
	f, n := &errorsForm{}, 0
	last := []float64(nil)
	f.At = mapped(of, func(cells []float64) int {
		switch {
		case cells == nil:
			return -1
		case last == nil || &cells[0] != &last[0]: // paths have the same ones side by side
			last = cells
			n++
			for _, v := range cells {
				f.Bits = binary.LittleEndian.AppendUint64(f.Bits, math.Float64bits(v))
			}
		}
		return n - 1
	})
	return f
}

// errors returns the errors.
func (f *errorsForm) errors() grid[[]float64] {
	all := make([][]float64, len(f.Bits)/(8*errorCells))
	for k := range all {
		all[k] = make([]float64, errorCells)
		for i := range all[k] {
			all[k][i] = math.Float64frombits(binary.LittleEndian.Uint64(f.Bits[8*(k*errorCells+i):]))
		}
	}
	return mapped(f.At, func(at int) []float64 {
		if at < 0 {
			return nil
		}
		return all[at]
	})
}

// mapped returns a grid of what f returns of the elements of another, in their order.
func mapped[A, B any](of grid[A], f func(A) B) (out grid[B]) {
	for kind, tables := range of {
		for t, sizes := range tables {
			out[kind] = append(out[kind], make([][]B, len(sizes)))
			for l, versions := range sizes {
				for _, v := range versions {
					out[kind][t][l] = append(out[kind][t][l], f(v))
				}
			}
		}
	}
	return out
}
