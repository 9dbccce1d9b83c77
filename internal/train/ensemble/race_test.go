package ensemble

import (
	"math"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/data"
)

// fieldOf returns a race of n candidates, of which none can be told apart: candidate k errs
// k percent more than the first.
func fieldOf(n, splits, members int) *racer {
	r := &racer{splits: make([]data.Fold, splits)}
	for i := range r.splits {
		r.splits[i] = data.Fold{Train: make([]int, 8), Held: make([]int, 2)}
	}
	r.recipe.Train.Members = members
	for k := range n {
		c := &candidate{}
		c.Loss = 1 + float64(k)/100
		r.all = append(r.all, c)
	}
	r.left = slices.Clone(r.all)
	slices.Reverse(r.left) // keep sorts
	return r
}

// split scores the candidates left on one more split.
func (r *racer) split() {
	r.scored++
	for _, c := range r.left {
		c.losses = append(c.losses, []float64{0, c.Loss * 10})
	}
}

// TestRounds compares the number of candidates on each split with the rule: a third stay,
// at least three, and two from the fourth split on. The number of trainings never exceeds
// the one announced, and reaches it if nobody leaves earlier.
func TestRounds(t *testing.T) {
	for _, c := range []struct {
		n, splits, members int
		want               []int
	}{
		{14, 5, 1, []int{14, 5, 3, 2, 2}},
		{40, 4, 1, []int{40, 14, 5, 2}},
		{4, 4, 1, []int{4, 3, 3, 2}},
		{2, 3, 1, []int{2, 2, 2}},
		{14, 4, 6, []int{14, 6, 6, 6}},
		{5, 2, 9, []int{5, 5}},
		{14, 1, 1, []int{14}},
	} {
		r := fieldOf(c.n, c.splits, c.members)
		all, trained := r.ahead(c.splits), 0
		var got []int
		for i := range c.splits {
			got, trained = append(got, len(r.left)), trained+len(r.left)
			r.split()
			r.keep()
			if ahead := r.ahead(c.splits - i - 1); trained+ahead != all {
				t.Errorf("%v: %d trainings after %d splits and %d to come, want %d in all", c, trained, i+1, ahead, all)
			}
			if r.left[0] != r.all[0] {
				t.Errorf("%v: the best one has left after %d splits", c, i+1)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %d candidates by split", c, got)
		}
	}
}

// TestSkippedSplit: all candidates stay until a split could be trained on, with fewer
// trainings in all.
func TestSkippedSplit(t *testing.T) {
	r := fieldOf(9, 3, 1)
	all := r.ahead(3)
	r.keep()
	if len(r.left) != 9 || all != 9+3+3 || r.ahead(2) != 9+3 {
		t.Errorf("%d left, %d trainings to come of %d", len(r.left), r.ahead(2), all)
	}
}

// TestProgress: what is reported rises to the number of all trainings.
func TestProgress(t *testing.T) {
	var reported []int
	p := newProgress(func(done, all int) {
		if all != 5 {
			t.Errorf("%d in all", all)
		}
		reported = append(reported, done)
	}, 5)
	p.add()
	p.reach(1)
	p.add()
	p.reach(4)
	p.add()
	if want := []int{0, 1, 2, 4, 5}; !slices.Equal(reported, want) {
		t.Errorf("reported %v, want %v", reported, want)
	}
	newProgress(nil, math.MaxInt).add()
}
