package ensemble_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	_ "github.com/tskgraph/tskgraph/data/table/csv" // the tests read tables of this format
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// drawn returns n samples of M features a, b, ..., each of which draw returns, and of a target.
func drawn(n, M int, seed [2]uint64, draw func(*rand.Rand) float64, target func(x []float64, rng *rand.Rand) float64) *data.Dataset {
	rng := rand.New(rand.NewPCG(seed[0], seed[1]))
	x, y, names := make([][]float64, n), make([]float64, n), make([]string, M)
	for m := range names {
		names[m] = string(rune('a' + m))
	}
	for i := range x {
		x[i] = make([]float64, M)
		for m := range x[i] {
			x[i][m] = draw(rng)
		}
		y[i] = target(x[i], rng)
	}
	return testenv.Must(data.New(names, "y", x, y))
}

// table returns n samples of y = sin(2a) + b c plus a little noise.
func table(n int) *data.Dataset { return wavy(n, 3, [2]uint64{1, 2}, 0.01) }

// wavy returns n standard normal samples of M features and sin(2a) + b c plus noise.
func wavy(n, M int, seed [2]uint64, noise float64) *data.Dataset {
	return drawn(n, M, seed, (*rand.Rand).NormFloat64, func(x []float64, rng *rand.Rand) float64 {
		return math.Sin(2*x[0]) + x[1]*x[2] + noise*rng.NormFloat64()
	})
}

// noise returns n samples of three features and an unrelated target, all standard normal.
func noise(n int) *data.Dataset {
	return drawn(n, 3, [2]uint64{12, 2}, (*rand.Rand).NormFloat64, func(_ []float64, rng *rand.Rand) float64 { return rng.NormFloat64() })
}

// wide returns n samples of M features, of which those from 2 on are sums of the first two and noise.
func wide(n, M int, noise float64) *data.Dataset {
	d := table(n)
	x, names := make([][]float64, n), make([]string, M)
	for i, row := range d.X {
		x[i] = make([]float64, M)
		for m := range x[i] {
			angle := float64(m)
			names[m] = fmt.Sprintf("x%d", m)
			x[i][m] = 10 + float64(m+1)*(math.Cos(angle)*row[0]+math.Sin(angle)*row[1]+noise*math.Sin(float64(i*(m+7))))
		}
	}
	return testenv.Must(data.New(names, "y", x, d.Y))
}

func friedman(split data.Split) *data.Parts {
	return testenv.Must(data.Source{Builtin: "friedman1", Split: split}.Load(context.Background()))
}

// realParts returns the parts of a random 70/30 split of a real data set.
func realParts(t testing.TB, file, target string, split data.Split) *data.Parts {
	t.Helper()
	split.Train = 0.7
	return testenv.Must(data.Source{Path: filepath.Join(testenv.Data(t), file+".csv"), Options: data.Options{Target: target},
		Split: split}.Load(context.Background()))
}

