package contract_test

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/loss"
)

// TestShapesWithLosses checks that training with every shape and loss is reproducible and
// that the loss on the training part falls.
func TestShapesWithLosses(t *testing.T) {
	testenv.SkipRace(t)
	all := shapes()
	for i, shape := range slices.Sorted(maps.Keys(all)) {
		for _, l := range testenv.Draw(loss.All(), 4, 2, i) {
			o := withLoss(quick(tskgraph.Robust()), l)
			o.Model.Membership, o.Model.Rules = all[shape], 4
			d := tableFor(l)
			first, _ := trainedFor(t, o, d, 1)
			last, file := trainedFor(t, o, d, 40)
			if _, again := trainedFor(t, o, d, 40); again != file {
				t.Errorf("%s, %s: the same training gives another model", shape, l.Name())
			}
			if !(last < first) {
				t.Errorf("%s, %s: the loss is %v after 40 updates, %v after one", shape, l.Name(), last, first)
			}
		}
	}
}

// withLoss returns a recipe with another loss.
func withLoss(o tskgraph.Recipe, l loss.Loss) tskgraph.Recipe {
	if o.Train.Loss = l.Name(); l.Name() == (loss.Squared{}).Name() {
		o.Train.Loss = recipe.MeanLoss
	}
	if q, ok := l.(loss.Quantile); ok {
		o.Train.Params = loss.Values{"quantiles": q.Levels}
	}
	return o
}

// TestConstantTargetOfEveryLoss checks that a constant target is predicted bit for bit with every loss, by rules that start from
// clusters, a grid and a tree; of classes, that the only one with samples is.
func TestConstantTargetOfEveryLoss(t *testing.T) {
	testenv.SkipRace(t)
	for _, l := range loss.All() {
		for _, init := range []string{"fcm", "grid", "tree"} {
			for _, value := range constantsFor(l) {
				d := tableFor(l)
				for n := range d.Y {
					d.Y[n], d.Weights = value, append(d.Weights, 1+math.Mod(float64(n), 3))
				}
				d.Schema.Weight = "w"
				o := withLoss(quick(tskgraph.Robust()), l)
				if o.Model.Init = init; init == "grid" {
					o.Model.Rules = 0
				}
				m, err := trained(o).Fit(d, 0)
				if err != nil {
					t.Errorf("%s, %s, target %v: %v", l.Name(), init, value, err)
					continue
				}
				if got := values(m, d.X); !slices.Equal(got, d.Y) {
					t.Errorf("%s, %s, target %v: predicted %v", l.Name(), init, value, got)
				}
			}
		}
	}
}

// constantsFor returns values of a target that a loss is defined for.
func constantsFor(l loss.Loss) []float64 {
	switch l.Link().Name() {
	case "logit", "softmax":
		return []float64{0, 1}
	case "log":
		return []float64{0.1, 3, 7e150}
	}
	return []float64{0, 0.1, -7e150}
}

// trainedFor trains on all samples and returns the mean loss on them and the model file.
func trainedFor(t *testing.T, o tskgraph.Recipe, d *data.Dataset, iterations int) (mean float64, text string) {
	t.Helper()
	o.Train.Iterations, o.Train.Batch = iterations, 0
	m := must(tskgraph.Train(t.Context(), d, nil, o)).Model
	sum, _, _ := m.RuleBase.Loss(must(m.Scale(d.X)), m.Targets(d), nil, nil, o.Train.LossFunction(len(d.Schema.Classes)))
	return sum / float64(d.Len()), file(m)
}

// tableFor returns samples with a target that a loss is defined for.
func tableFor(l loss.Loss) *data.Dataset {
	classes := map[string][]string{"logistic": {"no", "yes"}, "softmax": {"a", "b", "c"}}[l.Name()]
	d := made([]string{"a", "b"}, 60, func([]float64) float64 { return 0 })
	for i, x := range d.X {
		x[0], x[1] = math.Sin(float64(3*i)), math.Cos(float64(7*i))
		v := x[0] - x[1] + math.Sin(2*x[0])
		switch {
		case classes != nil:
			v = math.Min(math.Floor((v+3)/6*float64(len(classes))), float64(len(classes)-1))
		case l.Link().Name() == "log":
			v = math.Exp(v)
		}
		d.Y[i] = v
	}
	d.Schema.Classes = classes
	return d
}
