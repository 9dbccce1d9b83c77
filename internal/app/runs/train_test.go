package runs

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/certify"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/test/wholetest"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// small returns a short job.
func small(t *testing.T, members int) Job {
	t.Helper()
	source := data.Source{Builtin: "friedman1", Split: data.Split{Train: 0.6, Validation: 0.2}}
	parts, err := source.Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	o := tskgraph.Paper()
	o.Model.Rules, o.Train.Iterations, o.Train.Members = 4, 60, members
	id, err := Identity(map[string]string{"train.l2": "0.05"})
	if err != nil {
		t.Fatal(err)
	}
	return Job{Training: tskgraph.Run{Recipe: o, Identity: id, CheckpointEvery: time.Nanosecond}, Parts: parts, Data: source,
		Config: []byte("preset: paper\n"), Start: time.Now()}
}

// created returns a new run below a directory.
func created(t *testing.T, root string, note func(string)) *Run {
	t.Helper()
	r, err := Create(root, "x", note)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func read(t *testing.T, r *Run, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(r.File(name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// interrupted trains in a new run until all members have made some iterations, and returns its directory.
func interrupted(t *testing.T, j Job) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r := created(t, t.TempDir(), nil)
	j.Training.OnIteration = func(m optim.Metrics) error {
		if m.Iteration == 20 {
			cancel()
		}
		return nil
	}
	if _, _, err := r.Train(ctx, j); !errors.Is(err, context.Canceled) || !r.Resumable() {
		t.Fatalf("%v, resumable: %t", err, r.Resumable())
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return r.Path()
}

// TestTrain: a run holds its files, and a resumed run ends like an uninterrupted one.
func TestTrain(t *testing.T) {
	for _, members := range []int{0, 2} {
		j := small(t, members)
		whole := created(t, t.TempDir(), func(note string) { t.Error(note) })
		shown := 0
		j.Training.OnIteration = func(optim.Metrics) error { shown++; return nil }
		result, summary, err := whole.Train(context.Background(), j)
		if err != nil || result == nil || whole.Resumable() || shown != 60*max(1, members) {
			t.Fatalf("%v, resumable: %t, %d iterations shown", err, whole.Resumable(), shown)
		}
		var names []string
		entries, err := os.ReadDir(whole.Path())
		for _, e := range entries {
			names = append(names, e.Name())
		}
		want := []string{"config.yaml", safefile.LockName, "metrics.jsonl", "model.json", "summary.json", "test.csv", "train.csv",
			"validation.csv"}
		if err != nil || !slices.Equal(names, want) {
			t.Errorf("the directory holds %q, want %q, %v", names, want, err)
		}
		if s, err := ReadSummary(whole.Path()); err != nil || s.Figures["rmse_train"] == nil ||
			*s.Figures["rmse_train"] != *summary.Figures["rmse_train"] || s.Verdict == nil || s.Model != whole.File(model.FileName) {
			t.Errorf("summary %+v, %v", s, err)
		}
		if m, err := ReadMetrics(whole.Path()); err != nil || len(m) != shown || m[0].Iteration != 1 || m[shown-1].Iteration != 60 {
			t.Errorf("%d lines of metrics, %v", len(m), err)
		}

		j.Training.OnIteration = nil
		dir := interrupted(t, j)
		users := []string{".env.v2", ".backup-2024", ".x1"}
		for _, name := range append(users, ".tskgraph-model.json-0") {
			if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		metrics := read(t, &Run{path: dir}, MetricsFile)
		begun := metrics[bytes.IndexByte(metrics, '\n')+1:]
		if err := os.WriteFile(filepath.Join(dir, MetricsFile), begun, 0o600); err != nil {
			t.Fatal(err)
		}
		cut := testenv.Must(Resume(dir, nil))
		if _, _, err := cut.Train(context.Background(), j); err == nil || !strings.Contains(err.Error(), "iteration 1 is missing") {
			t.Errorf("metrics without their first line: %v", err)
		}
		cut.Close()
		metrics = append(metrics, `{"iteration":99999,"loss":1}`+"\n"+`{"itera`...) // beyond the checkpoint, and an incomplete line
		if err := os.WriteFile(filepath.Join(dir, MetricsFile), metrics, 0o600); err != nil {
			t.Fatal(err)
		}
		var notes []string
		r, err := Resume(dir, func(note string) { notes = append(notes, note) })
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if _, err := Resume(dir, nil); !errors.Is(err, safefile.ErrLocked) {
			t.Errorf("a second process: %v", err)
		}
		if _, _, err := r.Train(context.Background(), j); err != nil {
			t.Fatal(err)
		}
		if len(notes) != 1 || !strings.Contains(notes[0], "resumes after iteration") {
			t.Errorf("notes: %q", notes)
		}
		for _, name := range []string{model.FileName, MetricsFile} {
			if !bytes.Equal(read(t, r, name), read(t, whole, name)) {
				t.Errorf("%d members: %s differs", members, name)
			}
		}
		for _, name := range users {
			read(t, r, name)
		}
		if _, err := os.Stat(r.File(".tskgraph-model.json-0")); err == nil {
			t.Error("a leftover was not removed")
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := Resume(dir, nil); !errors.Is(err, ErrFinished) {
			t.Errorf("a finished run: %v", err)
		}
	}
}

// TestResumeErrors: the error gives the reason why a run cannot be resumed, and the run is unchanged; see cli.TestResumeChanged for more.
func TestResumeErrors(t *testing.T) {
	if _, err := Resume(filepath.Join(t.TempDir(), "none"), nil); !errors.Is(err, ErrNone) {
		t.Errorf("no run: %v", err)
	}
	j := small(t, 0)
	dir := interrupted(t, j)
	before, err := os.ReadFile(filepath.Join(dir, CheckpointFile))
	if err = errors.Join(err, os.Truncate(filepath.Join(dir, MetricsFile), 100)); err != nil {
		t.Fatal(err)
	}
	r, err := Resume(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, _, err = r.Train(context.Background(), j); err == nil || !strings.Contains(err.Error(), "is missing, but the checkpoint is of") ||
		r.Resumable() {
		t.Errorf("lines are missing: %v; resumable: %v", err, r.Resumable())
	}
	if after, err := os.ReadFile(filepath.Join(dir, CheckpointFile)); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the checkpoint has changed: %v", err)
	}
}

// TestCouldNotBegin: a run that fails to start leaves no directory.
func TestCouldNotBegin(t *testing.T) {
	j := small(t, 0)
	j.Training.Recipe.Model.Rules = -1
	r := created(t, t.TempDir(), nil)
	if _, _, err := r.Train(context.Background(), j); !errors.As(err, new(*tskgraph.RecipeError)) {
		t.Error(err)
	}
	if _, err := os.Stat(r.Path()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the directory is there: %v", err)
	}
}

// TestPrune: both ways of pruning write model, summary with the errors before, and metrics.
func TestPrune(t *testing.T) {
	j := small(t, 0)
	result, err := tskgraph.Train(context.Background(), j.Parts.Train, j.Parts.Validation, j.Training.Recipe)
	if err != nil {
		t.Fatal(err)
	}
	saved := Saved{Model: result.Model, Path: "before.json"}
	j.Training.Recipe.Prune.Rounds, j.Training.Recipe.Prune.Gamma, j.Training.Recipe.Prune.Theta = 1, 0.9, 0.2
	r := created(t, t.TempDir(), nil)
	if _, s, err := r.Prune(context.Background(), j, saved); err != nil || len(s.Prune) != 1 || s.Before.Model != saved.Path ||
		s.Before.Rules != 4 {
		t.Errorf("rounds: %+v, %v", s, err)
	}
	path := created(t, t.TempDir(), nil)
	s, err := path.PrunePath(context.Background(), j, saved, 2, func(p *tskgraph.Path) (tskgraph.PathStep, string, error) {
		return p.Steps[len(p.Steps)-1], "the last", nil
	})
	if err != nil || s.Rules != 2 || s.Chosen != "the last" || s.Before.Rules != 4 {
		t.Errorf("path: %+v, %v", s, err)
	}
	if lines := bytes.Count(read(t, path, PathFile), []byte("\n")); lines != 1+len(s.Path) {
		t.Errorf("%s has %d lines, want a header and %d steps", PathFile, lines, len(s.Path))
	}
	for _, r := range []*Run{r, path} {
		if m, err := ReadMetrics(r.Path()); err != nil || len(m) == 0 {
			t.Errorf("%d lines of metrics, %v", len(m), err)
		}
		if _, err := model.Load(r.Path()); err != nil || r.Resumable() {
			t.Errorf("%v, resumable: %t", err, r.Resumable())
		}
	}
	wrong := errors.New("no suitable step")
	r = created(t, t.TempDir(), nil)
	if s, err := r.PrunePath(context.Background(), j, saved, 3, func(*tskgraph.Path) (tskgraph.PathStep, string, error) {
		return tskgraph.PathStep{}, "", wrong
	}); !errors.Is(err, wrong) || s != nil {
		t.Errorf("a choice that fails: %+v, %v", s, err)
	}
}

// large returns a short job on parts with a Whole.
func large(t *testing.T) Job {
	j := small(t, 1)
	j.Parts.Train, j.Parts.Validation, j.Parts.Test = wholetest.Every(j.Parts.Train, 3), wholetest.Every(j.Parts.Validation, 2),
		wholetest.Every(j.Parts.Test, 2)
	return j
}

// ending is a Whole that ends a context when a bucket is read.
type ending struct {
	data.Whole
	end func()
}

func (e ending) Bucket(i int) (*data.Dataset, error) {
	e.end()
	return e.Whole.Bucket(i)
}

// TestTrainLarge: a run on samples with a Whole measures all rows.
func TestTrainLarge(t *testing.T) {
	j := large(t)
	r := created(t, t.TempDir(), func(note string) { t.Error(note) })
	result, s, err := r.Train(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []struct {
		d              *data.Dataset
		sample, counts int
		rmse           *float64
		key            string
	}{
		{j.Parts.Train, s.SampleTrain, s.SamplesTrain, s.Figures["rmse_train"], "rmse_train"},
		{j.Parts.Validation, s.SampleValidation, s.SamplesValidation, s.Figures["rmse_validation"], "rmse_validation"},
		{j.Parts.Test, s.SampleTest, s.SamplesTest, s.Figures["rmse_test"], "rmse_test"},
	} {
		e, err := result.Model.Evaluate(t.Context(), part.d)
		if err != nil || part.sample != part.d.Len() || part.counts != part.d.Whole.Len() || *part.rmse != e.RMSE ||
			result.Model.Training.Metrics[part.key] != e.RMSE {
			t.Errorf("%s: %d of %d rows, %v in the summary, %v in the model; want %v, %v", part.key, part.sample, part.counts, *part.rmse,
				result.Model.Training.Metrics[part.key], e.RMSE, err)
		}
	}
	if m, err := model.Load(r.Path()); err != nil || m.Training.Samples != j.Parts.Train.Whole.Len() ||
		m.Training.Sample != j.Parts.Train.Len() {
		t.Errorf("the model file: %+v, %v", m.Training, err)
	}
}

// TestTrainLargeInterrupted: a run whose context ends while all rows are measured keeps model, summary and checkpoint, and resumes
// after its last iteration.
func TestTrainLargeInterrupted(t *testing.T) {
	j := large(t)
	whole := created(t, t.TempDir(), nil)
	if _, _, err := whole.Train(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	test := j.Parts.Test.Whole
	j.Parts.Test.Whole = ending{test, cancel}
	r := created(t, t.TempDir(), nil)
	result, s, err := r.Train(ctx, j)
	if !errors.Is(err, context.Canceled) || result == nil || s == nil || !r.Resumable() {
		t.Fatalf("%v, resumable: %t", err, r.Resumable())
	}
	if s.SampleTest != 0 || s.SamplesTest != j.Parts.Test.Len() {
		t.Errorf("measured on %d test rows of a sample of %d", s.SamplesTest, s.SampleTest)
	}
	dir := r.Path()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	j.Parts.Test.Whole = test
	j.Training.OnIteration = func(m optim.Metrics) error { t.Errorf("iteration %d is made again", m.Iteration); return nil }
	again, err := Resume(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if _, _, err := again.Train(t.Context(), j); err != nil || again.Resumable() {
		t.Fatalf("%v, resumable: %t", err, again.Resumable())
	}
	if !bytes.Equal(read(t, again, model.FileName), read(t, whole, model.FileName)) {
		t.Error("the resumed run has another model")
	}
}

// TestPruneLarge: a pruned model and the one before are measured on all rows.
func TestPruneLarge(t *testing.T) {
	j := large(t)
	r := created(t, t.TempDir(), nil)
	result, _, err := r.Train(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	o, err := tskgraph.RecipeOf(result.Model)
	if err != nil {
		t.Fatal(err)
	}
	o.Prune.Rounds, o.Train.Iterations = 1, 10
	j.Training = tskgraph.Run{Recipe: o}
	pruned := created(t, t.TempDir(), nil)
	_, s, err := pruned.Prune(t.Context(), j, Saved{Model: result.Model, Path: "model.json"})
	if err != nil {
		t.Fatal(err)
	}
	if s.SamplesTrain != j.Parts.Train.Whole.Len() || s.Before.Errors.Test.Samples != j.Parts.Test.Whole.Len() {
		t.Errorf("measured on %d training rows, and %d test rows before pruning", s.SamplesTrain, s.Before.Errors.Test.Samples)
	}
}

// TestRuleLengthOfMembers: a member whose rows lack a level has fewer inputs than the committee.
func TestRuleLengthOfMembers(t *testing.T) {
	var table strings.Builder
	table.WriteString("kind,x,y\n")
	for i := range 60 {
		kind := []string{"a", "b"}[i%2]
		if i%10 == 9 {
			kind = "rare " + string(rune('a'+i/10))
		}
		table.WriteString(kind + "," + string(rune('0'+i%7)) + "," + string(rune('1'+i%9)) + "\n")
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte(table.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	parts := testenv.Must(data.Source{Path: path, Options: data.Options{Target: "y"}, Split: data.Split{Train: 1}}.Load(t.Context()))
	o := tskgraph.Paper()
	o.Model.Rules, o.Train.Iterations, o.Train.Members = 3, 5, 5
	m := testenv.Must(tskgraph.Run{Recipe: o}.Train(t.Context(), parts.Train, nil)).Model
	fewer := slices.ContainsFunc(m.Members, func(one *model.Model) bool { return len(one.Inputs()) < len(m.Inputs()) })
	if got := ruleLength(m); !fewer || !(got > 0 && got <= float64(len(m.Inputs()))) {
		t.Errorf("%v conditions; a member with fewer inputs: %v", got, fewer)
	}
}

// TestProvePromises proves or refutes the directions that a configuration promises, before the model is saved, and keeps the proofs.
func TestProvePromises(t *testing.T) {
	var notes []string
	r := created(t, t.TempDir(), func(text string) { notes = append(notes, text) })
	m := exporttest.Case{Shape: "gaussian", Response: "number"}.Model(t)
	column := m.Schema.Columns[0].Name
	broken := 0
	for _, direction := range []string{certify.Increasing, certify.Decreasing} {
		m.Training.Options = map[string]string{certify.MonotoneKey: `{"` + column + `": {"*": "` + direction + `"}}`}
		if err := r.provePromises(t.Context(), m); err != nil {
			broken++
			if !strings.Contains(err.Error(), "predictions of") || strings.Count(err.Error(), "\n") != 3 {
				t.Errorf("%s: %v", direction, err)
			}
		}
	}
	for _, w := range m.RuleBase.Consequents { // the column is in no formula, and in no condition
		w[1] = 0
	}
	for r := range m.RuleBase.Rules() {
		m.RuleBase.Flatten(r, 0)
	}
	err := r.provePromises(t.Context(), m)
	if err != nil || broken == 0 || len(notes) == 0 || !strings.Contains(notes[len(notes)-1], "proved: ") {
		t.Errorf("%v, %d broken promises, notes %q", err, broken, notes)
	}
	if lines := certify.Beside(r.Path(), m).Sentences(); len(lines) == 0 || !strings.HasPrefix(lines[0], "proved: ") {
		t.Errorf("the page on the run says %q", lines)
	}
	m.Training.Options[certify.MonotoneKey] = "x"
	if err := r.provePromises(t.Context(), m); err == nil {
		t.Error("a promise that is not JSON is accepted")
	}
}