// upTo returns the numbers below n.
func upTo(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

func quick() recipe.Recipe {
	o := recipe.Paper()
	o.Model.Rules, o.Train.Iterations, o.Train.Batch = 4, 40, 16
	return o
}

// racing returns the robust preset, small, with a race that the second setting
// should win: the first one hardly trains.
func racing() recipe.Recipe {
	o := recipe.Robust()
	o.Model.Rules, o.Model.Init, o.Train.Batch = 6, "kmeans", 32 // after a tree, two iterations suffice
	o.Train.Race = []recipe.Setting{{"iterations": 2}, {"iterations": 400}, {"iterations": 500, "least_samples": 1000}}
	o.Train.RaceSplits = 2
	return o
}

// unraced returns the robust preset, small and without a race, for so many iterations.
func unraced(iterations int) recipe.Recipe {
	o := racing()
	o.Train.Race, o.Train.RaceSplits, o.Train.Iterations = nil, 0, iterations
	return o
}

// pruned returns a recipe with two rounds that remove rules.
func pruned() recipe.Recipe {
	o := quick()
	o.Model.Rules, o.Train.Iterations = 12, 97
	o.Prune = recipe.Prune{Rounds: 2, Gamma: 0.7, Theta: 0.4}
	return o
}

// anfis are options of ANFIS with gradient descent, and with least squares.
func anfis(consequents string, rules, iterations int) recipe.Recipe {
	o := recipe.Paper()
	o.Model.Init, o.Model.Consequents, o.Model.Rules, o.Train.Iterations = "genfis", consequents, rules, iterations
	o.Train.Optimizer, o.Train.Batch, o.Train.DropRule, o.Train.L2 = "anfis", 0, 1, 0
	return o
}

// worsening returns a recipe whose error rises from a tree with planes: the penalty of slopes shrinks them.
func worsening() recipe.Recipe {
	o := quick()
	o.Model.Init, o.Train.Iterations, o.Train.Batch, o.Train.Schedule, o.Train.L2 = recipe.Tree, 200, 0, "cosine", 1e5
	o.Train.Optimizer, o.Train.Solver = "adam", optim.Values{"learning_rate": 0.002}
	return o
}

// changed returns a recipe after a change.
func changed(o recipe.Recipe, change func(o *recipe.Recipe)) recipe.Recipe {
	change(&o)
	return o
}

// shape returns a registered shape.
func shape(name string) membership.Function { return testenv.Must(membership.Lookup(name)) }

// train trains by a recipe or a run; an error ends the test.
func train[R recipe.Recipe | ensemble.Run](t testing.TB, d, validation *data.Dataset, by R) *ensemble.Result {
	t.Helper()
	run, ok := any(by).(ensemble.Run)
	if !ok {
		run.Recipe = any(by).(recipe.Recipe)
	}
	r, err := run.Train(context.Background(), d, validation)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// fails trains by a recipe and returns the error.
func fails(d *data.Dataset, o recipe.Recipe) error {
	_, err := ensemble.Run{Recipe: o}.Train(context.Background(), d, nil)
	return err
}

// prune prunes a model by its own recipe after a change.
func prune(t testing.TB, m *model.Model, d *data.Dataset, iterations int, p recipe.Prune) *ensemble.Result {
	t.Helper()
	o := testenv.Must(recipe.Of(m))
	o.Train.Iterations, o.Prune = iterations, p
	return testenv.Must(ensemble.Run{Recipe: o}.Prune(context.Background(), m, d, nil))
}

// endsAt returns a context that ends with an iteration of a run, 0: before the first.
func endsAt(run *ensemble.Run, iteration int) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	if iteration == 0 {
		cancel()
	}
	run.OnIteration = func(m optim.Metrics) error {
		if m.Iteration == iteration {
			cancel()
		}
		return nil
	}
	return ctx
}

// encoded returns the file of a model.
func encoded(t testing.TB, m *model.Model) string {
	t.Helper()
	var b bytes.Buffer
	if err := m.Encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// saved returns the path of a model's file.
func saved(t testing.TB, m *model.Model) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), model.FileName)
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	return path
}

func rmse(t testing.TB, m *model.Model, d *data.Dataset) float64 {
	t.Helper()
	return testenv.Must(m.Evaluate(t.Context(), d)).RMSE
}

// near reports whether a number is another one up to a relative error.
func near(got, want, relative float64) bool { return math.Abs(got-want) <= relative*math.Abs(want) }

// TestUndividedRanks: levels have an order only once the training part is known.
func TestUndividedRanks(t *testing.T) {
	d := table(30)
	d.Schema.Columns[0].Encoding, d.Schema.Columns[0].Levels = data.Ranked, []string{"a", "b"}
	for i := range d.X {
		d.X[i][0] = float64(1 + i%2)
	}
	if err := fails(d, unraced(2)); !errors.As(err, new(*data.Error)) || !strings.Contains(err.Error(), "Dataset.Split") {
		t.Errorf("undivided: %v", err)
	}
	divided := testenv.Must(d.Split(data.Split{Train: 0.8}))
	if m := train(t, divided.Train, nil, unraced(2)).Model; m.Schema.Columns[0].Encoding != data.Ordinal {
		t.Errorf("divided: %+v", m.Schema.Columns[0])
	}
}
