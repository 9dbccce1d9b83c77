package fit_test

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/beam/fit"
	_ "github.com/tskgraph/tskgraph/data/table/csv"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/config"
)

// write writes a table of n rows as so many files of one name each, and returns their pattern.
func write(t *testing.T, n, files int) string {
	t.Helper()
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 2))
	for k := range files {
		var b strings.Builder
		b.WriteString("x,colour,y\n")
		for range n / files {
			x := rng.NormFloat64()
			fmt.Fprintf(&b, "%.3f,%s,%.3f\n", x, []string{"red", "green", "blue"}[rng.IntN(3)], 1e6+x*x+0.1*rng.NormFloat64())
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("part-%02d.csv", k)), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "part-*.csv")
}

// load returns a small configuration for the table at a path.
func load(t *testing.T, path string, set ...string) *config.Config {
	t.Helper()
	if !slices.ContainsFunc(set, func(key string) bool { return strings.HasPrefix(key, "data.test_path") }) {
		set = append([]string{"data.train=0.95"}, set...)
	}
	c, err := config.Load(config.Source{Set: append([]string{
		"data.path=" + path, "data.target=y", "model.rules=2", "train.iterations=20", "train.race=[]", "output.dir=" + t.TempDir(),
	}, set...)})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// run trains, and returns the directory of the run.
func run(t *testing.T, c *config.Config, o fit.Options) (dir string, err error) {
	t.Helper()
	job, err := fit.New(t.Context(), c, o, &cluster.Options{Runner: "prism"})
	if err != nil {
		return "", err
	}
	if dir, err = runs.NewDir(c.Output.Dir, "run"); err != nil {
		t.Fatal(err)
	}
	_, err = job.Run(t.Context(), dir, io.Discard)
	return dir, err
}

// hashes returns those of files of a run; of statistics.json without what was printed, which has times.
func hashes(t *testing.T, dir string, names ...string) (all []string) {
	t.Helper()
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if name == fit.StatisticsFile {
			var s fit.Statistics
			if err := json.Unmarshal(text, &s); err != nil {
				t.Fatal(err)
			}
			s.Summary = nil
			text = fmt.Appendf(nil, "%+v", asText(t, s))
		}
		all = append(all, fmt.Sprintf("%s %x", name, sha256.Sum256(text)))
	}
	return all
}

