package study

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// madeUp writes small made-up data sets to a directory and returns their manifest.
func madeUp(dir string, names ...string) []Set {
	var sets []Set
	for i, name := range names {
		rng := rand.New(rand.NewPCG(uint64(i), 3))
		s := Set{Name: name, Title: strings.ToUpper(name), File: name + ".csv", Target: "y", Samples: 60, Features: 2, Rules: 5, ANFIS: i == 0,
			Columns: []string{"a", "b", "y"}}
		text := strings.Join(s.Columns, ",") + "\n"
		for range s.Samples {
			a, b := rng.NormFloat64(), rng.NormFloat64()
			text += fmt.Sprintf("%.6f,%.6f,%.6f\n", a, b, math.Sin(2*a)+b*b+0.1*rng.NormFloat64())
		}
		sum := sha256.Sum256([]byte(text))
		s.SHA256 = hex.EncodeToString(sum[:])
		put(filepath.Join(dir, s.File), text)
		sets = append(sets, s)
	}
	return sets
}

// put writes a file.
func put(path, content string) {
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		panic(err)
	}
}

// small returns a study of made-up data.
func small(t testing.TB, algorithms ...string) Plan {
	t.Helper()
	dir := t.TempDir()
	found := testenv.Must(FindAlgorithms(algorithms))
	return Plan{
		Dir: dir, Sets: madeUp(dir, "one", "two"), Algorithms: found, Memberships: []string{"gaussian", "trapezoid"},
		Repeats: 2, Seed: 1, Workers: 2, Store: filepath.Join(dir, "results"),
	}
}

// outcome runs a study and returns all its results as text.
func outcome(t *testing.T, s Plan) string {
	t.Helper()
	rs := testenv.Must(s.Run(context.Background()))
	comparisons := rs.Comparisons()
	return string(testenv.Must(json.MarshalIndent([]any{rs.Runs, rs.Summarise(), comparisons, OverallAnswers(comparisons)}, "", " ")))
}

// files returns the result files of a store, by name.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	paths := testenv.Must(filepath.Glob(filepath.Join(dir, "*.json")))
	held := map[string]string{}
	for _, path := range paths {
		content := testenv.Must(os.ReadFile(path))
		held[filepath.Base(path)] = string(content)
	}
	return held
}

// TestWorkersAndShards: one worker, two workers, and two shards whose result files are merged give the same bytes.
func TestWorkersAndShards(t *testing.T) {
	s := small(t, VariantR0, VariantR, GDR0)
	whole := outcome(t, s)

	one := s
	one.Workers, one.Store = 1, t.TempDir()
	if outcome(t, one) != whole {
		t.Error("one worker: other results than two")
	}
	if held := files(t, one.Store); len(held) == 0 || fmt.Sprint(held) != fmt.Sprint(files(t, s.Store)) {
		t.Errorf("one worker: other result files than two (%d)", len(held))
	}

	merged := s
	merged.Store = t.TempDir()
	count := 0
	for i := 1; i <= 2; i++ {
		shard := s
		shard.Shard, shard.Store = Shard{i, 2}, t.TempDir()
		outcome(t, shard)
		for name, content := range files(t, shard.Store) {
			count++
			put(filepath.Join(merged.Store, name), content)
		}
	}
	merged.OnProgress = func(p Progress) { t.Errorf("ran again after the shards: %+v", p) }
	if outcome(t, merged) != whole {
		t.Error("merged shards: other results than the whole")
	}
	if count != len(files(t, s.Store)) {
		t.Errorf("the shards made %d results, the whole %d", count, len(files(t, s.Store)))
	}
}

// TestResume: an interrupted study stores what it finished, resumes there, and ends with the results of an uninterrupted one.
func TestResume(t *testing.T) {
	s := small(t, VariantR0, VariantR)
	whole := s
	whole.Store = t.TempDir()
	want := outcome(t, whole)

	ctx, cancel := context.WithCancel(context.Background())
	s.OnProgress = func(p Progress) {
		if p.Done == 5 {
			cancel()
		}
	}
	if _, err := s.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want context.Canceled", err)
	}
	kept := len(files(t, s.Store))
	if kept < 5 {
		t.Fatalf("%d results were stored", kept)
	}
	runs := 0
	s.OnProgress = func(p Progress) {
		if runs++; p.Done != runs || p.Share > 1+1e-9 || (p.Done == p.Total) != (p.Share > 1-1e-9) {
			t.Errorf("progress %+v at run %d", p, runs)
		}
	}
	if outcome(t, s) != want {
		t.Error("other results than without the interruption")
	}
	if all := len(files(t, whole.Store)); kept+runs != all {
		t.Errorf("%d were stored and %d run, of %d", kept, runs, all)
	}
}

