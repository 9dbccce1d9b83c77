package pages

import (
	"bytes"
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

// answerForm is the form of an answer in JSON. The sums of errors follow it, after a line feed, as the bits of their numbers,
// little-endian: in JSON they would take a twentieth of the time of a search.
type answerForm struct {
	answer
	At grid[int] // of each setting the number of its sums among those that follow; -1: it has none
}

// encode returns the text of an answer.
func (a answer) encode() ([]byte, error) {
	var all [][]float64
	form := answerForm{answer: a, At: mapped(a.Errors, func(cells []float64) int {
		switch n := len(all); {
		case cells == nil:
			return -1
		case n == 0 || &cells[0] != &all[n-1][0]: // paths have the same ones side by side
			all = append(all, cells)
		}
		return len(all) - 1
	})}
	text, err := json.Marshal(form)
	text = append(text, '\n')
	for _, cells := range all {
		for _, v := range cells {
			text = binary.LittleEndian.AppendUint64(text, math.Float64bits(v))
		}
	}
	return text, err
}

// decodeAnswer returns the answer of a text.
func decodeAnswer(text []byte) (answer, error) {
	text, bits, _ := bytes.Cut(text, []byte{'\n'})
	var form answerForm
	if err := json.Unmarshal(text, &form); err != nil {
		return answer{}, err
	}
	all := make([][]float64, len(bits)/(8*errorCells))
	for k := range all {
		all[k] = make([]float64, errorCells)
		for i := range all[k] {
			all[k][i] = math.Float64frombits(binary.LittleEndian.Uint64(bits[8*(k*errorCells+i):]))
		}
	}
	form.Errors = mapped(form.At, func(at int) []float64 {
		if at < 0 {
			return nil
		}
		return all[at]
	})
	return form.answer, nil
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
