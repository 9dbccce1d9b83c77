package main

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

	"github.com/spf13/pflag"

	"github.com/tskgraph/tskgraph/internal/app/command"
)

const tuneConfig = `
preset: paper
data: {builtin: friedman1, train: 0.2}
model: {rules: 2}
train: {iterations: 400, batch: 16}
tune: {rules: [2, 4], iterations: [400, 900], membership: [gaussian], folds: 3}
`

// tuned runs `tskgraph tune` in this process, which has the same program as [command], and returns the files of the search.
func tuned(t *testing.T, args ...string) map[string]string {
	t.Helper()
	var flags command.TuneFlags
	set := pflag.NewFlagSet("tune", pflag.ContinueOnError)
	flags.Add(set)
	if err := set.Parse(args); err != nil {
		t.Fatal(err)
	}
	command := command.Tune{Flags: &flags, Notes: io.Discard, Again: func(string) string { return "" }}
	if _, err := command.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return searchFiles(t, flags.Out)
}

// searchFiles returns the files of a search but summary.json, which has paths and times.
func searchFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	held := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == "summary.json" {
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

func sameFiles(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s is %q, want %q", name, got[name], text)
		}
	}
	if len(got) != len(want) || len(want) < 10 {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
}

// TestTune compares the directories of tskgraph-beam tune, with one process and with two workers, and tskgraph tune, which then
// measures nothing.
func TestTune(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "search.yaml")
	if err := os.WriteFile(config, []byte(tuneConfig), 0o666); err != nil {
		t.Fatal(err)
	}
	want := tuned(t, "--config", config, "--trials", "12", "--out", filepath.Join(dir, "here"))
	for name, more := range map[string][]string{"one": nil, "two": {"--processes", "2"}} {
		out := filepath.Join(dir, name)
		stdout, stderr, code := runCommand(t, dir, append([]string{"tune", "--config", config, "--trials", "12", "--out", out}, more...)...)
		if code != 0 || !strings.Contains(stdout, "12 trials, ") || !strings.Contains(stdout, "chosen: "+out) {
			t.Fatalf("%s: exit code %d: %s%s", name, code, stdout, stderr)
		}
		sameFiles(t, searchFiles(t, out), want)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel() // a fit would fail
	flags := command.TuneFlags{Resume: filepath.Join(dir, "two"), Trials: 12}
	again := command.Tune{Flags: &flags, Notes: io.Discard, Again: func(string) string { return "" }}
	if _, err := again.Run(ended); err != nil {
		t.Errorf("tskgraph tune measures something: %v", err)
	}
}

// TestTuneKilled kills a search with two workers in the middle. Its command, again, keeps each fit that was written, and
// ends with the files of a search that was not killed.
func TestTuneKilled(t *testing.T) {
	dir := t.TempDir()
	config, state, out := filepath.Join(dir, "search.yaml"), filepath.Join(dir, "state"), filepath.Join(dir, "out")
	if err := os.WriteFile(config, []byte(tuneConfig), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"tune", "--config", config, "--trials", "20", "--out", out, "--state", state}
	killWhen(t, dir, args, func() bool { return len(fits(t, state)) >= 8 })
	before := fits(t, state)
	if stdout, stderr, code := runCommand(t, dir, args...); code != 0 {
		t.Fatalf("exit code %d: %s%s", code, stdout, stderr)
	}
	after := fits(t, state)
	for name, at := range before {
		if !after[name].Equal(at) {
			t.Errorf("%s was measured twice", name)
		}
	}
	if len(before) < 8 || len(after) <= len(before) {
		t.Errorf("%d fits before, %d after: the test tests little", len(before), len(after))
	}
	sameFiles(t, searchFiles(t, out), tuned(t, "--config", config, "--trials", "20", "--out", filepath.Join(dir, "here")))
}

// killWhen runs a command and kills it when a condition holds.
func killWhen(t *testing.T, dir string, args []string, condition func() bool) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), asCommand+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for !condition() {
		select {
		case err := <-ended:
			t.Fatalf("the command ended before it was killed: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-ended
}

// fits returns when each fit below a directory was written.
func fits(t *testing.T, state string) map[string]time.Time {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(state, "*", "fits", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]time.Time{}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		at[path] = info.ModTime()
	}
	return at
}

// TestTuneRefuses checks what is wrong before anything is written, and the plan, which writes nothing either.
func TestTuneRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"tune", "--trials", "0"}, 2, "--trials 0: must be at least 1"},
		{[]string{"tune", "--resume", "x", "--set", "a=b"}, 2, "--resume and --set cannot be combined"},
		{[]string{"tune", "--resume", "x"}, 2, "--resume x: no search to resume"},
		{[]string{"tune", "--out", "gs://b/x"}, 2, "--out gs://b/x: the results are kept on this machine"},
		{[]string{"tune", "--set", "tune.rules=0"}, 2, "tune.rules: 0: must be at least 1"},
		{[]string{"tune", "--set", "data.path=none.csv", "--set", "data.target=y"}, 3, "none.csv"},
		{[]string{"tune", "--runner", "dataflow"}, 2, "state"},
		{[]string{"tune", "x"}, 2, `unexpected argument "x"`},
		{[]string{"tune", "--dry-run", "--trials", "30"}, 0, "trials      30\n"},
		{[]string{"experiment"}, 2, "--data is required"},
		{[]string{"experiment", "--data", "x", "--workers", "2"}, 2, "--workers: the runner says"},
		{[]string{"experiment", "--classifiers"}, 2, "use tskgraph experiment --classifiers"},
		{[]string{"experiment", "--data", "x", "--shard", "1/2", "--json"}, 2, "--shard and --json cannot be combined"},
		{[]string{"experiment", "--data", "x", "--datasets", "no3"}, 2, "did you mean no2?"},
		{[]string{"experiment", "--data", "x", "--runner", "dataflow", "--datasets", "no2"}, 2, "study/state"},
		{[]string{"experiment", "--data", "x", "--datasets", "no2", "--dry-run"}, 0, "groups      60 at most"},
	} {
		stdout, stderr, code := runCommand(t, dir, c.args...)
		if code != c.code || !strings.Contains(stdout+stderr, c.says) {
			t.Errorf("%q: exit code %d, want %d and %q: %s%s", c.args, code, c.code, c.says, stdout, stderr)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v, %v: want nothing written", left, err)
	}
}
