//go:build unix

package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/model"
)

// TestSignalWhileBlocked: the first signal ends a command that waits for input or output, and leaves no files.
func TestSignalWhileBlocked(t *testing.T) {
	home := t.TempDir()
	model := filepath.Join(home, "mackey-glass-gaussian-001")
	if code := run(context.Background(), []string{"train", "--set", "preset=paper", "--set", "train.iterations=1", "--set", "output.dir=" +
		home}, nil, io.Discard, io.Discard); code != 0 {
		t.Fatalf("train: exit code %d", code)
	}
	table := filepath.Join(model, "train.csv")
	for i, line := range []string{
		"predict --model MODEL --data - --out p.csv",
		"predict --model MODEL --data pipe --out p.csv",
		"predict --model MODEL --data TABLE --out pipe",
		"predict --model pipe --data TABLE",
		"predict --model MODEL --data TABLE", // to a reader that does not read
		"evaluate --model MODEL --data pipe",
		"show --model MODEL --json",
		"report MODEL --out pipe",
		"train --config pipe",
		"explain --model MODEL --data pipe --row 1",
		"config check --config pipe",
		"prune --model MODEL --data pipe",
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
				t.Fatal(err)
			}
			args := strings.Fields(strings.NewReplacer("MODEL", model, "TABLE", table).Replace(line))
			cmd := exec.Command("tskgraph", append(args, "--verbose")...)
			cmd.Dir = dir
			idle, feed := emptyPipe(t)
			defer feed.Close()
			cmd.Stdin = idle
			cmd.Stdout = fullPipe(t)
			started(t, cmd, (*exec.Cmd).StderrPipe)
			time.Sleep(200 * time.Millisecond) // until it is blocked
			endsAt(t, cmd, []os.Signal{syscall.SIGINT, syscall.SIGTERM}[i%2])
			if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

// emptyPipe returns a pipe without a writer's data.
func emptyPipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close(); _ = w.Close() })
	return r, w
}

// fullPipe returns the write end of a full pipe that nobody reads.
func fullPipe(t *testing.T) *os.File {
	t.Helper()
	_, w := emptyPipe(t)
	if err := w.SetWriteDeadline(time.Now().Add(10 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if n, err := w.Write(make([]byte, 1<<20)); err == nil {
		t.Fatalf("a pipe took %d bytes", n)
	}
	return w
}

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
		model.FileName: {"show -m DIR", "report DIR", "explain -m DIR -d TABLE", "predict -m DIR -d TABLE", "evaluate -m DIR -d TABLE",
			"export -m DIR --to c -o OUTc",
			"prune -m DIR -d TABLE", "plot learning DIR", "verify -m DIR -d TABLE",
			"train --set preset=paper --set data.builtin=friedman1 --set model.init=DIR"},
		runs.SummaryFile: {"show -m DIR", "report DIR", "export -m DIR --to json -o OUTjson", "plot pruning DIR"},
		runs.MetricsFile: {"report DIR", "plot learning DIR"},
		"train.csv": {"show -m DIR", "report DIR", "explain -m DIR -d TABLE", "evaluate -m DIR -d TABLE",
			"export -m DIR --to json -o OUTjson", "plot memberships DIR"},
		"test.csv": {"report DIR", "plot surface DIR"},
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
					code, stderr := ran(context.Background(), args...)
					if code == 0 {
						stderr = "no error"
					}
					ended <- stderr
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
