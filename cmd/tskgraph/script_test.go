package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/realdata"
	"github.com/tskgraph/tskgraph/model"
)

// everyEnv says, to the command as tests run it, how often a checkpoint is written.
const everyEnv = "TEST_CHECKPOINT_EVERY"

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"tskgraph": func() {
			if every, err := time.ParseDuration(os.Getenv(everyEnv)); err == nil {
				checkpointEvery = every
			}
			main()
		},
		"deaf": deaf,
	})
}

// TestScripts runs the transcripts in testdata: the command as a user sees it.
// Those named real-*.txt read the real data sets, in $DATA.
func TestScripts(t *testing.T) {
	scripts, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range scripts {
		t.Run(filepath.Base(script), func(t *testing.T) {
			dir := ""
			if strings.HasPrefix(filepath.Base(script), "real-") {
				dir = realdata.Dir(t)
			}
			testscript.Run(t, testscript.Params{
				Files: []string{script},
				Setup: func(env *testscript.Env) error {
					env.Setenv("DATA", dir)
					return nil
				},
			})
		})
	}
}

// TestTuneInterrupt: a cancelled search ends with 130 and says how to go on.
func TestTuneInterrupt(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "search")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var stderr strings.Builder
	code := run(ctx, []string{"tune", "--out", dir}, nil, io.Discard, &stderr)
	if code != exitInterrupted || !strings.Contains(stderr.String(), "tskgraph tune --resume "+dir) {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
}

// TestInterrupt: a cancelled training or pruning ends with 130 and leaves a model.
func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	code := run(ctx, []string{"train", "--set", "train.race=[]", "--set", "output.dir=" + dir}, nil, io.Discard, io.Discard)
	if code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
	saved := filepath.Join(dir, "mackey-glass-gaussian-001")
	if _, err := model.Load(saved); err != nil {
		t.Errorf("the model so far: %v", err)
	}
	for i, further := range [][]string{nil, {"--path"}} {
		args := append([]string{"prune", "--model", saved, "--data", filepath.Join(saved, "train.csv"), "--set", "output.dir=" + dir}, further...)
		if code := run(ctx, args, nil, io.Discard, io.Discard); code != exitInterrupted {
			t.Errorf("prune %v: exit code %d, want %d", further, code, exitInterrupted)
		}
		if _, err := model.Load(fmt.Sprintf("%s-pruned-%03d", saved, i+1)); err != nil {
			t.Errorf("the pruned model so far: %v", err)
		}
	}
}

// TestInterruptedRace: there is no model yet, but a run to go on with.
func TestInterruptedRace(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var stderr strings.Builder
	if code := run(ctx, []string{"train", "--set", "output.dir=" + dir}, nil, io.Discard, &stderr); code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
	if !strings.Contains(stderr.String(), "interrupted in the race of settings") {
		t.Errorf("it says %q", stderr.String())
	}
	run1 := filepath.Join(dir, "mackey-glass-gaussian-001")
	if !strings.Contains(stderr.String(), "continue by tskgraph train --resume "+run1) {
		t.Errorf("it says %q", stderr.String())
	}
	if _, err := os.Stat(filepath.Join(run1, checkpointFile)); err != nil {
		t.Error(err)
	}
}

// TestInterruptedPredict: it ends with 130, though its input does not, and leaves
// neither the table nor a hidden file.
func TestInterruptedPredict(t *testing.T) {
	dir := t.TempDir()
	if code := run(context.Background(), []string{"train", "--set", "train.iterations=1", "--set", "output.dir=" + dir}, nil, io.Discard, io.Discard); code != 0 {
		t.Fatalf("train: exit code %d", code)
	}
	m, err := tskgraph.Load(filepath.Join(dir, "mackey-glass-gaussian-001"))
	if err != nil {
		t.Fatal(err)
	}
	names := m.Schema.Features()
	ctx, cancel := context.WithCancel(context.Background())
	stdin, feed := io.Pipe()
	defer feed.Close()
	go func() {
		_, _ = io.WriteString(feed, strings.Join(names, ",")+"\n"+strings.Repeat("1,", len(names)-1)+"1\n")
		cancel()
	}()
	out := t.TempDir()
	args := []string{"predict", "--model", filepath.Join(dir, "mackey-glass-gaussian-001"), "--data", "-", "--out", filepath.Join(out, "p.csv")}
	if code := run(ctx, args, stdin, io.Discard, io.Discard); code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
	left, err := os.ReadDir(out)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestInterruptedStudy: a cancelled study ends with 130.
func TestInterruptedStudy(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	args := []string{"experiment", "--data", realdata.Dir(t), "--out", t.TempDir(), "--datasets", "no2", "--algorithms", "vMBGD-RDA[R0]", "--repeats", "1"}
	var stderr strings.Builder
	if code := run(ctx, args, nil, io.Discard, &stderr); code != exitInterrupted {
		t.Errorf("exit code %d, want %d: %s", code, exitInterrupted, &stderr)
	}
}
