package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/runs"
)

// interrupted leaves a run of a table in a directory, which it returns with the table's
// path.
func interrupted(t *testing.T) (dir, table string) {
	t.Helper()
	home := t.TempDir()
	table = filepath.Join(home, "t.csv")
	parts, err := data.Source{Builtin: "sinc"}.Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := (data.Source{Builtin: "sinc"}).WriteParts(home, parts); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(home, "train.csv"), table); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	code, stderr := ran(ctx, "train", "--set", "preset=paper", "--set", "data.path="+table, "--set", "data.target="+
		parts.Train.Schema.Target,
		"--set", "train.iterations=20", "--set", "output.dir="+home)
	dir = filepath.Join(home, "t-gaussian-001")
	if code != message.ExitInterrupted || !strings.HasSuffix(stderr, "tskgraph: continue with: tskgraph train --resume "+dir+"\n") {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	return dir, table
}

// TestResumeChanged: a resume names the changes that it refuses, and writes nothing.
func TestResumeChanged(t *testing.T) {
	edit := func(path, old, new string) {
		t.Helper()
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		changed := bytes.Replace(text, []byte(old), []byte(new), 1)
		if bytes.Equal(changed, text) {
			t.Fatalf("%s has no %q", path, old)
		}
		if err := os.WriteFile(path, changed, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		change func(dir, table string)
		code   int
		says   []string
	}{
		"nothing": {func(_, _ string) {}, 0, []string{"resumes after iteration 0"}},
		"moved":   {func(dir, _ string) { edit(filepath.Join(dir, "config.yaml"), "dir: ", "dir: elsewhere/") }, 0, nil},
		"key": {func(dir, _ string) { edit(filepath.Join(dir, "config.yaml"), "l2: 0.05", "l2: 0.06") }, message.ExitUsage,
			[]string{"train.l2 was 0.05, is 0.06", "restore the file or start a new run"}},
		"bad key": {func(dir, _ string) { edit(filepath.Join(dir, "config.yaml"), "l2: 0.05", "l2: x") }, message.ExitUsage,
			[]string{"config.yaml:"}},
		"no config": {func(dir, _ string) { os.Remove(filepath.Join(dir, "config.yaml")) }, message.ExitUsage,
			[]string{"no run to resume", "config.yaml"}},
		"data": {func(_, table string) { edit(table, "0.", "0.0") }, message.ExitData,
			[]string{"file ", "t.csv was sha256 ", ", is sha256 "}},
		"data, not that any sample changes": {func(_, table string) { edit(table, "\n", "\n\n") }, message.ExitData,
			[]string{"t.csv was sha256 "}},
		"no data": {func(_, table string) { os.Remove(table) }, message.ExitData, []string{"t.csv"}},
		"damaged": {func(dir, _ string) {
			edit(filepath.Join(dir, runs.CheckpointFile), `"models":[null]`, `"models":[NULL]`)
		}, message.ExitModel,
			[]string{runs.CheckpointFile, "checksum: the file is damaged"}},
		"empty": {func(dir, _ string) { os.Truncate(filepath.Join(dir, runs.CheckpointFile), 0) }, message.ExitModel,
			[]string{"not a tskgraph checkpoint"}},
		"no run":    {func(dir, _ string) { os.RemoveAll(dir) }, message.ExitUsage, []string{"no run to resume"}},
		"leftovers": {func(dir, _ string) { os.WriteFile(filepath.Join(dir, ".tskgraph-model.json-0"), nil, 0o600) }, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			dir, table := interrupted(t)
			c.change(dir, table)
			before, _ := os.ReadFile(filepath.Join(dir, runs.CheckpointFile))
			code, stderr := ran(context.Background(), "train", "--resume", dir)
			if code != c.code {
				t.Errorf("exit code %d, want %d: %s", code, c.code, stderr)
			}
			for _, s := range c.says {
				if !strings.Contains(stderr, s) {
					t.Errorf("it says %q, not %q", stderr, s)
				}
			}
			if strings.Contains(stderr, "continue with") {
				t.Errorf("a refused run is said to be resumable: %s", stderr)
			}
			after, err := os.ReadFile(filepath.Join(dir, runs.CheckpointFile))
			if c.code == 0 && err == nil || c.code != 0 && !bytes.Equal(after, before) {
				t.Error("the checkpoint of a finished run is there, or that of a refused one is not as it was")
			}
			if hidden, _ := filepath.Glob(filepath.Join(dir, ".*")); len(hidden) > 0 {
				t.Errorf("left behind: %v", hidden)
			}
		})
	}
}
