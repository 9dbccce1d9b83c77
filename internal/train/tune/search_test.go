package tune

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/data"
	_ "github.com/tskgraph/tskgraph/data/table/csv" // the tests read tables of this format
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
)

var friedman = sync.OnceValue(func() *data.Parts {
	return testenv.Must(data.Source{Builtin: "friedman1", Split: data.Split{Train: 0.2, Seed: 1}}.Load(context.Background()))
})

// small is a search of 1 + 10 trials that takes a moment.
func small() (recipe.Recipe, Options) {
	base := recipe.Paper()
	base.Model.Rules, base.Train.Iterations, base.Train.Batch = 2, 20, 16
	return base, Options{
		Trials: 11, Repeats: 1,
		Space: Space{"rules": {2, 3, 5}, "iterations": {20, 60}, "membership": {membership.Gaussian{}, membership.Triangular{}}},
	}
}

// text returns all of a result that may not depend on where and when fits are made.
func text(r *Result) string {
	return string(testenv.Must(json.MarshalIndent(map[string]any{
		"trials": r.Trials, "best": r.Best.Number, "chosen": r.Chosen.Number, "stopped": r.Stopped, "fits": r.Fits,
	}, "", " ")))
}

func searched(base recipe.Recipe, o Options) *Result {
	return testenv.Must(Search(context.Background(), friedman().Train, base, o))
}

// searchError returns the error of a search.
func searchError(base recipe.Recipe, o Options) error {
	_, err := Search(context.Background(), friedman().Train, base, o)
	return err
}

