package pages

import (
	"sync"

	"github.com/tskgraph/tskgraph/page"
)

// Options are the limits of a page.
type Options struct {
	Numbers    int     // page.Numbers at most
	Rules      int     // at most
	Conditions int     // of a rule at most, on different columns
	Terms      int     // of a rule at most
	Low, High  float64 // limits of the value; infinite: the range of Y, extended by a twentieth on either side, but not below zero if Y is not
	Seed       uint64  // of the folds of cross-validation

	// What follows does not affect the page. Calls do not overlap. Nil: nobody.
	OnStep func(stage string, done, total int) `json:"-"` // one of the Stage constants
	OnPage func(*page.Page)                    `json:"-"` // the best page so far, provisional
	Peers  *Peers                              `json:"-"` // that make parts of the search; nil: none

	factors bool           // whether tables may be factors: neither Y nor Low is below zero, and the error is the squared one
	steps   bool           // whether no border may be a ramp, and no table a factor
	means   []float64      // [N] target whose means splits separate; nil: none
	first   func([]*draft) // receives the drafts without tables; nil: nobody
}

// The stages of a search, which may come several times: a loss is searched by two problems, and some recipes need several pages.
const (
	StageSearch  = "pages"   // kinds of pages of all rows, and of those that train in each fold of cross-validation
	StageSamples = "samples" // in which pages are searched again
	StageRamps   = "ramps"   // pages on which ramps are tried, and the choice
)

// counter begins a stage, and returns what to call when one of its parts is done.
func (o Options) counter(stage string, total int) (done func()) {
	if o.OnStep == nil {
		return func() {}
	}
	var mu sync.Mutex
	n := 0
	o.OnStep(stage, n, total)
	return func() {
		mu.Lock()
		defer mu.Unlock()
		n++
		o.OnStep(stage, n, total)
	}
}

// provisional reports the page of a version, if there is one, and if somebody receives it.
func (o Options) provisional(s Samples, v *version) {
	if o.OnPage != nil && v != nil {
		_, mean, sd := scaled(s.Y, s.Weight)
		o.OnPage(v.print(s, mean, sd, o))
	}
}

// has reports whether pages of a kind are searched.
func (o Options) has(k kind) bool {
	return (k != factors || o.factors) && (k != separate || o.Rules >= 2)
}

// kinds counts the kinds of pages that are searched.
func (o Options) kinds() (n int) {
	for k := range kinds {
		if o.has(k) {
			n++
		}
	}
	return n
}
