package ensemble_test

import (
	"context"
	"math"
	"reflect"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// A model keeps the limits of predictions, and its saved options restore them. In files, 0 means no margin, as in older
// ones.
func TestLimits(t *testing.T) {
	parts, err := data.Source{Builtin: "sinc"}.Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	inf := recipe.Unlimited
	for _, c := range []struct {
		margin recipe.Margin
		bounds *recipe.Bounds
		fact   string
	}{{inf, nil, "0"}, {0, nil, "range"}, {0.25, nil, "0.25"}, {inf, &recipe.Bounds{-0.1, math.Inf(1)}, "0"}} {
		o := recipe.Paper()
		o.Model.Rules, o.Train.Iterations, o.Model.Margin, o.Model.Bounds = 3, 2, c.margin, c.bounds
		r, err := runOf(o).Train(context.Background(), parts.Train, nil)
		if err != nil {
			t.Fatal(err)
		}
		again, err := recipe.Of(r.Model)
		if got := r.Model.Training.Options["model.margin"]; err != nil || got != c.fact || again.Model.Margin != c.margin ||
			!reflect.DeepEqual(again.Model.Bounds, c.bounds) {
			t.Errorf("margin %v, bounds %v: %s, %v, %v; %v", c.margin, c.bounds, got, again.Model.Margin, again.Model.Bounds, err)
		}
		low, high := r.Model.Target.Limits()
		target := r.Model.Target
		margin := float64(c.margin)
		want := [2]float64{target.Min - margin*(target.Max-target.Min), target.Max + margin*(target.Max-target.Min)}
		if c.bounds != nil {
			want = *c.bounds
		}
		if low != want[0] || high != want[1] {
			t.Errorf("margin %v, bounds %v: from %v to %v, want %v", c.margin, c.bounds, low, high, want)
		}
	}
	o := recipe.Paper()
	for _, bad := range []recipe.Bounds{{1, 1}, {2, 1}, {math.NaN(), 1}} {
		if o.Model.Bounds = &bad; o.Validate() == nil {
			t.Errorf("bounds %v are accepted", bad)
		}
	}
}