// ended returns a context with which a fit would fail.
func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// The number of workers and interruptions do not show in the result, and nothing that was measured is measured again. More
// trials are the same trials and more.
func TestSearchIsReproducible(t *testing.T) {
	base, o := small()
	o.Workers = 1
	want := text(searched(base, o))
	o.Workers, o.Dir, o.Trials = 2, filepath.Join(t.TempDir(), "search"), 4
	if few := searched(base, o); len(few.Trials) != 4 {
		t.Errorf("%d trials", len(few.Trials))
	}
	o.Trials = 11
	interruptions := 0
	for after := 12; ; after += 7 { // each run gets so far
		ctx, cancel := context.WithCancel(context.Background())
		o.OnFit = func(p Progress) {
			if p.Fits == after {
				cancel()
			}
		}
		r, err := Search(ctx, friedman().Train, base, o)
		if cancel(); err == nil {
			if got := text(r); got != want {
				t.Errorf("taken up again: %s\nin one go: %s", got, want)
			}
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		interruptions++
	}
	if interruptions < 2 {
		t.Errorf("%d interruptions: the test tests little", interruptions)
	}
	o.OnFit = nil
	if r, err := Search(ended(), friedman().Train, base, o); err != nil || text(r) != want {
		t.Errorf("all is measured, but: %v", err)
	}
	base.Train.Seed++
	o.Dir = ""
	if text(searched(base, o)) == want {
		t.Error("another seed gives the same search")
	}
}

// The parts of folds are prepared under the context of the search, which ends a moment before those derived from it: what it
// interrupts is no failure of a trial.
func TestInterruptedPreparation(t *testing.T) {
	for _, cause := range []error{context.Canceled, context.DeadlineExceeded} {
		interrupted := func() (prepared, error) { return prepared{}, fmt.Errorf("clusters: %w", cause) }
		if one, err := fitOn(t.Context(), interrupted, recipe.Recipe{}); !errors.Is(err, cause) {
			t.Errorf("%v: %+v, %v", cause, one, err)
		}
	}
	diverged := func() (prepared, error) { return prepared{}, errors.New("no distance is finite") }
	if one, err := fitOn(t.Context(), diverged, recipe.Recipe{}); err != nil || one.Failed != "no distance is finite" {
		t.Errorf("%+v, %v", one, err)
	}
}

// Trial 1, the base, is measured on all folds; of a bracket of eight all are
// measured on one, four on two, two on five.
func TestHalving(t *testing.T) {
	base, o := small()
	o.Trials = 9
	last := Progress{}
	o.OnFit = func(p Progress) {
		if p.Fits != last.Fits+1 {
			t.Errorf("%d fits after %d", p.Fits, last.Fits)
		}
		last = p
	}
	r := searched(base, o)
	first := testenv.Must(settingsOf(base))
	if r.Trials[0].Settings.String() != first.String() || !r.Trials[0].Finished {
		t.Errorf("trial 1 is %+v", r.Trials[0])
	}
	byFits, worst := map[int]int{}, 0.0 // the worst of those that got further, on the first fold
	for _, trial := range r.Trials[1:] {
		if byFits[len(trial.Fits)]++; len(trial.Fits) > 1 {
			worst = max(worst, trial.Fits[0].Loss)
		}
	}
	if byFits[1] != 4 || byFits[2] != 2 || byFits[5] != 2 {
		t.Errorf("trials by number of fits: %v", byFits)
	}
	for _, trial := range r.Trials[1:] {
		if len(trial.Fits) == 1 && trial.Fits[0].Loss < worst {
			t.Errorf("trial %d is out at %v, while %v is in", trial.Number, trial.Fits[0].Loss, worst)
		}
	}
	if r.Fits != 5+8+4+6 || last.All != r.Fits || last.Trials != 9 || r.Stopped != StoppedCompleted {
		t.Errorf("%d fits, %+v, %s", r.Fits, last, r.Stopped)
	}
}

// With a race its settings are where the search starts; what is drawn later lies
// around the best so far, by the lists, and the result races no more.
func TestSearchFromRace(t *testing.T) {
	base, o := small()
	base.Train.Race = []recipe.Setting{
		{"iterations": 20, "learning_rate": 0.03, "consequent_rate": 0.01, "init": "one-feature"},
		{"iterations": 60, "droprule": 1, "batch": 32},
		{"iterations": 60, "droprule": 1, "batch": 32, "learning_rate": 0.01}, // the same again
		{"iterations": 7, "least_samples": 1000},
	}
	o.Repeats, o.Trials = 2, 26
	r := searched(base, o)
	first, second := r.Trials[0].Settings, r.Trials[1].Settings
	if r.Starts != 2 || first["init"] != "one-feature" || first["consequent_rate"] != 0.01 || second["batch"] != 32 ||
		second["droprule"] != 1.0 || second["iterations"] != 60 {
		t.Fatalf("%d starts, %+v, %+v", r.Starts, first, second)
	}
	if n, m := len(r.Trials[0].Fits), len(r.Trials[1].Fits); r.Trials[0].Finished == r.Trials[1].Finished || n != 10 && m != 10 {
		t.Errorf("starts were measured on %d and %d folds, want the better one on 10", n, m)
	}
	if r.Found != (len(r.Options.Train.Race) == 0) || len(r.Trials) != 26 {
		t.Errorf("%d trials, %+v", len(r.Trials), r.Options.Train)
	}
	inits, ratios := map[string]bool{}, map[float64]bool{}
	for _, trial := range r.Trials[2:] {
		s := trial.Settings
		inits[s.Text("init")], ratios[math.Round(100*s.Number("consequent_rate")/s.Number("learning_rate"))] = true, true
		if !slices.Contains(o.Space["iterations"], s["iterations"]) || s["batch"] != 16 && s["batch"] != 32 {
			t.Errorf("%+v", s)
		}
	}
	for ratio := range ratios {
		if ratio != 0 && ratio != 33 {
			t.Errorf("ratios of the rates, in percent: %v", ratios)
		}
	}
	if len(inits)+len(ratios) < 3 { // of the first start, too
		t.Errorf("initialisers %v, ratios %v", inits, ratios)
	}
	o.Space["iterations"] = []any{30, 40} // holds for the starts as well
	o.Trials = 2
	for _, trial := range searched(base, o).Trials {
		if s := trial.Settings["iterations"]; s != 30 && s != 40 {
			t.Errorf("%+v", trial.Settings)
		}
	}
}

// A step goes to the next value twice as often as to the one after it.
func TestStep(t *testing.T) {
	lengths, _ := recipe.Lookup("model.antecedents")
	rng := rand.New(rand.NewPCG(1, 2))
	seen := map[float64]int{}
	for range 8000 {
		seen[step([]any{0.0, 8.0, 1.0, 2.0, 4.0}, 3.0, order(lengths), rng).(float64)]++
	}
	for v, want := range map[float64]int{4: 2000, 8: 1000, 0: 1000, 2: 2000, 1: 2000} {
		if n := seen[v]; n < want-200 || n > want+200 {
			t.Errorf("%v was drawn %d times, want about %d", v, n, want)
		}
	}
	if v := step([]any{5}, 5, order(lengths), rng); v != 5 {
		t.Errorf("from a single value to %v", v)
	}
}

// A space with fewer points than trials is tried whole, each point once.
func TestSmallSpace(t *testing.T) {
	testenv.SkipRace(t)
	base, o := small()
	first := testenv.Must(settingsOf(base))
	o.Space = Space{}
	for _, k := range listed() {
		o.Space[k.Own()] = []any{first[k.Own()]}
	}
	o.Space["rules"], o.Space["learning_rate"] = []any{2, 3}, []any{0.01, 0.1}
	o.Trials = 5
	r := searched(base, o)
	seen := map[string]bool{}
	for _, trial := range r.Trials {
		seen[trial.Settings.String()] = true
	}
	if len(r.Trials) != 4 || len(seen) != 4 {
		t.Errorf("%d trials of %d settings", len(r.Trials), len(seen))
	}
}

// From a poor start, the search finds settings that do better on the test part.
func TestSearchHelps(t *testing.T) {
	parts := friedman()
	base, o := small()
	base.Train.Members, base.Train.Patience = 3, 5 // of no account to trials
	o.Space["iterations"] = []any{20, 500}
	r := searched(base, o)
	if r.Options.Train.Members != 3 || r.Options.Train.Patience != 5 {
		t.Errorf("%+v", r.Options.Train)
	}
	measure := func(o recipe.Recipe) float64 {
		o.Train.Members, o.Train.Patience = 1, 0
		m := testenv.Must(ensemble.Run{Recipe: o}.Train(context.Background(), parts.Train, nil)).Model
		return testenv.Must(m.Evaluate(t.Context(), parts.Test)).RMSE
	}
	if before, after := measure(base), measure(r.Options); !(after < 0.9*before) {
		t.Errorf("RMSE %v before, %v after", before, after)
	}
}

// Settings that diverge lose; only if all do the search fails.
func TestDivergingTrials(t *testing.T) {
	base, o := small()
	base.Train.Optimizer = "sgd"
	base.Train.Solver.Set("learning_rate", 0.001)
	o.Trials = 33
	o.Space["learning_rate"] = []any{0.001, 1e6}
	r := searched(base, o)
	failed := 0
	for _, trial := range r.Trials {
		if trial.Failed() == "" {
			continue
		}
		failed++
		if len(trial.Fits) != 1 || trial.Settings["learning_rate"] != 1e6 || !strings.Contains(trial.Failed(), "diverged") {
			t.Errorf("%+v", trial)
		}
	}
	if failed == 0 || r.Chosen.Settings["learning_rate"] != 0.001 {
		t.Errorf("%d failed, chosen %+v", failed, r.Chosen)
	}
	base.Train.Solver.Set("learning_rate", 1e6)
	o.Space["learning_rate"], o.Space["membership"] = []any{1e6}, []any{membership.Gaussian{}}
	if err := searchError(base, o); !errors.Is(err, ErrFailed) || !strings.Contains(err.Error(), "diverged") {
		t.Error(err)
	}
}

// The first bracket is always finished, whatever the time.
func TestTimeBudget(t *testing.T) {
	base, o := small()
	o.Trials, o.Time = 1000, time.Nanosecond
	r := searched(base, o)
	if r.Stopped != StoppedTime || len(r.Trials) != 9 || r.Fits != 23 {
		t.Errorf("%s after %d trials, %d fits", r.Stopped, len(r.Trials), r.Fits)
	}
}

func TestOtherSearchRefused(t *testing.T) {
	base, o := small()
	o.Trials, o.Dir = 2, t.TempDir()
	searched(base, o)
	train := friedman().Train
	edited := train.Subset(seq(200))
	edited.Y[7]++
	for want, change := range map[string]func(*recipe.Recipe, *Options, **data.Dataset){
		"train.batch was 16, is 17":      func(b *recipe.Recipe, _ *Options, _ **data.Dataset) { b.Train.Batch = 17 },
		"train.seed was 1, is 2":         func(b *recipe.Recipe, _ *Options, _ **data.Dataset) { b.Train.Seed = 2 },
		"tune.folds was 5, is 3":         func(_ *recipe.Recipe, o *Options, _ **data.Dataset) { o.Folds = 3 },
		"data was 200 samples":           func(_ *recipe.Recipe, _ *Options, d **data.Dataset) { *d = friedman().Test },
		"data was 200 samples, sha256":   func(_ *recipe.Recipe, _ *Options, d **data.Dataset) { *d = edited },
		"tune.rules was [2 3 5], is [2]": func(_ *recipe.Recipe, o *Options, _ **data.Dataset) { o.Space = Space{"rules": {2}} },
	} {
		b, other, d := base, o, train
		change(&b, &other, &d)
		if _, err := Search(context.Background(), d, b, other); !errors.Is(err, ErrOther) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	path := filepath.Join(o.Dir, "trials", "0002-fold-1.json")
	foreign := strings.Replace(string(testenv.Must(os.ReadFile(path))), ":16,", ":17,", 1)
	for says, content := range map[string]string{
		"is not the result of its task": `{"trial": 3}`, "is damaged": `{"tri`, "is not of this trial": foreign,
	} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := searchError(base, o); err == nil || !strings.Contains(err.Error(), path+" "+says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	if err := os.Remove(path); err != nil { // the error says to do this
		t.Fatal(err)
	}
	searched(base, o)
}

func TestDirIsLocked(t *testing.T) {
	base, o := small()
	o.Trials, o.Dir = 1, t.TempDir()
	o.OnFit = func(Progress) {
		inner := o
		inner.OnFit = nil
		if err := searchError(base, inner); err == nil || !strings.Contains(err.Error(), "locked by another tskgraph process") {
			t.Error(err)
		}
	}
	searched(base, o)
}

func TestOptionsRefused(t *testing.T) {
	lists := []struct {
		own   string
		value any
	}{{"rules", 0}, {"rules", 2.5}, {"droprule", 1.5}, {"l2", -1}, {"iterations", 0}, {"learning_rate", 0}, {"antecedents", -1},
		{"uniform", -1}, {"membership", "round"}, {"init", "fcm"}}
	type change struct {
		key string
		of  func(*recipe.Recipe, *Options)
	}
	changes := []change{
		{"tune.trials", func(_ *recipe.Recipe, o *Options) { o.Trials = -1 }},
		{"tune.time", func(_ *recipe.Recipe, o *Options) { o.Time = -1 }},
		{"tune.folds", func(_ *recipe.Recipe, o *Options) { o.Folds = 1 }},
		{"tune.repeats", func(_ *recipe.Recipe, o *Options) { o.Repeats = -1 }},
		{"tune.repeats", func(_ *recipe.Recipe, o *Options) { o.Repeats, o.Split = 2, "chronological" }},
		{"tune.split", func(_ *recipe.Recipe, o *Options) { o.Split = "column" }},
		{"tune.choose", func(_ *recipe.Recipe, o *Options) { o.Choose = "worst" }},
		{"tune.rules", func(_ *recipe.Recipe, o *Options) { o.Space["rules"] = []any{4, 4} }},
		{"train.batch", func(b *recipe.Recipe, _ *Options) { b.Train.Batch = -1 }},
		{"model.init", func(b *recipe.Recipe, _ *Options) { b.Model.Init = "runs/x" }},
	}
	for _, l := range lists {
		changes = append(changes, change{"tune." + l.own, func(_ *recipe.Recipe, o *Options) { o.Space[l.own] = []any{l.value} }})
	}
	for _, c := range changes {
		base, o := small()
		c.of(&base, &o)
		var option *recipe.Error
		if err := searchError(base, o); !errors.As(err, &option) || option.Key != c.key {
			t.Errorf("%s: %v", c.key, err)
		}
	}
	if _, err := Search(context.Background(), nil, recipe.Paper(), Options{}); err == nil {
		t.Error("no data, no error")
	}
}

func seq(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// TestFoldsKnowTimeOrder: folds follow the order of the samples unless tune.split says
// otherwise.
func TestFoldsKnowTimeOrder(t *testing.T) {
	d := *friedman().Train
	for _, c := range []struct {
		ordered     bool
		split, want string
	}{{false, "", "random"}, {true, "", "chronological"}, {true, "random", "random"}, {false, "chronological", "chronological"}} {
		base, o := small()
		d.Ordered, o.Split, o.Repeats = c.ordered, c.split, 1
		s := testenv.Must(newSearch(t.Context(), &d, base, o))
		first := s.folds[0].Held
		if last := first[0] == d.Len()-len(first); last != (c.want == "chronological") || s.o.Split != c.want {
			t.Errorf("%+v: %s folds, the first one holds out %v", c, s.o.Split, first)
		}
	}
	d.Groups = make([]int, d.Len())
	base, o := small()
	o.Split, o.Repeats = "chronological", 1
	if _, err := newSearch(t.Context(), &d, base, o); !errors.As(err, new(*data.Error)) {
		t.Errorf("groups in time order: %v", err)
	}
}

// TestFoldsArePreparedOnce: trials that share a prepared fold, with its clusters and trees,
// have the errors of models trained on the fold's samples alone.
func TestFoldsArePreparedOnce(t *testing.T) {
	d := friedman().Train
	base, o := small()
	base.Train.Race = []recipe.Setting{{"init": "kmeans"}, {"init": "tree"}, {"init": "one-feature"}}
	o.Trials = 8
	fold := testenv.Must(Options{Folds: 5, Repeats: 1}.divide(d, base.Train.Seed))[0]
	for _, trial := range searched(base, o).Trials {
		m := testenv.Must(ensemble.Run{Recipe: testenv.Must(apply(base, trial.Settings))}.Train(context.Background(), d.Subset(fold.Train),
			nil)).Model
		if e := testenv.Must(m.Evaluate(t.Context(), d.Subset(fold.Held))); e.RMSE != trial.Fits[0].Loss {
			t.Errorf("trial %d: RMSE %v, alone %v", trial.Number, trial.Fits[0].Loss, e.RMSE)
		}
	}
}

// TestForeignDir: a directory that holds something else is refused and stays as it is, files under way too; beside a
// search only those that a killed process left are removed.
func TestForeignDir(t *testing.T) {
	base, o := small()
	o.Trials = 1
	put := func(name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(o.Dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	there := func(name string) bool {
		_, err := os.Lstat(filepath.Join(o.Dir, name))
		return err == nil
	}
	const leftover = ".tskgraph-search.json-0"
	users := []string{".env.v2", ".backup-2024", ".x1", "notes.txt"}
	for _, name := range users {
		o.Dir = t.TempDir()
		put(name)
		put(leftover)
		if err := searchError(base, o); !errors.Is(err, ErrOther) {
			t.Errorf("%s: %v", name, err)
		}
		if left, err := os.ReadDir(o.Dir); err != nil || len(left) != 2 {
			t.Errorf("%s: %v, %v", name, left, err)
		}
	}
	o.Dir = t.TempDir()
	put(leftover) // of a search that was killed before its first file
	searched(base, o)
	for _, name := range users {
		put(name)
		put(filepath.Join(trialsDir, name))
	}
	put(leftover)
	searched(base, o)
	for _, name := range users {
		if !there(name) || !there(filepath.Join(trialsDir, name)) {
			t.Errorf("%s is gone", name)
		}
	}
	if there(leftover) {
		t.Error("a leftover is still there")
	}
	put(leftover)
	base.Train.L2 *= 2
	if err := searchError(base, o); !errors.Is(err, ErrOther) || !there(leftover) {
		t.Errorf("another search: %v, and the leftover is there: %t", err, there(leftover))
	}
}

// TestSearchOfClasses: trials for a target of classes are compared by log loss, on folds with the shares of the classes. Where nothing
// better is found, the options keep the settings of the race for classes, and a race of them alone is valid.
func TestSearchOfClasses(t *testing.T) {
	d, _, err := data.Builtin("iris")
	if err != nil {
		t.Fatal(err)
	}
	base := recipe.Robust()
	want := len(base.Entrants(d.Len(), true))
	r := testenv.Must(Search(context.Background(), d, base, Options{Trials: want, Folds: 2, Space: Space{"iterations": {10}, "rules": {3}}}))
	if r.Metric != "log loss" || r.Best.Loss <= 0 || r.Best.Loss > math.Log(3) || r.Best.Metric != r.Metric {
		t.Errorf("%s %v, %s", r.Metric, r.Best.Loss, r.Best.Metric)
	}
	if err := r.Options.Validate(); err != nil || r.Found || len(r.Options.Entrants(d.Len(), true)) != want {
		t.Errorf("found %t, race %v, %v", r.Found, r.Options.Train.Race, err)
	}
}