func asText(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// plain trains as tskgraph train does.
func plain(t *testing.T, c *config.Config) string {
	t.Helper()
	parts, err := c.Data.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer parts.Close()
	r, err := runs.Create(c.Output.Dir, "plain", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, _, err := r.Train(t.Context(), runs.NewJob(c, parts, time.Now())); err != nil {
		t.Fatal(err)
	}
	return r.Path()
}

// The samples are those of tskgraph train, and neither these nor statistics and model depend on the shards.
func TestSample(t *testing.T) {
	path := write(t, 216_000, 2)
	c := load(t, path)
	want := hashes(t, plain(t, c), "train.csv", "test.csv")
	var before []string
	for _, split := range []int64{256 << 20, 500_000} { // 2 and 8 shards
		dir, err := run(t, c, fit.Options{Train: fit.TrainSample, Split: split})
		if err != nil {
			t.Fatal(err)
		}
		if got := hashes(t, dir, "train.csv", "test.csv"); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("shards of %d bytes: samples %v, want %v", split, got, want)
		}
		got := hashes(t, dir, "model.json", "metrics.jsonl", fit.StatisticsFile, "train.csv", "test.csv")
		if before != nil && fmt.Sprint(got) != fmt.Sprint(before) {
			t.Errorf("shards of %d bytes: %v, were %v", split, got, before)
		}
		before = got
	}
}

// A small table, and one of which all rows are trained on, have the model and the parts of tskgraph train; statistics are those of
// these parts.
func TestAsTrain(t *testing.T) {
	for _, one := range []struct {
		rows int
		mode string
		set  []string
	}{
		{6000, fit.TrainSample, []string{"data.calibration=0.2", "data.validation=0.02", "data.train=0.9"}},
		{6000, fit.TrainAll, []string{"data.split=chronological"}},
		{213_000, fit.TrainAll, nil},
	} {
		c := load(t, write(t, one.rows, 3), one.set...)
		dir, err := run(t, c, fit.Options{Train: one.mode, Split: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		names := []string{"model.json", "metrics.jsonl", "train.csv", "test.csv", "config.yaml"}
		if got, want := hashes(t, dir, names...), hashes(t, plain(t, c), names...); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%d rows, %s: %v, want %v", one.rows, one.mode, got, want)
		}
		text, err := os.ReadFile(filepath.Join(dir, fit.StatisticsFile))
		if err != nil {
			t.Fatal(err)
		}
		var s fit.Statistics
		if err := json.Unmarshal(text, &s); err != nil {
			t.Fatal(err)
		}
		rows := 0
		for _, p := range s.Parts {
			rows += p.Rows
			if csv, err := os.ReadFile(filepath.Join(dir, p.Name+".csv")); err != nil || one.rows < 10_000 &&
				strings.Count(string(csv), "\n")-1 != p.Rows {
				t.Errorf("%s: %d rows, another number in the table: %v", p.Name, p.Rows, err)
			}
		}
		if rows != one.rows || s.Rows != one.rows || len(s.Parts) < 2 {
			t.Errorf("%d rows in %d parts, of %d, want %d", rows, len(s.Parts), s.Rows, one.rows)
		}
	}
}

// A committee does not depend on the shards.
func TestCommittee(t *testing.T) {
	c := load(t, write(t, 8000, 2), "train.members=3", "data.calibration=0.1", "data.validation=0.05", "data.train=0.8")
	var before []string
	for _, split := range []int64{256 << 20, 30_000} {
		dir, err := run(t, c, fit.Options{Train: fit.TrainCommittee, Split: split})
		if err != nil {
			t.Fatal(err)
		}
		got := hashes(t, dir, "model.json", "metrics.jsonl", fit.StatisticsFile, "train.csv")
		if before != nil && fmt.Sprint(got) != fmt.Sprint(before) {
			t.Errorf("shards of %d bytes: %v, were %v", split, got, before)
		}
		before = got
	}
	if _, err := run(t, load(t, c.Data.Path), fit.Options{Train: fit.TrainCommittee}); cluster.ExitCode(err) != message.ExitUsage {
		t.Errorf("a committee of one member: %v", err)
	}
}

// Faults of the table and of files that vanish are errors that name them, and leave no run.
func TestFaults(t *testing.T) {
	path := write(t, 4000, 2)
	for name, change := range map[string]func(file string) error{
		"no such file": os.Remove,
		"shorter":      func(file string) error { return os.WriteFile(file, []byte("x,colour,y\n1,red,2\n"), 0o600) },
		":7:":          func(file string) error { return replaceLine(file, 7) },
	} {
		c := load(t, path)
		job, err := fit.New(t.Context(), c, fit.Options{Train: fit.TrainSample, Split: 1 << 20}, &cluster.Options{Runner: "prism"})
		if err != nil {
			t.Fatal(err)
		}
		file := strings.Replace(path, "*", "01", 1)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := change(file); err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), "run")
		_, err = job.Run(t.Context(), dir, io.Discard)
		if err == nil || !strings.Contains(err.Error(), "part-01.csv") || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the run exists: %v", name, err)
		}
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := run(t, load(t, path+".gz"), fit.Options{Train: fit.TrainSample}); cluster.ExitCode(err) != message.ExitData {
		t.Errorf("no file: %v", err)
	}
}

// replaceLine makes a number of a line a word; the size of the file stays the same.
func replaceLine(file string, line int) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	lines := strings.SplitAfter(string(text), "\n")
	lines[line-1] = strings.Replace(lines[line-1], ".", "x", 1)
	return os.WriteFile(file, []byte(strings.Join(lines, "")), 0o600)
}

// An attempt that writes over the files of another leaves the same run.
func TestRetried(t *testing.T) {
	c := load(t, write(t, 4000, 2))
	job, err := fit.New(t.Context(), c, fit.Options{Train: fit.TrainSample, Split: 1 << 20}, &cluster.Options{Runner: "prism"})
	if err != nil {
		t.Fatal(err)
	}
	var before []string
	for range 2 {
		if _, err := job.Run(t.Context(), c.Output.Dir, io.Discard); err != nil {
			t.Fatal(err)
		}
		got := hashes(t, c.Output.Dir, "model.json", fit.StatisticsFile, "metrics.jsonl", "test.csv")
		if before != nil && fmt.Sprint(got) != fmt.Sprint(before) {
			t.Errorf("%v, were %v", got, before)
		}
		before = got
	}
}
