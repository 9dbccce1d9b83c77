package contract_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// soaked is the number of models that a soak trains, and the interval of its measurements.
const soaked, every = 2000, 50

// BenchmarkSoak trains 2,000 models in one process, of every shape, engine, initialiser
// and recipe in turn; each predicts, is saved and loaded. It reports the resources of the
// process, the figures of docs/reliability.md, and fails if they grow.
//
//	go test -run '^$' -bench Soak -benchtime 1x ./internal/test/contract
func BenchmarkSoak(b *testing.B) {
	all := recipes()
	maps.Copy(all, crossed(b, 0.1))
	names := slices.Sorted(maps.Keys(all))
	life := lifeOf(soakTable())
	for b.Loop() {
		var held []holding
		for i := range soaked {
			name := names[i%len(names)]
			if err := life.Run(all[name]); err != nil {
				b.Fatalf("model %d, %s: %v", i+1, name, err)
			}
			if (i+1)%every == 0 {
				held = append(held, now())
			}
		}
		for q, name := range []string{"first", "second", "third", "last"} {
			b.Logf("%s quarter: %v", name, quarter(held, q))
		}
		second, last := quarter(held, 1), quarter(held, 3)
		b.ReportMetric(second.heap/1e6, "MB-second-quarter")
		b.ReportMetric(last.heap/1e6, "MB-last-quarter")
		b.ReportMetric(last.goroutines, "goroutines")
		b.ReportMetric(last.files, "files")
		if err := grown(second, last); err != nil {
			b.Error(err)
		}
	}
}

// soakTable returns a table of three features, which keep grids small.
func soakTable() *data.Dataset {
	part := must(data.Source{Builtin: "friedman1"}.Load(context.Background())).Train
	var x [][]float64
	for _, row := range part.X[:48] {
		x = append(x, row[:3])
	}
	return must(data.New([]string{"a", "b", "c"}, "y", x, part.Y[:48]))
}

// lifeOf is a check that trains a model, predicts, saves and loads it.
func lifeOf(d *data.Dataset) Check {
	return Check{holds: func(e Estimator) {
		m := must(e.Fit(d, 0))
		values(m, d.X)
		table := data.Input{Name: "t.csv", Reader: strings.NewReader("c,a,b\n1,2,3\n")}
		must(must(model.Decode(strings.NewReader(file(m)))).PredictTable(context.Background(), table, model.TableOptions{}, &bytes.Buffer{}))
	}}
}

// holding is the resources of a process.
type holding struct {
	heap       float64 // bytes in use, after garbage collection
	goroutines float64
	files      float64 // open; -1 if unknown
}

func (h holding) String() string {
	return fmt.Sprintf("heap %.3f MB, %.4g goroutines, %.4g open files", h.heap/1e6, h.goroutines, h.files)
}

// now returns the resources of this process.
func now() holding {
	runtime.GC()
	runtime.GC() // objects released by finalizers and pools in the first
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	h := holding{heap: float64(m.HeapAlloc), goroutines: float64(runtime.NumGoroutine()), files: -1}
	if open, err := os.ReadDir("/proc/self/fd"); err == nil {
		h.files = float64(len(open) - 1) // without the directory itself
	}
	return h
}

// quarter returns the mean over quarter q, from 0, of the measurements.
func quarter(held []holding, q int) holding {
	part := held[q*len(held)/4 : (q+1)*len(held)/4]
	var mean holding
	for _, h := range part {
		mean.heap += h.heap / float64(len(part))
		mean.goroutines += h.goroutines / float64(len(part))
		mean.files += h.files / float64(len(part))
	}
	return mean
}

// grown returns an error if a resource grew from the second quarter to the last: the heap
// by more than a hundred bytes per model, a hundredth of the smallest graph, goroutines or
// open files at all.
func grown(second, last holding) error {
	const leak = 100.0 // bytes per model
	switch {
	case last.heap-second.heap > leak*soaked/2:
		return fmt.Errorf("the heap grew from %.0f to %.0f bytes", second.heap, last.heap)
	case last.goroutines > second.goroutines:
		return fmt.Errorf("goroutines grew from %v to %v", second.goroutines, last.goroutines)
	case last.files > second.files:
		return fmt.Errorf("open files grew from %v to %v", second.files, last.files)
	}
	return nil
}

