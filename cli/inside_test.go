//go:build unix

package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/model"
)

// TestFilesOfRun: no command follows a link in the directory of a run or waits for a named pipe there.
func TestFilesOfRun(t *testing.T) {
	dir := trained(t, t.TempDir())
	beside := filepath.Join(t.TempDir(), "file")
	out := filepath.Join(t.TempDir(), "out.")
	table := filepath.Join(t.TempDir(), "test.csv")
	if err := os.Link(filepath.Join(dir, "test.csv"), table); err != nil {
		t.Fatal(err)
	}
	for name, commands := range map[string][]string{
		model.FileName: {"show -m DIR", "report DIR", "explain -m DIR -d TABLE", "predict -m DIR -d TABLE", "evaluate -m DIR -d TABLE", "export -m DIR --to c -o OUTc",
			"prune -m DIR -d TABLE", "plot learning DIR", "verify -m DIR -d TABLE", "train --set preset=paper --set data.builtin=friedman1 --set model.init=DIR"},
		runs.SummaryFile: {"show -m DIR", "report DIR", "export -m DIR --to json -o OUTjson", "plot pruning DIR"},
		runs.MetricsFile: {"report DIR", "plot learning DIR"},
		"train.csv":      {"show -m DIR", "report DIR", "explain -m DIR -d TABLE", "evaluate -m DIR -d TABLE", "export -m DIR --to json -o OUTjson", "plot memberships DIR"},
		"test.csv":       {"report DIR", "plot surface DIR"},
	} {
		path := filepath.Join(dir, name)
		for want, replace := range map[string]func() error{
			" is a symbolic link":     func() error { return os.Symlink(beside, path) },
			" is not a regular file:": func() error { return syscall.Mkfifo(path, 0o600) },
		} {
			if err := errors.Join(os.Rename(path, beside), replace()); err != nil {
				t.Fatal(err)
			}
			for _, command := range commands {
				args := strings.Fields(strings.NewReplacer("DIR", dir, "TABLE", table, "OUT", out).Replace(command))
				ended := make(chan string, 1)
				go func() {
					var stderr strings.Builder
					if code := run(context.Background(), args, nil, io.Discard, &stderr); code == 0 {
						stderr.WriteString("no error")
					}
					ended <- stderr.String()
				}()
				select {
				case got := <-ended:
					if !strings.Contains(got, name+want) {
						t.Errorf("%s with %s that %s: %s", command, name, want, got)
					}
				case <-time.After(20 * time.Second):
					t.Fatalf("%s with %s that %s does not end", command, name, want)
				}
			}
			if err := os.Rename(beside, path); err != nil {
				t.Fatal(err)
			}
		}
	}
}
