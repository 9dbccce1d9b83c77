package search

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/beam/filestest"
	"github.com/tskgraph/tskgraph/beam/state"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/tune"
)

func TestMain(m *testing.M) {
	flag.Parse()
	stores, err := filestest.Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	beam.Init()
	code := m.Run()
	stores.Close()
	os.Exit(code)
}

const settings = `
preset: paper
data: {builtin: friedman1, train: 0.2}
model: {rules: 2}
train: {iterations: 20, batch: 16%s}
tune: {rules: [2, 8], iterations: [20, 150], membership: [gaussian], folds: 3}
`

// small returns the training part and the configuration of a small search. more is added to section train.
func small(t *testing.T, more string) (*data.Dataset, *config.Config) {
	t.Helper()
	c, err := config.Load(config.Source{Text: []byte(strings.Replace(settings, "%s", more, 1))})
	if err != nil {
		t.Fatal(err)
	}
	parts, err := c.Data.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return parts.Train, c
}

const race = `, race: [{iterations: 20, init: one-feature}, {iterations: 20, droprule: 1, batch: 32}]`

// searched runs a search in a directory, here without a driver.
func searched(t *testing.T, d *Driver, dir, more string, trials int) (*tune.Result, error) {
	t.Helper()
	train, c := small(t, more)
	o := c.Tune
	o.Trials, o.Dir, o.Began = trials, dir, time.Now()
	if d != nil {
		o.Measure = d.Measure(train, c, o)
	}
	return tune.Search(t.Context(), train, c.Recipe, o)
}

func driver(t *testing.T) *Driver {
	t.Helper()
	return &Driver{Cluster: &cluster.Options{Runner: "prism"}, State: state.Place(t.TempDir()), Out: io.Discard}
}

// contents returns the files below a directory.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	held := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		held[strings.TrimPrefix(path, dir)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return held
}

func same(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s is %q, want %q", name, got[name], text)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
}

// A search with a cluster chooses what a search here chooses, and leaves the same files, from settings and from a race, which runs in
// the cluster, too. What workers have written is not measured again: if some of it is lost, that alone.
func TestSearch(t *testing.T) {
	for name, more := range map[string]string{"settings": "", "race": race} {
		t.Run(name, func(t *testing.T) {
			here, there := t.TempDir(), t.TempDir()
			want, err := searched(t, nil, here, more, 12)
			if err != nil {
				t.Fatal(err)
			}
			d := driver(t)
			got, err := searched(t, d, there, more, 12)
			if err != nil {
				t.Fatal(err)
			}
			if got.Chosen.Settings.String() != want.Chosen.Settings.String() || got.Fits != want.Fits {
				t.Errorf("chose %v after %d fits, want %v after %d", got.Chosen.Settings, got.Fits, want.Chosen.Settings, want.Fits)
			}
			same(t, contents(t, there), contents(t, here))
			raced := int64(0)
			if _, err := os.Stat(filepath.Join(here, "trials", "race.json")); err == nil {
				raced = 1
			}
			if d.Counters["fits made"] != int64(want.Fits)+raced || (raced == 1) != (more != "") {
				t.Errorf("%v, race %d, want %d fits", d.Counters, raced, want.Fits)
			}

			files, err := filepath.Glob(filepath.Join(string(d.State), "*", "fits", "0002-*"))
			if err != nil || len(files) == 0 {
				t.Fatal(err)
			}
			if err := os.Remove(files[0]); err != nil {
				t.Fatal(err)
			}
			again := *d
			there = t.TempDir() // a new directory, with the state of before
			if _, err := searched(t, &again, there, more, 12); err != nil {
				t.Fatal(err)
			}
			same(t, contents(t, there), contents(t, here))
			if again.Counters["fits made"] != 1 {
				t.Errorf("%v, want the fit that was lost", again.Counters)
			}
		})
	}
}

// A search that began here continues in the cluster, which knows what was measured here, and a damaged file is measured again.
func TestContinued(t *testing.T) {
	here, there := t.TempDir(), t.TempDir()
	want, err := searched(t, nil, here, "", 12)
	if err != nil {
		t.Fatal(err)
	}
	few, err := searched(t, nil, there, "", 9)
	if err != nil {
		t.Fatal(err)
	}
	d := driver(t)
	if _, err := searched(t, d, there, "", 12); err != nil {
		t.Fatal(err)
	}
	same(t, contents(t, there), contents(t, here))
	if n := d.Counters["fits made"]; n == 0 || n > int64(want.Fits-few.Fits)+3 { // other finalists
		t.Errorf("%d fits made, want those after the first %d of %d", n, few.Fits, want.Fits)
	}
	files, err := filepath.Glob(filepath.Join(string(d.State), "*", "fits", "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for i, text := range []string{"", "{", `{"trial":1,"fit":{"rmse":1}}`} {
		if err := os.WriteFile(files[i%len(files)], []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	there = t.TempDir()
	if _, err := searched(t, d, there, "", 12); err != nil {
		t.Fatal(err)
	}
	same(t, contents(t, there), contents(t, here))
}

// Trials that diverge are results; if all do, the search fails as it does here.
func TestDiverging(t *testing.T) {
	more := ", optimizer: sgd, learning_rate: 1.0e+9"
	here, there := t.TempDir(), t.TempDir()
	_, want := searched(t, nil, here, more, 4)
	_, got := searched(t, driver(t), there, more, 4)
	if !errors.Is(got, tune.ErrFailed) || got.Error() != want.Error() {
		t.Errorf("%v, want %v", got, want)
	}
	same(t, contents(t, there), contents(t, here))
}

// A worker of another program or kind of processor refuses to measure.
func TestOtherWorker(t *testing.T) {
	train, c := small(t, "")
	o := c.Tune
	o.Trials = 1
	j, _, err := newJob(t.Context(), t.TempDir(), train, c, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.send(t.Context(), train, nil); err != nil {
		t.Fatal(err)
	}
	other := j
	other.Dir += "-other"
	other.Identity = checkpoint.Identity{"arithmetic": "riscv64"}
	for name, v := range j.Identity {
		if name != "arithmetic" {
			other.Identity[name] = v
		}
	}
	if err := other.send(t.Context(), train, nil); err != nil {
		t.Fatal(err)
	}
	_, err = (driver(t)).Cluster.Run(t.Context(), pipelineOf(driver(t).Cluster, other, 1), cluster.Plan{}, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "arithmetic was riscv64") {
		t.Error(err)
	}
}

// The state may be in an object store.
func TestStores(t *testing.T) {
	here := t.TempDir()
	want, err := searched(t, nil, here, "", 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, scheme := range filestest.Schemes {
		d := driver(t)
		d.State = state.Place(scheme + "://" + filestest.Bucket + "/of/searches")
		for run, made := range []int64{int64(want.Fits), 0} { // the second finds all
			there := t.TempDir()
			if _, err := searched(t, d, there, "", 3); err != nil {
				t.Fatal(err)
			}
			same(t, contents(t, there), contents(t, here))
			if d.Counters["fits made"] != made {
				t.Errorf("%s, run %d: %v, want %d fits", scheme, run+1, d.Counters, made)
			}
		}
	}
}