// TestSoakSeesLeaks checks that constant resources pass, and that a leak of two hundred
// bytes per model, of a goroutine per thousand models, or of a file does not.
func TestSoakSeesLeaks(t *testing.T) {
	run := func(bytes, goroutines, files float64) error {
		var held []holding
		for i := range soaked / every {
			models := float64((i + 1) * every)
			held = append(held, holding{5e6 + 300*float64(i%3) + bytes*models, 2 + float64(int(goroutines*models)), 7 + float64(int(files*models))})
		}
		return grown(quarter(held, 1), quarter(held, 3))
	}
	if err := run(0, 0, 0); err != nil {
		t.Errorf("a flat process: %v", err)
	}
	for name, err := range map[string]error{"heap": run(200, 0, 0), "goroutines": run(0, 1e-3, 0), "open files": run(0, 0, 1e-3)} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("a leak of %s: %v", name, err)
		}
	}
}

// trained returns the estimator that trains by a recipe.
func trained(o tskgraph.Recipe) Estimator {
	_, wide := o.Model.Membership.(membership.LogFunction)
	return Estimator{
		Wide:      wide && o.Model.Init != "grid" && o.Model.Consequents == "gradient",
		Untrained: untrained,
		Fit: func(d *data.Dataset, rules int) (Model, error) {
			o := o
			if rules > 0 {
				o.Model.Rules = rules
			}
			r, err := tskgraph.Train(context.Background(), d, nil, o)
			if r == nil {
				return nil, err
			}
			return r.Model, err
		},
	}
}

// untrained returns untrained and incomplete models.
func untrained() []Model {
	prep := model.Preprocessing{Features: []model.Feature{{Name: "a", SD: 1}}}
	return []Model{
		(*model.Model)(nil),
		&model.Model{},
		&model.Model{Preprocessing: prep},
		&model.Model{Preprocessing: prep, RuleBase: &rules.RuleBase{}},
		&model.Model{Preprocessing: prep, RuleBase: &rules.RuleBase{Shape: membership.Gaussian{}, Parameters: rules.NewParameters(2, 1, 4)}},
		&model.Model{Preprocessing: prep, Members: []*model.Model{nil, {}}},
	}
}

// continued returns an estimator that continues from a saved model of the same data.
func continued(t testing.TB, o tskgraph.Recipe) Estimator {
	first := o
	first.Model.Init = "auto"
	e := trained(o)
	path := filepath.Join(t.TempDir(), "model.json")
	e.Fit = func(d *data.Dataset, rules int) (Model, error) {
		m, err := trained(first).Fit(d, rules)
		if err == nil {
			err = m.(*model.Model).Save(path)
		}
		if err != nil {
			return nil, err
		}
		o := o
		o.Model.Init = path
		return trained(o).Fit(d, rules)
	}
	return e
}

// quick returns the recipe with a short training.
func quick(o tskgraph.Recipe) tskgraph.Recipe {
	o.Model.Rules, o.Train.Iterations, o.Train.Batch, o.Train.Race = 4, 20, 16, nil
	return o
}

// shapes returns the registered shapes and two formulas, with and without the logarithm.
func shapes() map[string]membership.Function {
	all := map[string]membership.Function{}
	for _, name := range membership.Names() {
		all[name] = must(membership.Lookup(name))
	}
	for name, logExpr := range map[string]string{"formula": "", "formula-log": "-log(1+((x-c)/s)^2)"} {
		all[name] = must(membership.Formula{
			Name: "mine", Expr: "1/(1+((x-c)/s)^2)", LogExpr: logExpr,
			Params: []membership.FormulaParam{{Name: "c", Init: "center"}, {Name: "s", Init: "spread"}},
		}.Shape())
	}
	return all
}

