package tune

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
)

// raced is a small search whose start is a race, which is run again for the comparison at the end.
func raced() (recipe.Recipe, Options) {
	base, o := small()
	base.Train.Race = []recipe.Setting{{"iterations": 20, "init": "one-feature"}, {"iterations": 20, "droprule": 1, "batch": 32}}
	o.Space["membership"] = []any{membership.Gaussian{}, formula("1/(1+((x-c)/s)^2)")}
	o.Space["rules"], o.Space["iterations"], o.Trials = []any{2, 8}, []any{20, 150}, 16
	return base, o
}

// formula returns a shape with a center and a spread.
func formula(expr string) membership.Function {
	return testenv.Must(membership.Formula{Name: "mine", Expr: expr,
		Params: []membership.FormulaParam{{Name: "c", Init: "center"}, {Name: "s", Init: "spread"}}}.Shape())
}

// elsewhere returns a Measure that has each task carried out by one of two workers, and counts how often it is.
func elsewhere(t *testing.T, base recipe.Recipe, o Options) (func(context.Context, []Task) ([]Measured, error), map[Task]int) {
	t.Helper()
	workers := []*Worker{testenv.Must(NewWorker(t.Context(), friedman().Train, base, o)),
		testenv.Must(NewWorker(t.Context(), friedman().Train, base, o))}
	times := map[Task]int{}
	return func(ctx context.Context, tasks []Task) ([]Measured, error) {
		var answers []Measured
		for i, task := range tasks {
			times[task]++
			answers = append(answers, testenv.Must(workers[i%2].Measure(ctx, task)))
		}
		rand.Shuffle(len(answers), func(i, j int) { answers[i], answers[j] = answers[j], answers[i] })
		return answers, nil
	}, times
}

// filesOf returns the files of a search by name.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	held := map[string]string{}
	for _, pattern := range []string{"*.json", "trials/*.json"} {
		for _, path := range testenv.Must(filepath.Glob(filepath.Join(dir, pattern))) {
			held[strings.TrimPrefix(path, dir)] = string(testenv.Must(os.ReadFile(path)))
		}
	}
	return held
}

// Fits that workers make elsewhere give the same choice and the same files, from settings and from a race, which runs elsewhere, too.
// Next gives, step by step, the tasks of the search, each once, whatever the order of what is known; then none.
func TestMeasuredElsewhere(t *testing.T) {
	d := friedman().Train
	for name, of := range map[string]func() (recipe.Recipe, Options){"base": small, "race": raced} {
		t.Run(name, func(t *testing.T) {
			base, o := of()
			o.Dir = t.TempDir()
			want := searched(base, o)
			apart := o
			apart.Dir = t.TempDir()
			measure, times := elsewhere(t, base, o)
			apart.Measure = measure
			if got := searched(base, apart); text(got) != text(want) {
				t.Errorf("elsewhere: %s\nhere: %s", text(got), text(want))
			}
			if here, there := filesOf(t, o.Dir), filesOf(t, apart.Dir); !maps.Equal(here, there) || len(here) < 10 {
				t.Errorf("files elsewhere: %v, here: %v", slices.Sorted(maps.Keys(there)), slices.Sorted(maps.Keys(here)))
			}
			if _, hasRace := times[Task{}]; hasRace != (name == "race") || slices.Max(slices.Collect(maps.Values(times))) != 1 {
				t.Errorf("race: %t, tasks %v, want each once", hasRace, times)
			}
			apart.Measure = nil // all is there
			if _, err := Search(ended(), d, base, apart); err != nil {
				t.Error(err)
			}

			held := testenv.Must(Held(o.Dir))
			of := byName(held)
			var known []Measured
			steps := 0
			for ; ; steps++ {
				tasks := testenv.Must(Next(t.Context(), d, base, o, known))
				if len(tasks) == 0 {
					break
				}
				for _, task := range tasks {
					known = append(known, of[task.Name()])
				}
				rand.Shuffle(len(known), func(i, j int) { known[i], known[j] = known[j], known[i] })
			}
			w := testenv.Must(NewWorker(t.Context(), d, base, o))
			if fits, most := w.Planned(); steps > most || name == "race" && steps < most-3 || fits < want.Fits-10 || fits > want.Fits {
				t.Errorf("%d steps, %d fits, planned: at most %d steps, %d fits", steps, want.Fits, most, fits)
			}
			if len(known) != len(held) || len(known) != len(times) {
				t.Errorf("%d results of %d tasks, the directory of the search holds %d", len(known), len(times), len(held))
			}
			o.Time, o.Began = 1, o.Began.Add(1) // long past: the first bracket is finished, and no step begins that lacks fits
			if tasks, err := Next(t.Context(), d, base, o, known); err != nil || len(tasks) > 0 {
				t.Errorf("all is known, but %v, %v", tasks, err)
			}
		})
	}
}

// A worker refuses tasks of another search, and a result of the wrong kind is none.
func TestForeignTasks(t *testing.T) {
	base, o := small()
	w := testenv.Must(NewWorker(t.Context(), friedman().Train, base, o))
	tasks := testenv.Must(Next(t.Context(), friedman().Train, base, o, nil))
	for name, change := range map[string]func(*Task){
		"fold":     func(task *Task) { task.Fold = 5 },
		"value":    func(task *Task) { task.Settings = strings.Replace(task.Settings, `"rules":2`, `"rules":-2`, 1) },
		"shape":    func(task *Task) { task.Settings = strings.Replace(task.Settings, "gaussian", "heap", 1) },
		"key":      func(task *Task) { task.Settings = strings.Replace(task.Settings, `"rules"`, `"rule"`, 1) },
		"no JSON":  func(task *Task) { task.Settings = "{" },
		"settings": func(task *Task) { task.Settings = "{}" },
	} {
		task := tasks[0]
		change(&task)
		if _, err := w.Measure(t.Context(), task); err == nil || !strings.Contains(err.Error(), "not of this search") {
			t.Errorf("%s: %v", name, err)
		}
	}
	o.Measure = func(_ context.Context, tasks []Task) ([]Measured, error) {
		return []Measured{{Task: tasks[0], Chosen: "x"}}, nil
	}
	if _, err := Search(t.Context(), friedman().Train, base, o); err == nil ||
		!strings.Contains(err.Error(), "the task 0001-fold-1 has no result") {
		t.Error(err)
	}
	gone := errors.New("gone")
	o.Measure = func(context.Context, []Task) ([]Measured, error) { return nil, gone }
	if _, err := Search(t.Context(), friedman().Train, base, o); !errors.Is(err, gone) {
		t.Error(err)
	}
}
