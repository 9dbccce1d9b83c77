package fit_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/beam/files"
	"github.com/tskgraph/tskgraph/beam/filestest"
	"github.com/tskgraph/tskgraph/beam/fit"
	"github.com/tskgraph/tskgraph/internal/app/runs"
)

func TestMain(m *testing.M) {
	stores, err := filestest.Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	stores.Close()
	os.Exit(code)
}

// put copies a file of this machine to an object store.
func put(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	err = files.Write(t.Context(), to, func(w io.Writer) error { _, err := w.Write(text); return err })
	if err != nil {
		t.Fatal(err)
	}
}

// A table in an object store, with a table of the test part there, gives the model and the parts that its copy on this machine does, in a
// run in the store.
func TestStores(t *testing.T) {
	path, test := write(t, 4000, 2), write(t, 500, 1)
	for _, scheme := range filestest.Schemes {
		root := scheme + "://" + filestest.Bucket + "/fit"
		for _, name := range []string{"part-00.csv", "part-01.csv"} {
			put(t, filepath.Join(filepath.Dir(path), name), files.Join(root, name))
		}
		put(t, filepath.Join(filepath.Dir(test), "part-00.csv"), files.Join(root, "test/t.csv"))
		for _, mode := range []string{fit.TrainSample, fit.TrainCommittee} {
			set := []string{"data.validation=0.1", "train.members=2"}
			local := load(t, path, append(set, "data.test_path="+filepath.Join(filepath.Dir(test), "part-00.csv"))...)
			want, err := run(t, local, fit.Options{Train: mode})
			if err != nil {
				t.Fatal(err)
			}
			input := files.Join(root, "part-*.csv")
			c := load(t, fit.StandIn(input), append(set, "data.test_path="+files.Join(root, "test/t.csv"), "output.dir="+root)...)
			job, err := fit.New(t.Context(), c, fit.Options{Input: input, Train: mode}, &cluster.Options{Runner: "prism"})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := job.Run(t.Context(), files.Join(root, "run"), io.Discard); err != nil {
				t.Fatal(err)
			}
			names := []string{"model.json", "train.csv", "test.csv", "metrics.jsonl"}
			if got, want := hashes(t, got(t, files.Join(root, "run"), append(names, runs.SummaryFile)), names...),
				hashes(t, want, names...); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s, %s: %v, want %v", scheme, mode, got, want)
			}
		}
	}
}

// got returns a directory with copies of files of an object store.
func got(t *testing.T, dir string, names []string) string {
	t.Helper()
	to := t.TempDir()
	for _, name := range names {
		r, err := files.Open(context.WithoutCancel(t.Context()), files.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		if err := os.WriteFile(filepath.Join(to, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return to
}
