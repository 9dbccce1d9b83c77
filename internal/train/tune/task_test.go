package tune

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
)

// raced is a small search whose start is a race, which is run again for the comparison at the end.
func raced() (recipe.Recipe, Options) {
	base, o := small()
	shape, err := membership.Formula{Name: "mine", Expr: "1/(1+((x-c)/s)^2)",
		Params: []membership.FormulaParam{{Name: "c", Init: "center"}, {Name: "s", Init: "spread"}}}.Shape()
	if err != nil {
		panic(err)
	}
	base.Train.Race = []recipe.Setting{{"iterations": 20, "init": "one-feature"}, {"iterations": 20, "droprule": 1, "batch": 32}}
	o.Space["membership"] = []any{membership.Gaussian{}, shape}
	o.Space["rules"], o.Space["iterations"], o.Trials = []any{2, 8}, []any{20, 150}, 20
	return base, o
}

// elsewhere returns a Measure that has each task carried out by one of some workers, and counts how often it is.
func elsewhere(t *testing.T, base recipe.Recipe, o Options, workers int) (func(context.Context, []Task) ([]Measured, error), map[Task]int) {
	t.Helper()
	var all []*Worker
	for range workers {
		w := must(NewWorker(t.Context(), friedman(t).Train, base, o))
		all = append(all, w)
	}
	times := map[Task]int{}
	return func(ctx context.Context, tasks []Task) ([]Measured, error) {
		var answers []Measured
		for i, task := range tasks {
			times[task]++
			m, err := all[i%workers].Measure(ctx, task)
			if err != nil {
				return nil, err
			}
			answers = append(answers, m)
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
		paths := must(filepath.Glob(filepath.Join(dir, pattern)))
		for _, path := range paths {
			content := must(os.ReadFile(path))
			held[strings.TrimPrefix(path, dir)] = string(content)
		}
	}
	return held
}

// Fits that workers make elsewhere give the same choice and the same files.
func TestMeasuredElsewhere(t *testing.T) {
	for name, of := range map[string]func() (recipe.Recipe, Options){"base": small, "race": raced} {
		t.Run(name, func(t *testing.T) {
			base, o := of()
			o.Dir = t.TempDir()
			want := searched(t, friedman(t).Train, base, o)
			apart := o
			apart.Dir = t.TempDir()
			var times map[Task]int
			apart.Measure, times = elsewhere(t, base, o, 2)
			if got := searched(t, friedman(t).Train, base, apart); text(t, got) != text(t, want) {
				t.Errorf("elsewhere: %s\nhere: %s", text(t, got), text(t, want))
			}
			here, there := filesOf(t, o.Dir), filesOf(t, apart.Dir)
			for file, content := range here {
				if there[file] != content {
					t.Errorf("%s is %s, want %s", file, there[file], content)
				}
			}
			_, hasRace := times[Task{}]
			if len(here) != len(there) || len(here) < 10 || hasRace != (name == "race") {
				t.Errorf("%d files elsewhere, %d here; race: %v", len(there), len(here), hasRace)
			}
			for task, n := range times {
				if n != 1 {
					t.Errorf("%s was carried out %d times", task.Name(), n)
				}
			}
			apart.Measure = nil // all is there
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := Search(ctx, friedman(t).Train, base, apart); err != nil {
				t.Error(err)
			}
		})
	}
}

// Next gives, step by step, the tasks of the search, each once, whatever the order of what is known; then none.
func TestNext(t *testing.T) {
	base, o := raced()
	o.Dir = t.TempDir()
	d := friedman(t).Train
	want := searched(t, d, base, o)
	measure, times := elsewhere(t, base, o, 1)
	var known []Measured
	steps := 0
	for ; ; steps++ {
		tasks := must(Next(t.Context(), d, base, o, known))
		if len(tasks) == 0 {
			break
		}
		more := must(measure(t.Context(), tasks))
		known = append(known, more...)
		rand.Shuffle(len(known), func(i, j int) { known[i], known[j] = known[j], known[i] })
	}
	w := must(NewWorker(t.Context(), d, base, o))
	if fits, most := w.Planned(); steps > most || steps < most-2 || fits < want.Fits-10 || fits > want.Fits {
		t.Errorf("%d steps, %d fits, planned: at most %d steps, %d fits", steps, want.Fits, most, fits)
	}
	if len(known) != want.Fits+1 || len(times) != len(known) || steps < 6 {
		t.Errorf("%d results of %d tasks in %d steps, want the %d fits of the search and its race", len(known), len(times), steps, want.Fits)
	}
	held := must(Held(o.Dir))
	for _, k := range known {
		i := slices.IndexFunc(held, func(h Measured) bool { return h.Task == k.Task })
		if i < 0 || held[i].Chosen != k.Chosen || k.Trial > 0 && held[i].Fit.Loss != k.Fit.Loss {
			t.Errorf("%+v is not in the directory of the search", k)
		}
	}
	if len(held) != len(known) {
		t.Errorf("the directory holds %d results, want %d", len(held), len(known))
	}
	o.Time, o.Began = 1, o.Began.Add(1) // long past: the first bracket is finished, and no step begins that lacks fits
	if tasks, err := Next(t.Context(), d, base, o, known); err != nil || len(tasks) > 0 {
		t.Errorf("all is known, but %v, %v", tasks, err)
	}
}

// A worker refuses tasks of another search, and a result of the wrong kind is none.
func TestForeignTasks(t *testing.T) {
	base, o := small()
	w := must(NewWorker(t.Context(), friedman(t).Train, base, o))
	tasks := must(Next(t.Context(), friedman(t).Train, base, o, nil))
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
	if _, err := Search(t.Context(), friedman(t).Train, base, o); err == nil ||
		!strings.Contains(err.Error(), "the task 0001-fold-1 has no result") {
		t.Error(err)
	}
	gone := errors.New("gone")
	o.Measure = func(context.Context, []Task) ([]Measured, error) { return nil, gone }
	if _, err := Search(t.Context(), friedman(t).Train, base, o); !errors.Is(err, gone) {
		t.Error(err)
	}
}
