//go:build unix

package workbench

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/model"
)

// TestFilesOfRun: a page gets no file to which a link in the directory of a run leads, and no named pipe there keeps it waiting.
func TestFilesOfRun(t *testing.T) {
	b := bench(t)
	done, _ := ask[trained](t, b, "train", `{"table": "heating.csv", "preset": "paper", "set": {"train.iterations": 2}}`)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	named, twice := `{"run": "`+done.Run+`"}`, `{"runs": ["`+done.Run+`", "`+done.Run+`"]}`
	export := func(target string) string { return `{"run": "` + done.Run + `", "target": "` + target + `"}` }
	for _, test := range []struct{ name, method, args string }{
		{runs.StartFile, "export", export(runs.StartFile)}, {model.FileName, "export", export(model.FileName)},
		{runs.ConfigFile, "export", export(runs.ConfigFile)},
		{model.FileName, "report", named}, {runs.SummaryFile, "report", named}, {"train.csv", "report", named}, {"test.csv", "report", named},
		{"train.csv", "compare", twice}, {"test.csv", "compare", twice},
	} {
		path := filepath.Join(b.options.Runs, done.Run, test.name)
		kept := path + ".kept"
		for _, replace := range []func() error{func() error { return os.Symlink(secret, path) },
			func() error { return syscall.Mkfifo(path, 0o600) }} {
			if err := os.Rename(path, kept); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			if err := replace(); err != nil {
				t.Fatal(err)
			}
			got, err := b.Call(context.Background(), test.method, json.RawMessage(test.args), func(any) {})
			text, _ := json.Marshal(got)
			if err == nil || strings.Contains(string(text), "c2VjcmV0") {
				t.Errorf("%s of %s: %.200s, %v", test.method, test.name, text, err)
			}
			if _, err := b.Call(context.Background(), "runs", json.RawMessage(`{}`), func(any) {}); err != nil {
				t.Errorf("runs with %s: %v", test.name, err)
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(kept, path); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
		}
	}
}

// TestKilledUpload: the next list of tables or upload removes what a killed process left of an upload.
func TestKilledUpload(t *testing.T) {
	b := bench(t)
	left := filepath.Join(b.options.Tables, ".tskgraph-late.csv-0")
	if err := os.WriteFile(left, []byte("a,b\n1"), 0o600); err != nil {
		t.Fatal(err)
	}
	if names, err := tablesOf(b); err != nil || len(names) != 1 {
		t.Errorf("%q, %v", names, err)
	}
	if _, err := os.Lstat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s: %v", left, err)
	}
}
