package ensemble

import (
	"cmp"
	"sync"

	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/recipe"
)

// Leader is the best setting of a race so far, by the limit of fidelity and the loss, among those
// that have finished the latest split. Its model was trained on the training samples of that split.
type Leader struct {
	Setting  recipe.Setting
	Number   int // from 1, in the order of the recipe
	Settings int // in the race
	Metric   string
	Loss     float64 // figure of the criterion over the held-out parts so far
	Fidelity float64
	Model    *model.Model
}

// leaders finds the leader of each split and reports it.
type leaders struct {
	report   func(Leader) // nil: nobody
	fidelity float64      // the limit; 0: none
	settings int

	mu    sync.Mutex
	split int
	best  *candidate // nil: none of the split yet
}

// add reports a candidate that finished split i if it leads.
func (l *leaders) add(c *candidate, i int, m *model.Model) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.best != nil && l.split == i && cmp.Or(cmp.Compare(c.beyond(l.fidelity), l.best.beyond(l.fidelity)), cmp.Compare(c.Loss, l.best.Loss)) >= 0 {
		return
	}
	l.best, l.split = c, i
	if l.report != nil && m != nil {
		l.report(Leader{c.Setting, c.number + 1, l.settings, c.Metric, c.Loss, c.Fidelity, m})
	}
}