// TestRulesFromPruning: vMBGD-RDA[R] starts with the rules that pruning left in its own repeat, whether or not pruning was requested.
func TestRulesFromPruning(t *testing.T) {
	s := small(t, VariantR, VariantPruning)
	s.Sets = s.Sets[:1]
	rs := testenv.Must(s.Run(context.Background()))
	for _, set := range s.Sets {
		for _, shape := range s.Memberships {
			pruned, direct := rs.of(set.Name, shape, VariantPruning), rs.of(set.Name, shape, VariantR)
			if len(pruned) != s.Repeats || len(direct) != s.Repeats {
				t.Fatalf("%d and %d results", len(pruned), len(direct))
			}
			for i := range pruned {
				if direct[i].Rules[0] != pruned[i].FinalRules() {
					t.Errorf("%s, %s, repeat %d: started with %d rules, pruning left %d", set.Name, shape, i+1, direct[i].Rules[0], pruned[i].FinalRules())
				}
			}
		}
	}
	alone := s
	alone.Algorithms, alone.Store = s.Algorithms[1:], t.TempDir()
	rs = testenv.Must(alone.Run(context.Background()))
	for _, r := range rs.Runs {
		if r.Algorithm != VariantR {
			t.Fatalf("result of %s, which was not requested", r.Algorithm)
		}
	}
	if len(files(t, alone.Store)) != 2*len(rs.Runs) {
		t.Errorf("%d results are stored for %d runs and their prunings", len(files(t, alone.Store)), len(rs.Runs))
	}
}

// TestCurves: measuring the test RMSE of every iteration changes no result, the last one
// is that of the model, and the results serve a study without curves.
func TestCurves(t *testing.T) {
	s := small(t, VariantR0)
	plain := s
	plain.Store = t.TempDir()
	want := outcome(t, plain)
	s.Curves = true
	rs := testenv.Must(s.Run(context.Background()))
	for _, r := range rs.Runs {
		if len(r.Curve) != 500 || math.Abs(r.Curve[499]-r.RMSE) > 1e-9*r.RMSE {
			t.Fatalf("%d points, the last %v; RMSE %v", len(r.Curve), r.Curve[len(r.Curve)-1], r.RMSE)
		}
	}
	s.Curves, s.OnProgress = false, func(Progress) { t.Error("ran again") }
	if outcome(t, s) != want {
		t.Error("measuring curves changed the results")
	}
}

// TestStoreRefuses: a file that does not hold the result of its name is an error.
func TestStoreRefuses(t *testing.T) {
	s := small(t, VariantR0)
	outcome(t, s)
	held := files(t, s.Store)
	var names []string
	for name := range held {
		names = append(names, name)
	}
	for what, content := range map[string]string{
		"truncated": held[names[0]][:100],
		"another":   held[names[1]],
		"empty":     "",
		"no rule":   `{"identity":{},"result":{}}`,
	} {
		put(filepath.Join(s.Store, names[0]), content)
		if _, err := s.Run(context.Background()); err == nil || !strings.Contains(err.Error(), "delete it") {
			t.Errorf("%s: error %v", what, err)
		}
	}
}

func TestRefusedStudies(t *testing.T) {
	twice := small(t)
	twice.Memberships = []string{"gaussian", "gaussian"}
	if _, err := twice.Run(context.Background()); err == nil || !strings.Contains(err.Error(), "named twice") {
		t.Errorf("a shape named twice: error %v", err)
	}
	for what, change := range map[string]func(*Plan){
		"--repeats":    func(s *Plan) { s.Repeats = 0 },
		"--workers":    func(s *Plan) { s.Workers = -1 },
		"--datasets":   func(s *Plan) { s.Sets = nil },
		"--membership": func(s *Plan) { s.Memberships = []string{"gausian"} },
		"--shard":      func(s *Plan) { s.Shard = Shard{3, 2} },
		"--algorithms": func(s *Plan) { // ANFIS does not run on set two
			s.Sets, s.Algorithms = s.Sets[1:], []Algorithm{Algorithms()[7]}
		},
	} {
		s := small(t)
		change(&s)
		_, err := s.Run(context.Background())
		var option *tskgraph.RecipeError
		if !errors.As(err, &option) || option.Key != what {
			t.Errorf("%s: error %v", what, err)
		}
	}
}

