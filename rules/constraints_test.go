package rules

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
)

func TestKeepNames(t *testing.T) {
	all := []Keep{0, KeepIf, KeepThen, KeepAll}
	text, err := json.Marshal(all)
	if err != nil || string(text) != `["","if","then","all"]` {
		t.Errorf("%s, %v", text, err)
	}
	var got []Keep
	if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, all) {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"If", "both", "none"} {
		testenv.FailsWith(t, testenv.Err(ParseKeep(bad)), "", "%q is accepted", bad)
	}
	if text, err := json.Marshal([]Keep{4}); err == nil {
		t.Errorf("4 is written as %s", text)
	}
}

// TestKept: a kept IF part marks the copies of its functions in other rules, a kept THEN part
// its own curves or the curves of all rules.
func TestKept(t *testing.T) {
	rb := four()
	if Kept(rb) != nil {
		t.Error("marks without Keep")
	}
	rb.Tie = [][]int{{0, 0}, {0, 1}, {1, 2}, {2, 3}}
	for j := range rb.Antecedents {
		rb.Antecedents[j][1][0] = rb.Antecedents[j][0][0]
	}
	rb.Keep = []Keep{KeepIf, 0, KeepThen, 0}
	AddCurves(rb, [][]float64{{-1, 0, 1}, nil}, true)
	marks := Kept(rb)
	for j := range rb.Antecedents {
		testenv.Equal(t, marks.Antecedents[j], [][]float64{{1, 1}, {1, 0}, {0, 0}, {0, 0}}, "antecedents")
	}
	if want := [][]float64{{0, 0, 0}, {0, 0, 0}, {1, 1, 1}, {0, 0, 0}}; !reflect.DeepEqual(marks.Consequents, want) ||
		!reflect.DeepEqual(marks.Curves, want) {
		t.Errorf("consequents %v, curves %v, want %v", marks.Consequents, marks.Curves, want)
	}
	if !marks.KeepsFunction(1, 0) || marks.KeepsFunction(1, 1) || (*Parameters)(nil).KeepsFunction(0, 0) {
		t.Error("wrong functions are kept")
	}
	rb.Knots, rb.Curves = nil, nil
	AddCurves(rb, [][]float64{{-1, 0, 1}, nil}, false)
	testenv.Equal(t, Kept(rb).Curves, [][]float64{{1, 1, 1}}, "shared curves")
	rb.Keep[2] = 0
	testenv.Equal(t, Kept(rb).Curves, [][]float64{{0, 0, 0}}, "shared curves without a kept THEN part")
}

// TestKeepBelowFloor: a kept spread below the floor is valid and not projected, one that is
// no spread at all is not valid.
func TestKeepBelowFloor(t *testing.T) {
	rb := two()
	rb.Antecedents[1][0][0] = 0.01
	if rb.Validate() == nil {
		t.Error("a spread below the floor is valid")
	}
	rb.Keep = []Keep{KeepIf, KeepThen}
	rb.Antecedents[1][1][0] = 0.05
	rb.Project()
	if a, b := rb.Antecedents[1][0][0], rb.Antecedents[1][1][0]; a != 0.01 || b != rb.SpreadFloor {
		t.Errorf("spreads %v and %v", a, b)
	}
	testenv.OK(t, rb.Validate())
	rb.Antecedents[1][0][0] = -1
	testenv.FailsWith(t, rb.Validate(), "sigma[r=0,m=0] = -1")
	for want, keep := range map[string][]Keep{"keep: 1 sets": {0}, "keep[r=1] = 4": {0, 4}, "keep[r=0] = -1": {-1, 0}} {
		rb := two()
		rb.Keep = keep
		testenv.FailsWith(t, rb.Validate(), want)
	}
}

// four returns four rules over two features, of which the first two are equal and the last is
// far from all samples.
func four() *RuleBase {
	rb := &RuleBase{Shape: membership.Gaussian{}, Parameters: NewParameters(2, 4, 2), SpreadFloor: 0.1}
	for r, center := range []float64{0, 0, 1, 50} {
		for m := range 2 {
			rb.Antecedents[0][r][m], rb.Antecedents[1][r][m] = center, 1
		}
		rb.Consequents[r] = []float64{float64(r), 0.5, -float64(r)}
	}
	return rb
}

// TestKeepInPruning: what would be removed or merged is not if any part of it is kept, and
// Keep follows its rules.
func TestKeepInPruning(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var x [][]float64
	var y []float64
	for range 50 {
		x, y = append(x, []float64{rng.NormFloat64(), rng.NormFloat64()}), append(y, rng.NormFloat64())
	}
	prune := func(keep ...Keep) (*RuleBase, Pruning) {
		rb := four()
		rb.Keep = keep
		return must2(Prune(context.Background(), rb, x, nil, 0.5, 0.9))
	}
	if got, account := prune(); got.Rules() != 2 || len(account.Removed) != 1 || len(account.Merged) != 1 {
		t.Fatalf("%+v: want one removed, one merged", account)
	}
	got, account := prune(KeepIf, 0, 0, KeepThen)
	if got.Rules() != 4 || len(account.Decisions()) != 0 {
		t.Errorf("kept rules: %+v", account)
	}
	got, _ = prune(0, 0, KeepAll, KeepIf)
	if got.Rules() != 3 || !reflect.DeepEqual(got.Keep, []Keep{0, KeepAll, KeepIf}) || got.Consequents[2][0] != 3 {
		t.Errorf("keep %v of %d rules", got.Keep, got.Rules())
	}
	rb := four()
	rb.Keep = []Keep{KeepAll, KeepAll, 0, KeepIf}
	one, account := must2(PruneOne(context.Background(), rb, x, y, nil, loss.Squared{}))
	if account.After != 3 || account.Removed[0].Rule != 3 || !reflect.DeepEqual(one.Keep, []Keep{KeepAll, KeepAll, KeepIf}) {
		t.Errorf("%+v, keep %v", account, one.Keep)
	}
	if _, account := must2(PruneOne(context.Background(), one, x, y, nil, loss.Squared{})); account.After != account.Before {
		t.Errorf("of kept rules: %+v", account)
	}
	if got := testenv.Must(WithoutIdle(context.Background(), rb, x)); got.Rules() != 4 {
		t.Errorf("%d rules, want the kept ones and one that is busy", got.Rules())
	}
	rb.Keep = []Keep{KeepAll, KeepAll, KeepAll, 0}
	if got := testenv.Must(WithoutIdle(context.Background(), rb, x)); got.Rules() != 3 {
		t.Errorf("%d rules, want 3 without the idle one", got.Rules())
	}
}

// TestKeepInShorten: kept conditions count, but stay.
func TestKeepInShorten(t *testing.T) {
	rb := four()
	x := [][]float64{{0, 1}, {1, -1}, {0.5, 0}}
	rb.Keep = []Keep{KeepIf, KeepIf, 0, 0}
	for mean, want := range map[float64]int{2: 0, 1.5: 2, 1: 4, 0.5: 4} {
		places, err := Shorten(context.Background(), rb, x, nil, mean, nil)
		if err != nil || len(places) != want {
			t.Errorf("mean %v: %v, %v; want %d places", mean, places, err, want)
		}
		for _, p := range places {
			if p.Rule < 2 {
				t.Errorf("%v is of a kept rule", p)
			}
		}
	}
}
