package ensemble_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/fit"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// resumable are trainings of every kind that a checkpoint has to hold.
func resumable(t *testing.T) map[string]recipe.Recipe {
	all := map[string]recipe.Recipe{}
	add := func(name string, base recipe.Recipe, change func(o *recipe.Recipe)) {
		change(&base)
		all[name] = base
	}
	small := quick()
	small.Train.Iterations = 25
	for _, solver := range optim.Solvers() {
		add("optimizer "+solver, small, func(o *recipe.Recipe) {
			o.Train.Optimizer = solver
			if solver == "anfis" {
				o.Train.Batch, o.Train.DropRule, o.Train.L2 = 0, 1, 0
			}
			if solver == "sgd" {
				o.Train.Solver.Set("learning_rate", 1e-3)
			}
		})
	}
	for _, engine := range []string{"autodiff", "fused"} {
		for _, shape := range []string{"gaussian", "trapezoid", "gbell"} {
			add(engine+" "+shape, small, func(o *recipe.Recipe) {
				o.Model.Engine, o.Model.Membership = engine, shapeNamed(t, shape)
			})
		}
	}
	add("best iteration", worsening(), func(*recipe.Recipe) {})
	add("tree", small, func(o *recipe.Recipe) {
		o.Model.Init, o.Model.Rules, o.Model.Membership, o.Train.LogSpreads = recipe.Tree, 6, shapeNamed(t, "sigmoid"), true
		o.Prune = recipe.Prune{Rounds: 1, Gamma: 0.9, Theta: 0.3}
	})
	robust := racing()
	robust.Train.Race, robust.Train.RaceSplits = nil, 0
	robust.Train.Iterations = 25
	add("pruned", small, func(o *recipe.Recipe) {
		o.Model.Rules, o.Prune.Rounds, o.Train.Iterations, o.Prune.Gamma, o.Prune.Theta = 8, 2, 40, 0.9, 0.3
	})
	add("robust", robust, func(*recipe.Recipe) {})
	add("short rules", robust, func(o *recipe.Recipe) { o.Model.Antecedents = 1 })
	add("short rules, pruned", robust, func(o *recipe.Recipe) {
		o.Model.Antecedents, o.Model.Rules, o.Prune.Rounds, o.Prune.Gamma = 2, 8, 2, 0.9
	})
	add("sparse rules", robust, func(o *recipe.Recipe) { o.Model.Terms = 1.5 })
	add("short and sparse rules, pruned", robust, func(o *recipe.Recipe) {
		o.Model.Antecedents, o.Model.Terms, o.Model.Rules, o.Prune.Rounds, o.Prune.Gamma = 2, 1, 8, 2, 0.9
	})
	add("rounded", robust, func(o *recipe.Recipe) { o.Model.Round, o.Prune.Rounds = 2, 1 })
	add("constant consequents", robust, func(o *recipe.Recipe) { o.Model.Order = 0 })
	add("race", robust, func(o *recipe.Recipe) {
		o.Train.Race = []recipe.Setting{{"iterations": 2}, {"iterations": 20}, {"iterations": 30, "antecedents": 2}, {"learning_rate": 1e300}}
		o.Train.RaceSplits = 2
	})
	readable := recipe.Readable()
	readable.Model.Rules, readable.Train.RaceSplits, readable.Train.Iterations = 4, 2, 20
	add("readable", readable, func(o *recipe.Recipe) { o.Train.Race, o.Model.Round = shorter(o.Train.Race, 20), 3 })
	add("readable committee, pruned", readable, func(o *recipe.Recipe) {
		o.Train.Race, o.Train.Members, o.Prune = shorter(o.Train.Race, 15), 3, recipe.Prune{Rounds: 1, Gamma: 0.9, Theta: 0.3}
	})
	for _, kind := range []string{recipe.SharedCurves, recipe.OwnCurves} {
		add(kind+" curves, pruned", robust, func(o *recipe.Recipe) {
			o.Model.Curves, o.Model.Knots, o.Model.Rules, o.Prune = kind, 5, 6, recipe.Prune{Rounds: 1, Gamma: 0.9, Theta: 0.3}
		})
	}
	add("committee", small, func(o *recipe.Recipe) { o.Train.Members = 3 })
	add("race, committee, pruned", robust, func(o *recipe.Recipe) {
		o.Train.Race, o.Train.RaceSplits = []recipe.Setting{{"iterations": 2}, {"iterations": 30}}, 1
		o.Train.Members, o.Prune.Rounds, o.Model.Rules = 3, 1, 8
	})
	add("grid", small, func(o *recipe.Recipe) { o.Model.Init, o.Model.Rules, o.Model.PCA = "grid", 0, 2 })
	for _, consequents := range []string{"gradient", "least-squares"} {
		add("anfis "+consequents, anfis(consequents), func(o *recipe.Recipe) { o.Model.Rules, o.Train.Iterations = 4, 15 })
	}
	add("least squares of short rules, logarithms", anfis("least-squares"), func(o *recipe.Recipe) {
		o.Model.Init, o.Model.Rules, o.Train.Iterations, o.Model.Antecedents, o.Train.LogSpreads = "fcm", 30, 15, 1, true
	})
	saved := filepath.Join(t.TempDir(), "model.json")
	if err := train(t, table(t, 120), nil, small).Model.Save(saved); err != nil {
		t.Fatal(err)
	}
	add("saved model", small, func(o *recipe.Recipe) { o.Model.Init, o.Model.Rules = saved, 0 })
	kept := train(t, table(t, 120), nil, small).Model
	kept.RuleBase.Keep = []rules.Keep{rules.KeepThen, 0, rules.KeepIf, 0}
	keeps := filepath.Join(t.TempDir(), "model.json")
	if err := kept.Save(keeps); err != nil {
		t.Fatal(err)
	}
	add("kept rules, pruned", small, func(o *recipe.Recipe) {
		o.Model.Init, o.Model.Rules, o.Train.LogSpreads, o.Prune = keeps, 0, true, recipe.Prune{Rounds: 2, Gamma: 1.5, Theta: 0.3}
	})
	add("signs, pruned", robust, func(o *recipe.Recipe) {
		o.Model.Signs, o.Model.Rules, o.Prune = risingFalling, 8, recipe.Prune{Rounds: 1, Gamma: 0.9, Theta: 0.3}
	})
	return all
}

