package study

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/beam/filestest"
	"github.com/tskgraph/tskgraph/beam/state"
	"github.com/tskgraph/tskgraph/internal/app/command"
	"github.com/tskgraph/tskgraph/internal/study"
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

// small returns a study of two tables, of runs some of which need the result of another.
func small(t *testing.T) study.Plan {
	t.Helper()
	var paths []string
	for _, name := range []string{"one", "two"} {
		text := "a,b,y\n"
		for i := range 60 {
			a, b := i*7%13, i*5%11
			text += fmt.Sprintf("%d,%d,%d\n", a, b, a*a+len(name)*b+i%3)
		}
		path := filepath.Join(t.TempDir(), name+".csv")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	sets, err := study.OwnSets(paths, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range sets {
		sets[i].Rules = 4
	}
	algorithms, err := study.FindAlgorithms([]string{study.VariantPruning, study.VariantR})
	if err != nil {
		t.Fatal(err)
	}
	return study.Plan{Sets: sets, Algorithms: algorithms, Memberships: []string{"gaussian", "trapezoid"}, Repeats: 2, Seed: 3,
		Store: filepath.Join(t.TempDir(), command.ResultsDir)}
}

func driver(t *testing.T) *Driver {
	t.Helper()
	return &Driver{Cluster: &cluster.Options{Runner: "prism"}, State: state.Place(t.TempDir()), Out: io.Discard}
}

// run runs a study, with a driver if there is one, and returns its result files by name.
func run(t *testing.T, d *Driver, p study.Plan) map[string]string {
	t.Helper()
	if d != nil {
		if err := d.Attach(t.Context(), &p, filepath.Dir(p.Store)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(p.Store, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	held := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		held[filepath.Base(path)] = string(text)
	}
	return held
}

// A study with a cluster has the results of a study here, to the byte, and computes only those that neither the study nor an earlier
// job has.
func TestStudy(t *testing.T) {
	p := small(t)
	want := run(t, nil, p)
	d := driver(t)
	apart := p
	apart.Store = t.TempDir()
	if got := run(t, d, apart); fmt.Sprint(got) != fmt.Sprint(want) || len(got) != 16 || d.Counters["groups"] != 8 {
		t.Errorf("%d results of %v, want %d", len(got), d.Counters, len(want))
	}

	lost := ""
	for name, text := range want {
		if strings.Contains(text, `"algorithm":"`+study.VariantR+`"`) {
			lost = name
		}
	}
	again := *driver(t) // one that knows nothing: the rest of the group comes from the study
	if err := os.Remove(filepath.Join(apart.Store, lost)); err != nil {
		t.Fatal(err)
	}
	got := run(t, &again, apart)
	written, err := filepath.Glob(filepath.Join(string(again.State), "results", "*"))
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) || again.Counters["groups"] != 1 || len(written) != 1 ||
		filepath.Base(written[0]) != lost {
		t.Errorf("%d results, %v: %v, want %s", len(got), again.Counters, written, lost)
	}

	if err := os.Remove(filepath.Join(string(d.State), "results", lost)); err != nil {
		t.Fatal(err)
	}
	third := *d
	third.Counters = nil
	apart.Store = t.TempDir() // the study lost everything, the state one result
	if got := run(t, &third, apart); fmt.Sprint(got) != fmt.Sprint(want) || third.Counters["groups"] != 1 {
		t.Errorf("%d results, %v", len(got), third.Counters)
	}
}

// The name of the directory of the state is that which a study tolerates in its directory.
func TestState(t *testing.T) {
	if state.Dir != command.StateDir {
		t.Errorf("%s, but %s", state.Dir, command.StateDir)
	}
	dir := t.TempDir()
	for _, name := range []string{state.Dir, command.ResultsDir} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := command.OwnExperiment(dir); err != nil {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(dir, command.ResultsDir)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "other"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := command.OwnExperiment(dir); err == nil {
		t.Error("a directory of something else is a study")
	}
}

// A worker of another program refuses to compute.
func TestOtherWorker(t *testing.T) {
	s, err := specOf(small(t))
	if err != nil {
		t.Fatal(err)
	}
	s.Program["arithmetic"] = "riscv64"
	j := job{t.TempDir(), t.TempDir()}
	if err := state.WriteJSON(t.Context(), j.specFile(), s); err != nil {
		t.Fatal(err)
	}
	if _, err := j.load(t.Context()); err == nil || !strings.Contains(err.Error(), "arithmetic was riscv64") {
		t.Error(err)
	}
}

// The state may be in an object store.
func TestStores(t *testing.T) {
	p := small(t)
	p.Repeats = 1
	want := run(t, nil, p)
	for _, scheme := range filestest.Schemes {
		d := driver(t)
		d.State = state.Place(scheme + "://" + filestest.Bucket + "/of/studies")
		for i, groups := range []int64{4, 0} { // the second finds all
			p.Store, d.Counters = t.TempDir(), nil
			if got := run(t, d, p); fmt.Sprint(got) != fmt.Sprint(want) || d.Counters["groups"] != groups {
				t.Errorf("%s, run %d: %d results, %v", scheme, i+1, len(got), d.Counters)
			}
		}
	}
}
