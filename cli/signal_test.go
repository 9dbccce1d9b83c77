package cli

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/internal/app/command"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// deaf is a program that keeps working after the first signal.
func deaf() {
	ctx, stop := interruptible(context.Background())
	defer stop()
	fmt.Println("ready")
	<-ctx.Done()
	fmt.Println("first")
	time.Sleep(time.Minute)
}

// TestSecondSignal: it ends a program at once, whatever that is doing.
func TestSecondSignal(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		cmd := exec.Command("deaf")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for _, want := range []string{"ready", "first"} {
			if !lines.Scan() || lines.Text() != want {
				t.Fatalf("it says %q, want %q", lines.Text(), want)
			}
			time.Sleep(50 * time.Millisecond) // until it has taken the signal back
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
		}
		_ = cmd.Wait()
		if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != sig {
			t.Errorf("%v: %v", sig, cmd.ProcessState)
		}
	}
}

// slowSaver is a program that saves for longer after a signal than it may do anything else.
func slowSaver() {
	os.Exit(runInterruptibly(func(ctx context.Context) int {
		done := saving()
		fmt.Println("ready")
		<-ctx.Done()
		time.Sleep(2 * grace)
		fmt.Println("saved")
		done()
		select {} // blocked
	}))
}

// TestSignalWhileSaving: what is being saved is saved, and then the program ends.
func TestSignalWhileSaving(t *testing.T) {
	cmd, lines := started(t, exec.Command("slowSaver"), (*exec.Cmd).StdoutPipe)
	endsAt(t, cmd, syscall.SIGINT)
	if !lines.Scan() || lines.Text() != "saved" {
		t.Errorf("it says %q, want %q", lines.Text(), "saved")
	}
}

// started starts a program, and waits for the first line of an output of it.
func started(t *testing.T, cmd *exec.Cmd, pipe func(*exec.Cmd) (io.ReadCloser, error)) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	out, err := pipe(cmd)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatalf("it ended before it began: %v", cmd.Wait())
	}
	return cmd, lines
}

// endsAt sends a program a signal, and holds its exit code against that of an
// interrupt. One that does not end is killed after a while, which is another code.
func endsAt(t *testing.T, cmd *exec.Cmd, sig os.Signal) {
	t.Helper()
	if err := cmd.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	state, err := cmd.Process.Wait()
	if err != nil || state.ExitCode() != message.ExitInterrupted {
		t.Errorf("%v: %v, %v; want exit code %d", sig, state, err, message.ExitInterrupted)
	}
}

// TestNobodyReads: a reader that goes away ends the program quietly.
func TestNobodyReads(t *testing.T) {
	home := t.TempDir()
	train := exec.Command("tskgraph", "train", "--set", "train.race=[]", "--set", "train.iterations=5", "--set", "model.rules=200")
	train.Dir = home
	if out, err := train.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := "runs/mackey-glass-gaussian-001"
	for _, line := range []string{
		"tskgraph show --model " + run + " | head -1",
		"{ cat " + run + "/train.csv; for i in $(seq 50); do tail -n +2 " + run + "/train.csv; done; } | tskgraph predict --model " + run +
			" --data - | head -1",
		"trap '' PIPE; tskgraph show --model " + run + " | head -1",
		"tskgraph show --model " + run + " >&-",
	} {
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = home
		var stderr strings.Builder
		cmd.Stderr = &stderr
		if err := cmd.Run(); err != nil || stderr.Len() > 0 {
			t.Errorf("%s: %v: %s", line, err, &stderr)
		}
	}
}

// TestTuneAfterKill: a search that is killed twice continues where it stopped and ends as an undisturbed one.
func TestTuneAfterKill(t *testing.T) {
	if testenv.Race {
		t.Skip("starts many programs, too slow with the race detector")
	}
	dir := t.TempDir()
	tune := func(out string) *exec.Cmd {
		cmd := exec.Command("tskgraph", "tune", "--trials", "9", "--out", filepath.Join(dir, out),
			"--set", "data.builtin=friedman1", "--set", "tune.rules=4,8", "--set", "tune.iterations=300,400")
		cmd.Stderr = os.Stderr
		return cmd
	}
	trials := func() []string {
		files, err := filepath.Glob(filepath.Join(dir, "killed", "trials", "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	if err := tune("whole").Run(); err != nil {
		t.Fatal(err)
	}
	for kills, enough := 0, 2; kills < 2; kills, enough = kills+1, enough+3 {
		cmd := tune("killed")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for len(trials()) < enough {
			select {
			case err := <-ended:
				t.Fatalf("the search ended before it was killed: %v", err)
			case <-time.After(time.Millisecond):
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		<-ended
	}
	if _, err := os.Stat(filepath.Join(dir, "killed", command.TriedFile)); err == nil {
		t.Fatal("the search had ended before it was killed")
	}
	if err := tune("killed").Run(); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{command.TriedFile, runs.ConfigFile} {
		got, err := os.ReadFile(filepath.Join(dir, "killed", file))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(dir, "whole", file))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s after kills:\n%s\nundisturbed:\n%s", file, got, want)
		}
	}
}
