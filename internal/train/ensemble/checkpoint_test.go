package ensemble_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// resumable are trainings of every kind that a checkpoint has to hold.
func resumable(t *testing.T) map[string]recipe.Recipe {
	all := map[string]recipe.Recipe{"best iteration": worsening()}
	add := func(name string, base recipe.Recipe, change func(o *recipe.Recipe)) {
		all[name] = changed(base, change)
	}
	small, robust := quick(), unraced(25)
	small.Train.Iterations = 25
	once := recipe.Prune{Rounds: 1, Gamma: 0.9, Theta: 0.3}
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
		for _, name := range []string{"gaussian", "trapezoid", "gbell"} {
			add(engine+" "+name, small, func(o *recipe.Recipe) { o.Model.Engine, o.Model.Membership = engine, shape(name) })
		}
	}
	for _, consequents := range []string{"gradient", "least-squares"} {
		all["anfis "+consequents] = anfis(consequents, 4, 15)
	}
	for _, kind := range []string{recipe.SharedCurves, recipe.OwnCurves} {
		add(kind+" curves, pruned", robust, func(o *recipe.Recipe) {
			o.Model.Curves, o.Model.Knots, o.Model.Rules, o.Prune = kind, 5, 6, once
		})
	}
	readable := recipe.Readable().WithoutPage()
	readable.Model.Rules, readable.Train.RaceSplits, readable.Train.Iterations = 4, 2, 20
	kept := train(t, table(120), nil, small).Model
	unkept := saved(t, kept)
	kept.RuleBase.Keep = []rules.Keep{rules.KeepThen, 0, rules.KeepIf, 0}
	for name, c := range map[string]struct {
		base   recipe.Recipe
		change func(o *recipe.Recipe)
	}{
		"tree": {small, func(o *recipe.Recipe) {
			o.Model.Init, o.Model.Rules, o.Model.Membership, o.Train.LogSpreads, o.Prune = recipe.Tree, 6, shape("sigmoid"), true, once
		}},
		"pruned": {small, func(o *recipe.Recipe) {
			o.Model.Rules, o.Train.Iterations, o.Prune = 8, 40, recipe.Prune{Rounds: 2, Gamma: 0.9, Theta: 0.3}
		}},
		"robust":      {robust, func(*recipe.Recipe) {}},
		"short rules": {robust, func(o *recipe.Recipe) { o.Model.Antecedents = 1 }},
		"short rules, pruned": {robust, func(o *recipe.Recipe) {
			o.Model.Antecedents, o.Model.Rules, o.Prune.Rounds, o.Prune.Gamma = 2, 8, 2, 0.9
		}},
		"sparse rules": {robust, func(o *recipe.Recipe) { o.Model.Terms = 1.5 }},
		"short and sparse rules, pruned": {robust, func(o *recipe.Recipe) {
			o.Model.Antecedents, o.Model.Terms, o.Model.Rules, o.Prune.Rounds, o.Prune.Gamma = 2, 1, 8, 2, 0.9
		}},
		"rounded":              {robust, func(o *recipe.Recipe) { o.Model.Round, o.Prune.Rounds = 2, 1 }},
		"constant consequents": {robust, func(o *recipe.Recipe) { o.Model.Order = 0 }},
		"race": {robust, func(o *recipe.Recipe) {
			o.Train.Race = []recipe.Setting{{"iterations": 2}, {"iterations": 20}, {"iterations": 30, "antecedents": 2}, {"learning_rate": 1e300}}
			o.Train.RaceSplits = 2
		}},
		"page":     {recipe.Readable(), func(o *recipe.Recipe) { o.Model.Page = 15 }},
		"readable": {readable, func(o *recipe.Recipe) { o.Train.Race, o.Model.Round = shorter(o.Train.Race, 20), 3 }},
		"readable committee, pruned": {readable, func(o *recipe.Recipe) {
			o.Train.Race, o.Train.Members, o.Prune = shorter(o.Train.Race, 15), 3, once
		}},
		"teacher":                 {small, func(o *recipe.Recipe) { o.Train.Teacher = recipe.CommitteeTeacher }},
		"committee":               {small, func(o *recipe.Recipe) { o.Train.Members = 3 }},
		"race, committee, pruned": {robust, racingCommittee(3, 1, recipe.Prune{Rounds: 1, Gamma: 0.5, Theta: 0.5})},
		"grid":                    {small, func(o *recipe.Recipe) { o.Model.Init, o.Model.Rules, o.Model.PCA = "grid", 0, 2 }},
		"least squares of short rules": {anfis("least-squares", 30, 15), func(o *recipe.Recipe) {
			o.Model.Init, o.Model.Antecedents, o.Train.LogSpreads = "fcm", 1, true
		}},
		"saved model": {small, func(o *recipe.Recipe) { o.Model.Init, o.Model.Rules = unkept, 0 }},
		"kept rules, pruned": {small, func(o *recipe.Recipe) {
			o.Model.Init, o.Model.Rules, o.Train.LogSpreads, o.Prune = saved(t, kept), 0, true, recipe.Prune{Rounds: 2, Gamma: 1.5, Theta: 0.3}
		}},
		"signs, pruned": {robust, func(o *recipe.Recipe) { o.Model.Monotone, o.Model.Rules, o.Prune = risingFalling, 8, once }},
	} {
		add(name, c.base, c.change)
	}
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