// shorter returns the settings of a race with other numbers of iterations.
func shorter(race []recipe.Setting, iterations int) (short []recipe.Setting) {
	for _, s := range race {
		s = maps.Clone(s)
		s["iterations"] = iterations
		short = append(short, s)
	}
	return short
}

// account holds the reported metrics and the result of a training as bytes. The members of a
// committee report in any order, so metrics are kept by member.
type account struct {
	mu      sync.Mutex
	metrics map[int][]string // by member
	result  string
}

func (a *account) follow(run *ensemble.Run) {
	a.metrics = map[int][]string{}
	run.OnIteration = func(m optim.Metrics) error {
		line, err := json.Marshal(m)
		a.mu.Lock()
		defer a.mu.Unlock()
		a.metrics[m.Member] = append(a.metrics[m.Member], string(line))
		return err
	}
}

func (a *account) end(t *testing.T, r *ensemble.Result) {
	t.Helper()
	models := []*model.Model{r.Model}
	for _, m := range r.Members {
		models = append(models, m.Model)
	}
	var b strings.Builder
	for _, m := range models {
		if err := m.Encode(&b); err != nil {
			t.Fatal(err)
		}
	}
	for _, one := range append([]*fit.Result{&r.Result}, r.Members...) {
		rest := must(json.Marshal([]any{one.Start, one.StartNotes, one.Idle, one.Training, r.Race, one.Prune, one.OddGrades, one.Fallbacks}))
		fmt.Fprintf(&b, "%s\n", rest)
	}
	a.result = b.String()
}

// cut drops the metrics beyond a checkpoint.
func (a *account) cut(t *testing.T, c *checkpoint.Checkpoint, members int) map[int][]string {
	t.Helper()
	kept := map[int][]string{}
	for k, made := range c.Iterations() {
		if members > 1 {
			k++
		}
		if made > len(a.metrics[k]) {
			t.Fatalf("the checkpoint has %d iterations of member %d, of %d", made, k, len(a.metrics[k]))
		}
		kept[k] = slices.Clone(a.metrics[k][:made])
	}
	return kept
}

// encodedCheckpoint returns what Encode writes.
func encodedCheckpoint(t *testing.T, c *checkpoint.Checkpoint) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := c.Encode(&b); err != nil {
		t.Error(err) // not Fatal: it is called by goroutines of the training
	}
	return b.Bytes()
}

func decodedCheckpoint(t *testing.T, file []byte) *checkpoint.Checkpoint {
	t.Helper()
	c := must(checkpoint.Decode(bytes.NewReader(file)))
	return c
}