var initialisers = []string{"fcm", "kmeans", "one-feature", "grid", "genfis", recipe.Tree}

// crossed returns estimators of all shapes with all engines that support them and all
// initialisers, by the paper's preset at a learning rate, and of all shapes and engines by
// the robust preset.
func crossed(t testing.TB, rate float64) map[string]Estimator {
	all := map[string]Estimator{}
	for shape, f := range shapes() {
		for _, engine := range graph.Engines(f, inference.Product{}) {
			o := quick(tskgraph.Paper())
			o.Model.Membership, o.Model.Engine = f, engine
			o.Train.Solver = optim.Values{"learning_rate": rate, "final_lr": rate}
			for _, init := range initialisers {
				if init == recipe.Tree && !rules.CanBeFlat(f) {
					continue
				}
				o := o
				o.Model.Init = init
				if init == "grid" {
					o.Model.Rules = 0 // the initialiser determines the number
				}
				all[shape+"/"+engine+"/"+init] = trained(o)
			}
			all[shape+"/"+engine+"/saved"] = continued(t, o)
			o = quick(tskgraph.Robust())
			o.Model.Membership, o.Model.Engine = f, engine
			all[shape+"/"+engine+"/robust"] = trained(o)
		}
	}
	return all
}

// wide returns the estimators of the slow checks: every shape with every engine by one
// initialiser, and every initialiser with two shapes.
func wide(t testing.TB) map[string]Estimator {
	all := crossed(t, 0.01) // many features need a small rate
	maps.DeleteFunc(all, func(name string, _ Estimator) bool {
		return !strings.HasSuffix(name, "/kmeans") && !strings.HasPrefix(name, "gaussian/fused/") && !strings.HasPrefix(name, "dsigmoid/fused/")
	})
	return all
}

// recipes returns estimators with options other than shape, engine and initialiser.
func recipes() map[string]Estimator {
	all := map[string]Estimator{}
	for name, change := range map[string]func(o *tskgraph.Recipe){
		"race": func(o *tskgraph.Recipe) {
			o.Train.Race = []tskgraph.Setting{{"iterations": 10}, {"init": "one-feature", "iterations": 20}}
		},
		"committee":   func(o *tskgraph.Recipe) { o.Train.Members = 3 },
		"short rules": func(o *tskgraph.Recipe) { o.Model.Antecedents = 2 },
		"constants":   func(o *tskgraph.Recipe) { o.Model.Order = 0 },
		"components":  func(o *tskgraph.Recipe) { o.Model.PCA, o.Model.Transform = 2, "none" },
		"grid of components": func(o *tskgraph.Recipe) {
			o.Model.PCA, o.Model.Transform, o.Model.Init, o.Model.Rules = 2, "none", "grid", 0
		},
		"pruned": func(o *tskgraph.Recipe) {
			o.Train.Iterations, o.Prune = 100, recipe.Prune{Rounds: 2, Gamma: 0.9, Theta: 0.3}
		},
	} {
		o := quick(tskgraph.Robust())
		change(&o)
		all[name] = trained(o)
	}
	o := quick(tskgraph.Readable())
	o.Model.Round = 0 // decimal digits change with a scale that is a power of two
	all["readable"] = trained(o)
	o = o.WithoutPage()
	o.Model.Membership, o.Prune = membership.Sigmoid{}, recipe.Prune{Rounds: 1, Gamma: 0.9, Theta: 0.3}
	all["readable, soft tree, pruned"] = trained(o)
	for _, consequents := range []string{"gradient", "least-squares"} {
		o := quick(tskgraph.Paper())
		o.Model.Init, o.Model.Consequents, o.Train.Optimizer = "genfis", consequents, "anfis"
		o.Train.Batch, o.Train.L2, o.Train.DropRule = 0, 0, 1
		all["ANFIS "+consequents] = trained(o)
	}
	return all
}