// racingCommittee makes a recipe one of a committee of eight rules after a race, pruned.
func racingCommittee(members, splits int, p recipe.Prune) func(o *recipe.Recipe) {
	return func(o *recipe.Recipe) {
		o.Train.Race, o.Train.RaceSplits = []recipe.Setting{{"iterations": 2}, {"iterations": 30}}, splits
		o.Train.Members, o.Prune, o.Model.Rules = members, p, 8
	}
}

// account holds the reported metrics and the result of a training as bytes. The members of a
// committee report in any order, so metrics are kept by member.
type account struct {
	mu      sync.Mutex
	metrics map[int][]string // by member
	result  string
}

// of trains and keeps the account, which starts with some metrics.
func (a *account) of(t *testing.T, run ensemble.Run, d, validation *data.Dataset, metrics map[int][]string) *ensemble.Result {
	t.Helper()
	a.metrics = metrics
	run.OnIteration = func(m optim.Metrics) error {
		line, err := json.Marshal(m)
		a.mu.Lock()
		defer a.mu.Unlock()
		a.metrics[m.Member] = append(a.metrics[m.Member], string(line))
		return err
	}
	r := train(t, d, validation, run)
	var b strings.Builder
	b.WriteString(encoded(t, r.Model))
	for _, one := range append([]*fit.Result{&r.Result}, r.Members...) {
		rest := testenv.Must(json.Marshal([]any{one.Start, one.StartNotes, one.Idle, one.Training, r.Race, one.Prune, one.OddGrades,
			one.Fallbacks}))
		fmt.Fprintf(&b, "%s%s\n", encoded(t, one.Model), rest)
	}
	a.result = b.String()
	return r
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

// fileOf returns what Encode writes.
func fileOf(c *checkpoint.Checkpoint) []byte {
	var b bytes.Buffer
	if err := c.Encode(&b); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func readFile(file []byte) *checkpoint.Checkpoint {
	return testenv.Must(checkpoint.Decode(bytes.NewReader(file)))
}

// TestResume: any kind of training resumes from its checkpoints, read from their files, and
// ends with the same model, metrics and result, to the bit, as without interruption. Under CI=true each kind runs with or without
// a validation part, by default two thirds of them.
func TestResume(t *testing.T) {
	d, v := table(120), table(150).Subset([]int{120, 125, 130, 135, 140, 141, 142, 143, 144, 145})
	all, resumed := resumable(t), 0
	names := slices.Sorted(maps.Keys(all))
	odd := len(names) | 1 // so that steps of two meet each kind
	for _, i := range testenv.Draw(upTo(odd+len(names)), 3, 2, 0) {
		if i%odd == len(names) {
			continue
		}
		name, o, run := names[i%odd], all[names[i%odd]], ensemble.Run{}
		if testenv.Race && o.Train.Members < 2 && len(o.Train.Race) == 0 {
			continue // one training after the other
		}
		var validation *data.Dataset
		if i >= odd {
			validation, o.Train.Patience, o.Train.ValidateEvery = v, 15, 2
		} else if o.Train.Members == 1 {
			run.Watch = []fit.Watched{{Name: "v", Data: v}}
		}
		t.Run(fmt.Sprintf("%s/validation=%t", name, validation != nil), func(t *testing.T) {
			run.Recipe = o
			resumed += resumes(t, d, validation, run, testenv.CaseNumber(2, 4, 12))
		})
	}
	t.Logf("%d resumed trainings ended with the same bits", resumed)
}

// resumes checks that a training resumes from about so many of its checkpoints with the same bits, and returns their number.
func resumes(t *testing.T, d, validation *data.Dataset, run ensemble.Run, from int) (resumed int) {
	t.Helper()
	run.CheckpointEvery = 1 // nanosecond: as often as possible
	var whole, watched account
	r := whole.of(t, run, d, validation, map[int][]string{}) // without checkpoints
	var files [][]byte
	run.OnCheckpoint = func(c *checkpoint.Checkpoint) { files = append(files, fileOf(c)) }
	watched.of(t, run, d, validation, map[int][]string{})
	if watched.result != whole.result || len(files) < r.Training.Iterations {
		t.Fatalf("%d checkpoints, or they change the result", len(files))
	}
	run.OnCheckpoint = nil
	for i := len(files) - 1; i >= 0; i -= max(1, len(files)/from) {
		run.Resume = readFile(files[i])
		var again account
		again.of(t, run, d, validation, watched.cut(t, run.Resume, run.Recipe.Train.Members))
		if again.result != whole.result {
			t.Fatalf("from checkpoint %d of %d: %s\nwant %s", i+1, len(files), again.result, whole.result)
		}
		if !maps.EqualFunc(again.metrics, whole.metrics, slices.Equal) {
			t.Fatalf("from checkpoint %d of %d: metrics differ", i+1, len(files))
		}
		resumed++
	}
	return resumed
}

// lastOf runs a training that ends early and returns its last checkpoint and its error.
func lastOf(ctx context.Context, run ensemble.Run, d *data.Dataset) (last *checkpoint.Checkpoint, r *ensemble.Result, err error) {
	run.CheckpointEvery, run.OnCheckpoint = time.Hour, func(c *checkpoint.Checkpoint) { last = c }
	r, err = run.Train(ctx, d, nil)
	return readFile(fileOf(last)), r, err
}

// TestResumeAfterInterrupt: the last checkpoint of a training that ctx ended holds its last
// state at any time, even before the first iteration.
func TestResumeAfterInterrupt(t *testing.T) {
	testenv.SkipRace(t)
	d, all := table(120), resumable(t)
	for i, name := range slices.Sorted(maps.Keys(all)) {
		o := all[name]
		if o.Train.Members > 1 || len(o.Train.Race) > 0 {
			continue // several trainings run at once
		}
		want := encoded(t, train(t, d, nil, o).Model)
		for _, at := range testenv.Draw([]int{0, 1, 9}, 3, 2, i) {
			run := ensemble.Run{Recipe: o}
			last, _, err := lastOf(endsAt(&run, at), run, d)
			if made := last.Iterations(); !errors.Is(err, context.Canceled) || len(made) != 1 || made[0] != at {
				t.Errorf("%s, ended after iteration %d: the checkpoint has %v, %v", name, at, made, err)
			}
			if encoded(t, train(t, d, nil, ensemble.Run{Recipe: o, Resume: last}).Model) != want {
				t.Errorf("%s, ended after iteration %d: another model", name, at)
			}
		}
	}
}

// TestResumeWithinAnIteration: least squares that are interrupted leave the checkpoint of the iteration before, from which the training
// ends with the same bits; and so does a training that is interrupted before the model is finished.
func TestResumeWithinAnIteration(t *testing.T) {
	d, near := table(1200), quick()
	near.Train.Iterations, near.Model.Neighbours = 5, recipe.AutoNeighbours
	for name, o := range map[string]recipe.Recipe{"least squares": anfis("least-squares", 3, 4), "neighbours": near} {
		want := encoded(t, train(t, d, nil, o).Model)
		run := ensemble.Run{Recipe: o}
		checks := testenv.ContextChecks(func(ctx context.Context) { _, _ = run.Train(ctx, d, nil) })
		finished := 0
		for after := int64(0); after < checks; after += max(1, checks/int64(testenv.CaseNumber(6, 12, 25))) {
			last, r, err := lastOf(testenv.EndAfter(after), run, d)
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("%s, the context ends after %d of %d checks: %v", name, after, checks, err)
			}
			if r != nil && r.Training.Stopped == optim.StoppedCompleted {
				finished++
				if r.Model.Neighbours != nil || r.Model.Training.Metrics["rmse_train"] == 0 {
					t.Errorf("%s: neighbours: %t, metrics %v", name, r.Model.Neighbours != nil, r.Model.Training.Metrics)
				}
			}
			if encoded(t, train(t, d, nil, ensemble.Run{Recipe: o, Resume: last}).Model) != want {
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
	d, v := table(60), table(80)
	var c *checkpoint.Checkpoint
	start := train(t, d, nil, quick())
	run := ensemble.Run{Recipe: quick(), Identity: map[string]string{"no2.csv": "sha256 1", "broken \xff": "\xff"},
		OnCheckpoint: func(now *checkpoint.Checkpoint) { c = now }}
	train(t, d, v, run)
	run.Resume = readFile(fileOf(c))
	train(t, d, v, run)
	edited, ordered := table(60), table(60)
	edited.X[7][1] += 1e-12
	ordered.Ordered = true
	type parts [2]*data.Dataset
	for want, change := range map[string]func(run *ensemble.Run, p *parts){
		"train.l2 was 0.05, is 0.06":      func(run *ensemble.Run, _ *parts) { run.Recipe.Train.L2 = 0.06 },
		"train.seed was 1, is 2":          func(run *ensemble.Run, _ *parts) { run.Recipe.Train.Seed = 2 },
		"train.members was nothing, is 2": func(run *ensemble.Run, _ *parts) { run.Recipe.Train.Members = 2 },
		"train.race was [], is [{":        func(run *ensemble.Run, _ *parts) { run.Recipe.Train.Race = []recipe.Setting{{"l2": 1}} },
		"membership was gaussian, is trapezoid": func(run *ensemble.Run, _ *parts) {
			run.Recipe.Model.Membership = shape("trapezoid")
		},
		"no2.csv was sha256 1, is sha256 2": func(run *ensemble.Run, _ *parts) {
			run.Identity = map[string]string{"no2.csv": "sha256 2"}
		},
		"no2.csv was sha256 1, is nothing":              func(run *ensemble.Run, _ *parts) { run.Identity = nil },
		"training part was 60 samples":                  func(_ *ensemble.Run, p *parts) { p[0] = edited },
		"training part was 60 samples, sha256":          func(_ *ensemble.Run, p *parts) { p[0] = ordered },
		"validation part was 80 samples":                func(_ *ensemble.Run, p *parts) { p[1] = d },
		"validation part was 80 samples, sha256":        func(_ *ensemble.Run, p *parts) { p[1] = nil },
		"start was nothing, is sha256":                  func(run *ensemble.Run, _ *parts) { run.Start = start.Start },
		"prune.rounds was 0, is 1; restore the file or": func(run *ensemble.Run, _ *parts) { run.Recipe.Prune.Rounds = 1 },
	} {
		other, p := run, parts{d, v}
		change(&other, &p)
		_, err := other.Train(context.Background(), p[0], p[1])
		var changed *checkpoint.ChangedError
		if !errors.As(err, &changed) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want a ChangedError that says %q", err, want)
		}
	}
	run.Recipe.Prune.Rounds = 1
	if _, err := run.Prune(context.Background(), start.Model, d, nil); err == nil {
		t.Error("Prune accepted a checkpoint")
	}
}
