package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/tskgraph/tskgraph/internal/realdata"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"tskgraph": main})
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

// TestInterrupt: a cancelled training ends with 130 and leaves a model.
func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	code := run(ctx, []string{"train", "--set", "output.dir=" + dir}, nil, io.Discard, io.Discard)
	if code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
	if _, err := loadModel(filepath.Join(dir, "mackey-glass-gaussian-001")); err != nil {
		t.Errorf("the model so far: %v", err)
	}
}