// TestResume: any kind of training resumes from its checkpoints, read from their files, and
// ends with the same model, metrics and result, to the bit, as without interruption.
func TestResume(t *testing.T) {
	d, v := table(t, 120), table(t, 150).Subset([]int{120, 125, 130, 135, 140, 141, 142, 143, 144, 145})
	resumed := 0
	for name, o := range resumable(t) {
		if testenv.Race && o.Train.Members < 2 && len(o.Train.Race) == 0 {
			continue // one training after the other
		}
		for _, validation := range []*data.Dataset{nil, v} {
			t.Run(fmt.Sprintf("%s/validation=%t", name, validation != nil), func(t *testing.T) {
				o, run := o, ensemble.Run{}
				if validation != nil {
					o.Train.Patience, o.Train.ValidateEvery = 15, 2
				} else if o.Train.Members == 1 {
					run.Watch = []fit.Watched{{Name: "v", Data: v}}
				}
				resumed += resumes(t, d, validation, with(run, o), testenv.Cases(2, 12))
			})
		}
	}
	t.Logf("%d resumed trainings ended with the same bits", resumed)
}

// resumes checks that a training resumes from about so many of its checkpoints with the same bits, and returns their number.
func resumes(t *testing.T, d, validation *data.Dataset, run ensemble.Run, from int) (resumed int) {
	t.Helper()
	run.CheckpointEvery = 1 // nanosecond: as often as possible
	var whole account
	whole.follow(&run)
	r := train(t, d, validation, run) // without checkpoints
	whole.end(t, r)
	var files [][]byte
	run.OnCheckpoint = func(c *checkpoint.Checkpoint) { files = append(files, encodedCheckpoint(t, c)) }
	var watched account
	watched.follow(&run)
	watched.end(t, train(t, d, validation, run))
	if watched.result != whole.result {
		t.Fatal("checkpoints change the result")
	}
	if len(files) < r.Training.Iterations {
		t.Fatalf("only %d checkpoints", len(files))
	}
	run.OnCheckpoint = nil
	step := max(1, len(files)/from)
	for i := len(files) - 1; i >= 0; i -= step {
		c := decodedCheckpoint(t, files[i])
		again := account{}
		again.follow(&run)
		again.metrics = watched.cut(t, c, run.Recipe.Train.Members)
		run.Resume = c
		again.end(t, train(t, d, validation, run))
		if again.result != whole.result {
			t.Fatalf("from checkpoint %d of %d: %s\nwant %s", i+1, len(files), again.result, whole.result)
		}
		for k, lines := range whole.metrics {
			if !slices.Equal(again.metrics[k], lines) {
				t.Fatalf("from checkpoint %d of %d, member %d: metrics differ", i+1, len(files), k)
			}
		}
		resumed++
	}
	return resumed
}

// TestResumeAfterInterrupt: the last checkpoint of a training that ctx ended holds its last
// state at any time, even before the first iteration.
func TestResumeAfterInterrupt(t *testing.T) {
	testenv.SkipRace(t)
	d := table(t, 120)
	for name, o := range resumable(t) {
		if o.Train.Members > 1 || len(o.Train.Race) > 0 {
			continue // several trainings run at once
		}
		want := encoded(t, train(t, d, nil, o).Model)
		for _, at := range []int{0, 1, 9} {
			ctx, cancel := context.WithCancel(context.Background())
			if at == 0 {
				cancel()
			}
			var run ensemble.Run
			run.CheckpointEvery = time.Hour
			run.OnIteration = func(m optim.Metrics) error {
				if m.Iteration == at {
					cancel()
				}
				return nil
			}
			var last *checkpoint.Checkpoint
			run.OnCheckpoint = func(c *checkpoint.Checkpoint) { last = c }
			if _, err := with(run, o).Train(ctx, d, nil); !errors.Is(err, context.Canceled) {
				t.Fatalf("%s: %v", name, err)
			}
			if made := last.Iterations(); len(made) != 1 || made[0] != at {
				t.Errorf("%s, ended after iteration %d: the checkpoint has %v", name, at, made)
			}
			run = ensemble.Run{Recipe: o}
			run.Resume = decodedCheckpoint(t, encodedCheckpoint(t, last))
			if got := encoded(t, train(t, d, nil, run).Model); got != want {
				t.Errorf("%s, ended after iteration %d: another model", name, at)
			}
		}
	}
}

