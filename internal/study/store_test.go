package study

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
)

// TestStoreLock: one study at a time uses a directory; the files of a killed study do not prevent it.
func TestStoreLock(t *testing.T) {
	dir := t.TempDir()
	for _, left := range []string{safefile.LockName, ".tskgraph-0123456789abcdef0123456789abcdef.json-0"} {
		put(filepath.Join(dir, left), "")
	}
	s, note, err := openStore(dir)
	if err != nil || note != "" {
		t.Fatal(note, err)
	}
	if _, _, err := openStore(dir); !errors.Is(err, safefile.ErrLocked) {
		t.Errorf("a second study: %v", err)
	}
	s.Close()
	if s, _, err = openStore(dir); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("files left: %v, %v", left, err)
	}
}

// TestForeignStore: a directory with other files is an error and stays unchanged; results,
// locks and temporary files, also of older versions, are no error.
func TestForeignStore(t *testing.T) {
	for _, c := range []struct {
		name string
		ours bool
	}{
		{"notes.txt", false}, {".backup-2024", false}, {".env.v2", false}, {".git", false}, {"report.md", false}, {".x1", false},
		{".tskgraph-notes", false},
		{"0123456789abcdef0123456789abcdef.json", true}, {".0123456789abcdef0123456789abcdef.json77", true},
		{".tskgraph-0123456789abcdef0123456789abcdef.json-0", true}, {safefile.LockName, true},
	} {
		dir := t.TempDir()
		put(filepath.Join(dir, c.name), "")
		s, _, err := openStore(dir)
		if ours := err == nil; ours != c.ours || !ours && !errors.As(err, new(*tskgraph.RecipeError)) {
			t.Errorf("%s: %v", c.name, err)
		}
		if err == nil {
			s.Close()
		}
		if left, err := os.ReadDir(dir); !c.ours && (err != nil || len(left) != 1) {
			t.Errorf("%s: the directory holds %v, %v", c.name, left, err)
		}
	}
}

