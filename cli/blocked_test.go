//go:build unix

package cli

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSignalWhileBlocked: the first signal ends a command that waits for input or output, and leaves no files.
func TestSignalWhileBlocked(t *testing.T) {
	home := t.TempDir()
	model := filepath.Join(home, "mackey-glass-gaussian-001")
	if code := run(context.Background(), []string{"train", "--set", "preset=paper", "--set", "train.iterations=1", "--set", "output.dir=" + home}, nil, io.Discard, io.Discard); code != 0 {
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