// TestOtherData: files that are not those of the manifest are refused, with the first difference.
func TestOtherData(t *testing.T) {
	for want, change := range map[string]func(string) string{
		"CR LF":                      func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		`column 2 is "c", want "b"`:  func(s string) string { return strings.Replace(s, "b", "c", 1) },
		`column "y" is missing`:      func(s string) string { return strings.Replace(s, ",y", "", 1) },
		`column "z" is not expected`: func(s string) string { return strings.Replace(s, ",y", ",y,z", 1) },
		"61 rows, want 60":           func(s string) string { return s + "1,2,3" },
		"values":                     func(s string) string { return strings.Replace(s, "0", "1", 1) },
	} {
		s := small(t, VariantR0)
		path := filepath.Join(s.Dir, s.Sets[1].File)
		content := testenv.Must(os.ReadFile(path))
		put(path, change(string(content)))
		_, err := s.Run(context.Background())
		var fault *data.Error
		if !errors.As(err, &fault) || fault.File != path || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	s := small(t, VariantR0)
	s.Dir = t.TempDir()
	if _, err := s.Run(context.Background()); err == nil || !strings.Contains(err.Error(), "docs/datasets.md") {
		t.Errorf("no file: error %v", err)
	}
}

// TestEveryAlgorithm: each algorithm trains, starts with the number of rules of its name, and has a test RMSE of the order of the target.
func TestEveryAlgorithm(t *testing.T) {
	s := small(t)
	s.Repeats = 1
	rs := testenv.Must(s.Run(context.Background()))
	seen := map[string]bool{}
	for _, r := range rs.Runs {
		seen[r.Algorithm] = true
		want := 5
		switch r.Algorithm {
		case MBGDRDA:
			want = 4 // the grid of two inputs
		case VariantR, FullR, GDR, LSER:
			want = rs.of(r.Dataset, r.Membership, VariantPruning)[0].FinalRules()
		}
		if r.Rules[0] != want {
			t.Errorf("%s starts with %d rules, want %d", r.Algorithm, r.Rules[0], want)
		}
		if !(r.RMSE > 0 && r.RMSE < 3) {
			t.Errorf("%s on %s, %s: RMSE %v", r.Algorithm, r.Dataset, r.Membership, r.RMSE)
		}
	}
	if len(seen) != len(Algorithms()) {
		t.Errorf("%d algorithms ran, of %d", len(seen), len(Algorithms()))
	}
}

// TestClassifiers runs trainings of preset paper on two splits of iris: all are far better than guessing, and they differ.
func TestClassifiers(t *testing.T) {
	testenv.SkipRace(t)
	iris, _, err := data.Builtin("iris")
	if err != nil {
		t.Fatal(err)
	}
	c, seen := Classifiers{Tables: []ClassTable{{"iris", iris}}, Repeats: 2, Seed: 1}, map[float64]string{}
	for _, training := range testenv.Draw(classTrainings()[:5], 2, 2, 0) {
		r := testenv.Must(c.measure(context.Background(), c.Tables[0], training))
		if !(r.Accuracy > 0.85) || !(r.LogLoss < 0.6) || r.AccuracySD == nil || r.Training != training.name {
			t.Errorf("%+v", r)
		}
		if other, same := seen[r.LogLoss]; same {
			t.Errorf("%s and %s are the same training", other, r.Training)
		}
		seen[r.LogLoss] = r.Training
	}
	if last := classTrainings()[5].recipe(7); last.Preset != "robust" || last.Train.Seed != 7 {
		t.Errorf("default: %+v", last)
	}
}

func TestClassifiersRefuse(t *testing.T) {
	friedman, _, err := data.Builtin("friedman1")
	if err != nil {
		t.Fatal(err)
	}
	for want, c := range map[string]Classifiers{
		"has no classes":     {Tables: []ClassTable{{"friedman1", friedman}}, Repeats: 1},
		"must be at least 1": {},
	} {
		fault := new(tskgraph.RecipeError)
		if _, err := c.Run(context.Background()); !errors.As(err, &fault) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %s", err, want)
		}
	}
}

// BenchmarkStudy runs one of the study's 30 repeats of the MBGD algorithms on the ten data sets with both shapes:
//
//	TSKGRAPH_DATA=dir go test -run '^$' -bench Study -benchtime 1x ./internal/study
func BenchmarkStudy(b *testing.B) {
	algorithms, err := FindAlgorithms([]string{VariantR0, VariantPruning, VariantR})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s := Plan{
			Dir: testenv.Data(b), Sets: Sets(), Algorithms: algorithms, Memberships: []string{"gaussian", "trapezoid"},
			Repeats: 1, Seed: 1, Store: b.TempDir(),
		}
		if _, err := s.Run(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}
