package model

import (
	"math"

	"github.com/tskgraph/tskgraph/rules"
)

// Scorer predicts samples call after call, with the bits of [Model.Predict] and [Model.Decides], but checks the model once and keeps its
// memory. Several goroutines may use it. The model must not change.
type Scorer struct {
	m       *Model
	lent    predictors
	typical []float64 // see Typical; nil where the model replaces missing values itself
}

// NewScorer returns a scorer of a model. A model that cannot predict is an error, see [Model.Validate].
func NewScorer(m *Model) (*Scorer, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	s := &Scorer{m: m, lent: predictors{m: m, n: blockRows}}
	if !m.ImputeMeans {
		s.typical = Typical(m.Preprocessing)
	}
	return s, nil
}

// Score predicts samples x [N][M] that were read leniently, see [data.ReaderOptions], on the calling goroutine. It replaces missing values
// in x as [Preprocessing.Fill] does, and multiplies rates by exposures [N], if there are any. decides [1 or C][N] are the rules that
// decide; nil for a committee.
func (s *Scorer) Score(x [][]float64, exposures []float64) (p Predictions, decides [][]int, err error) {
	if s.typical != nil {
		for _, row := range x {
			for m, v := range row {
				if math.IsNaN(v) && m < len(s.typical) {
					row[m] = s.typical[m]
				}
			}
		}
	}
	one, err := s.lent.get()
	if err != nil {
		return p, nil, err
	}
	defer s.lent.idle.Put(one)
	if !s.m.Committee() {
		if one.decides == nil {
			one.decides = newDecider(s.m)
		}
		one.decides.all = make([][]int, len(one.decides.all)) // the caller keeps them
	}
	if p, err = s.lent.by(one, x, nil, 0); err != nil {
		return p, nil, err
	}
	p.expose(exposures)
	if one.decides != nil {
		decides = one.decides.all
	}
	return p, decides, nil
}

// decider finds the rules that decide.
type decider struct {
	rules  int
	pages  [][]int   // see Model.PageRule
	levels []float64 // of the rules, or of those of a page
	which  []int
	all    [][]int // see Model.Decides
}

func newDecider(m *Model) *decider {
	d := &decider{rules: m.RuleBase.Rules(), pages: m.PageRule()}
	most := d.rules
	for _, pg := range m.Pages {
		most = max(most, len(pg.Rules))
	}
	d.levels, d.all = make([]float64, most), make([][]int, max(1, len(d.pages)))
	return d
}

// add adds the rules that decide for the first n samples of an evaluator.
func (d *decider) add(e *rules.Evaluator, n int) {
	for i := range n {
		for c := range d.all {
			clear(d.levels)
			for r := range d.rules {
				of := r
				if d.pages != nil {
					of = d.pages[c][r] - 1
				}
				d.levels[of] += e.Level(r)[i]
			}
			first := -1
			if d.which = rules.Strongest(d.levels, d.which[:0]); len(d.which) > 0 {
				first = d.which[0]
			}
			d.all[c] = append(d.all[c], first)
		}
	}
}