// TestForeignFiles: a user's file among the results is an error, and nothing is removed.
func TestForeignFiles(t *testing.T) {
	names := []string{"0123456789abcdef0123456789abcdef.json", ".tskgraph-0123456789abcdef0123456789abcdef.json-0"}
	for _, name := range []string{".env.v2", ".backup-2024", ".x1"} {
		dir := t.TempDir()
		for _, name := range append(names, name) {
			put(filepath.Join(dir, name), "")
		}
		if _, _, err := openStore(dir); !errors.As(err, new(*tskgraph.RecipeError)) {
			t.Errorf("%s: %v", name, err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 3 {
			t.Errorf("%s: the directory holds %v, %v", name, left, err)
		}
	}
}

// TestIdentity: whatever determines a result changes its identity, and the directory of the
// data, the workers, the shard and what else the study runs do not.
func TestIdentity(t *testing.T) {
	type run struct {
		plan      Plan
		group     group
		algorithm Algorithm
		recipe    tskgraph.Recipe
	}
	of := func(change func(*run)) checkpoint.Identity {
		r := run{Plan{Seed: 1}, group{set: Set{Name: "one"}, shape: "gaussian", repeat: 1}, Algorithms()[1], tskgraph.Paper()}
		change(&r)
		return testenv.Must(identify(r.plan, &r.group, r.algorithm, r.recipe))
	}
	same := of(func(*run) {})
	for what, change := range map[string]func(*run){
		"data set": func(r *run) { r.group.set.Name = "x" }, "data": func(r *run) { r.group.set.SHA256 = "x" },
		"target": func(r *run) { r.group.set.Target = "x" }, "repeat": func(r *run) { r.group.repeat, r.plan.Seed = 2, 0 },
		"seed": func(r *run) { r.plan.Seed = 2 }, "algorithm": func(r *run) { r.algorithm = Algorithms()[2] },
		"rules": func(r *run) { r.recipe.Model.Rules++ }, "penalty": func(r *run) { r.recipe.Train.L2 *= 2 },
		"curves": func(r *run) { r.plan.Curves = true },
	} {
		if id := of(change); id.Hash() == same.Hash() {
			t.Errorf("%s: the identity is the same: %v", what, id)
		}
	}
	elsewhere := of(func(r *run) {
		r.plan.Dir, r.plan.Workers, r.plan.Shard, r.plan.Repeats, r.group.set.Title = "x", 3, Shard{1, 2}, 9, "x"
	})
	if changes := same.Differences(elsewhere); len(changes) > 0 {
		t.Errorf("the directory, workers, shard, repeats or title count: %v", changes)
	}
	program := testenv.Must(checkpoint.Of(tskgraph.Paper(), nil))
	for _, name := range slices.Sorted(maps.Keys(program)) {
		if same[name] != program[name] {
			t.Errorf("%s is %q, want %q as in every training", name, same[name], program[name])
		}
	}
}

// inMemory is a Keeper in memory.
type inMemory map[string][]byte

func (m inMemory) Load(name string) ([]byte, error) { return m[name], nil }
func (m inMemory) Path(name string) string          { return name }

func (m inMemory) Save(name string, content []byte) error {
	if m[name] != nil {
		return errors.New("saved twice: " + name)
	}
	m[name] = content
	return nil
}

// elsewhere lets a study have its groups computed by a worker, which forgets nothing, in any order. It counts the groups.
func elsewhere(t *testing.T, s Plan, kept inMemory) (Plan, *int) {
	t.Helper()
	groups := 0
	s.Fetch = kept.Load
	s.Spread = func(ctx context.Context, all []Group, tables map[string]*data.Dataset) error {
		w := NewWorker(s, func(name string) (*data.Dataset, error) { return tables[name], nil })
		rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, g := range all {
			groups++
			if err := w.Run(ctx, g, kept); err != nil {
				return fmt.Errorf("%v: %w", g, err)
			}
		}
		return nil
	}
	return s, &groups
}

// Groups that workers compute elsewhere give the same results and the same files, and what is there is not computed.
func TestSpread(t *testing.T) {
	s := small(t, VariantR0, VariantR)
	whole := outcome(t, s)
	want := files(t, s.Store)

	apart, kept := s, inMemory{}
	apart.Store = t.TempDir()
	apart, groups := elsewhere(t, apart, kept)
	if outcome(t, apart) != whole {
		t.Error("elsewhere: other results than here")
	}
	if held := files(t, apart.Store); len(held) != len(want) || fmt.Sprint(held) != fmt.Sprint(want) || *groups != 8 {
		t.Errorf("elsewhere: other result files than here, or %d groups", *groups)
	}

	var paths []string // of runs on which no others depend
	for name, content := range want {
		if strings.Contains(content, `"algorithm":"`+VariantR+`"`) {
			paths = append(paths, filepath.Join(apart.Store, name))
		}
	}
	for _, path := range paths[:3] {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if outcome(t, apart) != whole || *groups != 8 {
		t.Errorf("results that were elsewhere were computed: %d groups", *groups)
	}
	for _, path := range paths[:3] {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		delete(kept, filepath.Base(path))
	}
	few := inMemory{} // the worker has nothing but what is known to the study
	apart, groups = elsewhere(t, apart, few)
	if outcome(t, apart) != whole || *groups < 2 || len(few) != 3 {
		t.Errorf("%d groups, %d results were computed, want the 3 that were removed", *groups, len(few))
	}
}

// A result with a curve serves a worker, too, and a study in which results are missing says so.
func TestSpreadKnown(t *testing.T) {
	s := small(t, VariantPruning)
	s.Curves = true
	outcome(t, s)
	s.Curves = false
	s.Algorithms = testenv.Must(FindAlgorithms([]string{VariantR}))
	kept := inMemory{}
	apart, _ := elsewhere(t, s, kept)
	outcome(t, apart)
	if len(kept) != 8 {
		t.Errorf("%d results were computed, want those that start after pruning", len(kept))
	}

	apart.Store = t.TempDir()
	apart.Spread = func(context.Context, []Group, map[string]*data.Dataset) error { return nil }
	apart.Fetch = nil
	if _, err := apart.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "on one, gaussian, repeat 1 has no result") {
		t.Error(err)
	}
	gone := errors.New("gone")
	apart.Spread = func(context.Context, []Group, map[string]*data.Dataset) error { return gone }
	if _, err := apart.Run(t.Context()); !errors.Is(err, gone) {
		t.Error(err)
	}
	damaged := func(string) ([]byte, error) { return []byte("{}"), nil }
	apart.Fetch = damaged
	if _, err := apart.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "holds another result") {
		t.Error(err)
	}
	if held := files(t, apart.Store); len(held) > 0 {
		t.Errorf("%d damaged results were kept", len(held))
	}
}