// TestResumeWithinAnIteration: least squares that are interrupted leave the checkpoint of the iteration before, from which the training
// ends with the same bits; and so does a training that is interrupted before the model is finished.
func TestResumeWithinAnIteration(t *testing.T) {
	d := table(t, 1200)
	squares := anfis("least-squares")
	squares.Model.Rules, squares.Train.Iterations = 3, 4
	near := quick()
	near.Train.Iterations, near.Model.Neighbours = 5, recipe.AutoNeighbours
	for name, o := range map[string]recipe.Recipe{"least squares": squares, "neighbours": near} {
		want := train(t, d, nil, o).Model
		checks := testenv.ContextChecks(func(ctx context.Context) { _, _ = runOf(o).Train(ctx, d, nil) })
		finished := 0
		for after := int64(0); after < checks; after += max(1, checks/int64(testenv.Cases(6, 25))) {
			var last *checkpoint.Checkpoint
			run := with(ensemble.Run{CheckpointEvery: time.Hour, OnCheckpoint: func(c *checkpoint.Checkpoint) { last = c }}, o)
			r, err := run.Train(testenv.EndAfter(after), d, nil)
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("%s, the context ends after %d of %d checks: %v", name, after, checks, err)
			}
			if r != nil && r.Training.Stopped == optim.StoppedCompleted {
				finished++
				if r.Model.Neighbours != nil || r.Model.Training.Metrics["rmse_train"] == 0 {
					t.Errorf("%s: neighbours %v, metrics %v", name, r.Model.Neighbours, r.Model.Training.Metrics)
				}
			}
			again := ensemble.Run{Recipe: o, Resume: decodedCheckpoint(t, encodedCheckpoint(t, last))}
			if encoded(t, train(t, d, nil, again).Model) != encoded(t, want) {
				t.Errorf("%s, the context ends after %d of %d checks: another model", name, after, checks)
			}
		}
		if finished == 0 && name == "neighbours" {
			t.Errorf("%s: the context never ended after the last iteration", name)
		}
	}
}

// TestResumeOther: a checkpoint of other data, options or files is refused, and the error
// names the differences.
func TestResumeOther(t *testing.T) {
	var run ensemble.Run
	d, v := table(t, 60), table(t, 80)
	var c *checkpoint.Checkpoint
	o := quick()
	o.Model.Membership = shapeNamed(t, "gaussian")
	run.Identity = map[string]string{"no2.csv": "sha256 1", "broken \xff": "\xff"}
	run.OnCheckpoint = func(now *checkpoint.Checkpoint) { c = now }
	train(t, d, v, with(run, o))
	run.Resume = decodedCheckpoint(t, encodedCheckpoint(t, c))
	train(t, d, v, with(run, o))
	edited := table(t, 60)
	edited.X[7][1] += 1e-12
	ordered := table(t, 60)
	ordered.Ordered = true
	for name, change := range map[string]func(run *ensemble.Run) (train, validation *data.Dataset){
		"train.l2 was 0.05, is 0.06":      func(run *ensemble.Run) (_, _ *data.Dataset) { run.Recipe.Train.L2 = 0.06; return d, v },
		"train.seed was 1, is 2":          func(run *ensemble.Run) (_, _ *data.Dataset) { run.Recipe.Train.Seed = 2; return d, v },
		"train.members was nothing, is 2": func(run *ensemble.Run) (_, _ *data.Dataset) { run.Recipe.Train.Members = 2; return d, v },
		"train.race was [], is [{": func(run *ensemble.Run) (_, _ *data.Dataset) {
			run.Recipe.Train.Race = []recipe.Setting{{"l2": 1}}
			return d, v
		},
		"membership was gaussian, is trapezoid": func(run *ensemble.Run) (_, _ *data.Dataset) {
			run.Recipe.Model.Membership = shapeNamed(t, "trapezoid")
			return d, v
		},
		"no2.csv was sha256 1, is sha256 2": func(run *ensemble.Run) (_, _ *data.Dataset) {
			run.Identity = map[string]string{"no2.csv": "sha256 2"}
			return d, v
		},
		"no2.csv was sha256 1, is nothing":       func(run *ensemble.Run) (_, _ *data.Dataset) { run.Identity = nil; return d, v },
		"training part was 60 samples":           func(run *ensemble.Run) (_, _ *data.Dataset) { return edited, v },
		"training part was 60 samples, sha256":   func(run *ensemble.Run) (_, _ *data.Dataset) { return ordered, v },
		"validation part was 80 samples":         func(run *ensemble.Run) (_, _ *data.Dataset) { return d, d },
		"validation part was 80 samples, sha256": func(run *ensemble.Run) (_, _ *data.Dataset) { return d, nil },
		"start was nothing, is sha256": func(run *ensemble.Run) (_,
			_ *data.Dataset) {
			run.Start = train(t, d, nil, quick()).Start
			return d, v
		},
		"prune.rounds was 0, is 1; restore the file or": func(run *ensemble.Run) (_,
			_ *data.Dataset) {
			run.Recipe.Prune.Rounds = 1
			return d, v
		},
	} {
		other := with(run, o)
		part, validation := change(&other)
		_, err := other.Train(context.Background(), part, validation)
		var changed *checkpoint.ChangedError
		if !errors.As(err, &changed) || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want a ChangedError that says %q", err, name)
		}
	}
	o.Prune.Rounds = 1
	if _, err := with(run, o).Prune(context.Background(), train(t, d, nil, quick()).Model, d, nil); err == nil {
		t.Error("Prune accepted a checkpoint")
	}
}
