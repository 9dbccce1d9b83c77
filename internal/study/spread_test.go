package study

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
)

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
	var err error
	if s.Algorithms, err = FindAlgorithms([]string{VariantR}); err != nil {
		t.Fatal(err)
	}
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
