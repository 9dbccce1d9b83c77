package config

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// Margin and bounds are read in every form, and written so that they are read again.
func TestLimits(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		set     string
		margin  recipe.Margin
		bounds  *recipe.Bounds
		written string
	}{
		{"preset=paper", recipe.Unlimited, nil, "margin: none"},
		{"preset=robust", 0.05, nil, "margin: 0.05"},
		{"model.margin=0", 0, nil, "margin: 0\n"},
		{"model.margin=none", recipe.Unlimited, nil, "margin: none"},
		{"model.bounds=[0, .]", 0.05, &recipe.Bounds{0, inf}, "bounds: [0, ~]"},
		{"model.bounds=0,~", 0.05, &recipe.Bounds{0, inf}, "bounds: [0, ~]"},
		{"model.bounds=[0, .inf]", 0.05, &recipe.Bounds{0, inf}, "bounds: [0, ~]"},
		{"model.bounds=[null, 2.5]", 0.05, &recipe.Bounds{-inf, 2.5}, "bounds: [~, 2.5]"},
		{"model.bounds=[-.inf, 2.5]", 0.05, &recipe.Bounds{-inf, 2.5}, "bounds: [~, 2.5]"},
		{"model.bounds=[-1, 1]", 0.05, &recipe.Bounds{-1, 1}, "bounds: [-1, 1]"},
		{"model.bounds=[~, ~]", 0.05, nil, ""},
	} {
		got, err := load(t, "", nil, []string{c.set})
		if err != nil {
			t.Errorf("%s: %v", c.set, err)
			continue
		}
		again, err := load(t, string(got.YAML()), nil, nil)
		for _, c2 := range []*Config{got, again} {
			if m := c2.Recipe.Model; err != nil || m.Margin != c.margin || !reflect.DeepEqual(m.Bounds, c.bounds) ||
				!strings.Contains(string(c2.YAML()), c.written) {
				t.Errorf("%s: margin %v, bounds %v, %v in\n%s", c.set, m.Margin, m.Bounds, err, c2.YAML())
			}
		}
		if c.bounds == nil && strings.Contains(string(got.YAML()), "bounds") {
			t.Errorf("%s: bounds that are none are written", c.set)
		}
	}
	for set, want := range map[string]string{
		"model.bounds=[2, 1]":    "the first must be less",
		"model.bounds=[.inf, 1]": "want a number",
		"model.margin=.inf":      "want a number",
	} {
		if _, err := load(t, "", nil, []string{set}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", set, err, want)
		}
	}
}
