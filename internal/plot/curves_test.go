package plot_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/plot"
)

// TestCurves: a panel for each feature with a curve; those of each rule, and their mean.
func TestCurves(t *testing.T) {
	d := read(t)
	for curves, want := range map[string]string{"shared": "with the mean slope of the rules", "own": "each rule"} {
		m := train(t, d, func(o *tskgraph.Recipe) { o.Model.Curves = curves }).Model
		got := texts(t)(plot.Curves(m, d, nil))
		wantTexts(t, got, "a [m/s]", "b", "y [<kg>]", want)
		if strings.Contains(strings.Join(got, " "), "kind") {
			t.Errorf("a column of categories has a panel: %s", got)
		}
		if got := strings.Join(texts(t)(plot.Curves(m, d, []string{"b"})), " "); strings.Contains(got, "m/s") {
			t.Errorf("other features are drawn, too: %s", got)
		}
		refused(t, "a feature without a curve", `no curve of "kind"`)(plot.Curves(m, d, []string{"kind"}))
		var unknown *plot.FeatureError
		if _, err := plot.Curves(m, d, []string{"kin"}); !errors.As(err, &unknown) || unknown.Closest != "kind" {
			t.Errorf("an unknown feature: %v", err)
		}
	}
}

// TestCurvesOfComponents: principal components replace the features.
func TestCurvesOfComponents(t *testing.T) {
	d := read(t)
	m := train(t, d, func(o *tskgraph.Recipe) { o.Model.PCA, o.Model.Curves = 2, "shared" }).Model
	draws(t, "pc1", "pc2")(plot.Curves(m, d, nil))
}

// TestCurvesOfZero: curves that are zero everywhere have a figure.
func TestCurvesOfZero(t *testing.T) {
	d := read(t)
	m := train(t, d, func(o *tskgraph.Recipe) { o.Model.Curves = "shared" }).Model
	clear(m.RuleBase.Curves[0])
	for _, w := range m.RuleBase.Consequents {
		clear(w)
	}
	draws(t, "a [m/s]", "b")(plot.Curves(m, d, nil))
}

func TestNoCurves(t *testing.T) {
	d := read(t)
	for members, want := range map[int]string{1: "the rules have no curves", 2: "a committee has no curves"} {
		m := train(t, d, func(o *tskgraph.Recipe) { o.Train.Members = members }).Model
		refused(t, "%d members", want)(plot.Curves(m, d, nil))
	}
}
