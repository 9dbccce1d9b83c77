package contract_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/contract"
	"github.com/tskgraph/tskgraph/model"
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
	d := soakTable(b)
	for b.Loop() {
		var held []holding
		for i := range soaked {
			name := names[i%len(names)]
			if err := liveAndDie(all[name], d); err != nil {
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

func soakTable(t testing.TB) *data.Dataset {
	t.Helper()
	parts, err := data.Source{Builtin: "friedman1"}.Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	// Three features keep grids small.
	var x [][]float64
	for _, row := range parts.Train.X[:48] {
		x = append(x, row[:3])
	}
	d, err := data.New([]string{"a", "b", "c"}, "y", x, parts.Train.Y[:48])
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// liveAndDie trains a model, predicts, saves and loads it.
func liveAndDie(e contract.Estimator, d *data.Dataset) error {
	m, err := e.Fit(d, 0)
	if err != nil {
		return err
	}
	if _, err := m.Predict(d.X); err != nil {
		return err
	}
	var file, out bytes.Buffer
	if err := m.Encode(&file); err != nil {
		return err
	}
	again, err := model.Decode(&file)
	if err != nil {
		return err
	}
	_, err = again.PredictTable(context.Background(), data.Input{Name: "t.csv", Reader: strings.NewReader("c,a,b\n1,2,3\n")}, model.TableOptions{}, &out)
	return err
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
