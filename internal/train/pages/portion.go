package pages

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"github.com/tskgraph/tskgraph/page"
)

// portion is what one process has of a search: the trials of some folds, and some random samples.
type portion struct {
	s       Samples
	o       Options
	budgets []int
	folds   []Fold
	trials  []*trial     // [1+folds] of all rows, then of each fold's others
	samples []*resampled // [resamples]
}

func newPortion(s Samples, o Options) *portion {
	folds := s.folds(o.Seed)
	return &portion{s: s, o: o, budgets: budgets(o.Numbers), folds: folds, trials: make([]*trial, len(folds)+1),
		samples: make([]*resampled, resamples)}
}

// question asks for a part of a search. Those of the same place are answered by the same process, which keeps what they need.
type question struct {
	Ask ask
	K   int // place: of a trial, a sample or a page

	Factors    bool               `json:",omitempty"` // of a trial: whether tables may be factors
	Settings   []setting          `json:",omitempty"` // of a sample, all; of what is asked about ramps or a sample, one
	At         int                `json:",omitempty"` // place of the setting among those of the sample
	Conditions [][]page.Condition `json:",omitempty"` // of rules that are looked for
	Rule       []int              `json:",omitempty"` // [N] that decides each row
	Value      []float64          `json:",omitempty"` // [N] of the page
	Page       *page.Page         `json:",omitempty"` // that may have ramps

	done  func()         // is called after each kind of a trial, and after each answer to another question; nil: nobody
	step  int            // calls of done
	first func([]*draft) // Options.first of a trial
}

// ask is the kind of a question.
type ask int

const (
	askTrial  ask = iota // grow the drafts of a trial, and measure them
	askShare             // of the error of a trial's page that is left with ramps
	askSample            // grow the drafts of a sample
	askPlaces            // of rules in a sample
	askMoved             // by how much the page of a sample differs from values
	askRamps             // of a page
)

// answer is the answer to a question.
type answer struct {
	Errors grid[[]float64] `json:"-"`          // of a trial
	Cells  [2][]float64    `json:",omitempty"` // of a share, see rampErrors
	Places []places        `json:",omitempty"`
	Moved  float64         `json:",omitempty"`
	Page   *page.Page      `json:",omitempty"` // with ramps
	Share  float64         `json:",omitempty"` // of its error, see withRamps
}

// answer answers a question.
func (p *portion) answer(ctx context.Context, q question) (a answer, err error) {
	switch q.Ask {
	case askTrial:
		if p.trials[q.K], err = p.try(ctx, q); err == nil {
			a.Errors = p.trials[q.K].errors
		}
		return a, err
	case askShare:
		a.Cells, err = p.rampErrors(ctx, q.Settings[0], q.K)
	case askSample:
		r := newResampled(p.s, rand.New(rand.NewPCG(p.o.Seed, again+uint64(q.K))))
		p.samples[q.K], err = r, r.grow(ctx, p.o, q.Settings)
	case askPlaces:
		r := p.samples[q.K]
		a.Places = foundIn(q.Conditions, r.draft(q.At, q.Settings[0].rules), r.f.applied(p.s), q.Rule, p.s.Weight)
	case askMoved:
		a.Moved = p.samples[q.K].moved(q.At, q.Settings[0], p.s, q.Value)
	case askRamps:
		a.Page, a.Share, err = withRamps(ctx, p.s, q.Page, p.o)
	default:
		return a, fmt.Errorf("no question of a search is number %d", q.Ask)
	}
	q.call()
	return a, err
}

// call calls done, if somebody waits for it.
func (q question) call() {
	if q.done != nil {
		q.done()
	}
}

// try makes a trial.
func (p *portion) try(ctx context.Context, q question) (*trial, error) {
	o := p.o
	o.factors, o.first = q.Factors, q.first
	if q.K == 0 {
		return try(ctx, p.s, Samples{}, o, p.budgets, q.call)
	}
	fold := p.folds[q.K-1]
	return try(ctx, p.s.at(fold.Train), p.s.at(fold.Held), o, p.budgets, q.call)
}

// moved returns by how much the page of the sample, of a setting with this place, differs from values at all rows, in standard deviations
// of the target.
func (r *resampled) moved(at int, of setting, s Samples, value []float64) float64 {
	versions := r.draft(at, of.rules).solve().path([]int{math.MaxInt, of.budget})
	v := versions[1]
	if v == nil { // it cannot be as small
		v = versions[0]
	}
	_, _, sd := scaled(s.Y, s.Weight)
	return distance(v.said(s, r.mean, r.sd), value, s.Weight) / sd
}

// team is a search by this process, which has a portion of it, and its peers.
type team struct {
	*portion
	number int // of the search, by which peers know it
}

// newTeam begins a search.
func newTeam(s Samples, o Options) *team {
	return &team{newPortion(s, o), o.Peers.begin(s, o)}
}

// owner returns the number of the process that answers the questions of a place; this one is 0. It has one fold fewer than others, as it
// begins with all rows.
func (c *team) owner(k int) int {
	peers := c.o.Peers.count()
	if k == len(c.folds) {
		return peers
	}
	return k % (1 + peers)
}

// each asks n questions, which it shares out among this process and its peers.
func (c *team) each(ctx context.Context, n int, of func(k int) question) ([]answer, error) {
	questions, answers, failed := make([]question, n), make([]answer, n), make([]error, n)
	var own []int
	var others sync.WaitGroup
	for k := range n {
		questions[k] = of(k)
		q := &questions[k]
		peer := c.owner(q.K)
		if peer == 0 {
			own = append(own, k)
			continue
		}
		wait := c.o.Peers.send(peer-1, letter{Search: c.number, Question: q})
		others.Go(func() {
			answers[k], failed[k] = wait(ctx)
			for range q.step {
				q.call()
			}
		})
	}
	parallel.Each(len(own), func(i int) { answers[own[i]], failed[own[i]] = c.answer(ctx, questions[own[i]]) })
	others.Wait()
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	return answers, nil
}
