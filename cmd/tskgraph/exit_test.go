package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
)

// TestExitCodes holds the exit codes to the contract: 0 done, 1 failed, 2 usage
// or configuration, 3 data, 4 model file.
func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	table, broken := filepath.Join(dir, "t.csv"), filepath.Join(dir, "m.json")
	for path, text := range map[string]string{table: "x,y\n1,2\nNaN,3\n", broken: "{}"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := "output.dir=" + filepath.Join(dir, "runs")
	for _, c := range []struct {
		want int
		args []string
	}{
		{0, []string{"--help"}},
		{0, []string{"--version"}},
		{0, []string{"config", "check"}},
		{exitFailed, []string{"train", "--set", out, "--set", "train.optimizer=sgd", "--set", "train.learning_rate=1e6"}},
		{exitUsage, []string{"nonsense"}},
		{exitUsage, []string{"train", "--nonsense"}},
		{exitUsage, []string{"train", "--config"}},
		{exitUsage, []string{"train", "--set", "train.batch=-1"}},
		{exitUsage, []string{"train", "--set", "train.patience=5"}},
		{exitUsage, []string{"show", "--model", broken, "--json", "--graph"}},
		{exitUsage, []string{"show"}},
		{exitUsage, []string{"experiment"}},
		{exitUsage, []string{"experiment", "--data", dir, "--datasets", "iris"}},
		{exitUsage, []string{"experiment", "--data", dir, "--out", filepath.Join(dir, "study"), "--repeats", "0"}},
		{exitData, []string{"experiment", "--data", dir, "--out", filepath.Join(dir, "study")}},
		{exitData, []string{"train", "--set", out, "--set", "data.path=" + table, "--set", "data.target=y"}},
		{exitData, []string{"train", "--set", out, "--set", "data.path=" + filepath.Join(dir, "none.csv"), "--set", "data.target=y"}},
		{exitModel, []string{"show", "--model", broken}},
		{exitModel, []string{"predict", "--model", filepath.Join(dir, "none.json"), "--data", table}},
	} {
		var stderr bytes.Buffer
		if got := run(context.Background(), c.args, nil, new(bytes.Buffer), &stderr); got != c.want {
			t.Errorf("%v: exit code %d, want %d\n%s", c.args, got, c.want, &stderr)
		}
	}
}
