package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tskgraph/tskgraph/internal/app/message"
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
		{message.ExitFailed, []string{"train", "--set", out, "--set", "train.race=[]", "--set", "train.optimizer=sgd", "--set",
			"train.learning_rate=1e6"}},
		{message.ExitUsage, []string{"nonsense"}},
		{message.ExitUsage, []string{"train", "--nonsense"}},
		{message.ExitUsage, []string{"train", "--config"}},
		{message.ExitUsage, []string{"train", "--set", "train.batch=-1"}},
		{message.ExitUsage, []string{"train", "--set", "train.patience=5"}},
		{message.ExitUsage, []string{"train", "--set", "model.neighbours=auto", "--set", "train.loss=poisson"}},
		{message.ExitUsage, []string{"show", "--model", broken, "--json", "--graph"}},
		{message.ExitUsage, []string{"show"}},
		{message.ExitUsage, []string{"experiment"}},
		{message.ExitUsage, []string{"experiment", "--data", dir, "--datasets", "iris"}},
		{message.ExitUsage, []string{"experiment", "--data", dir, "--out", filepath.Join(dir, "study"), "--repeats", "0"}},
		{message.ExitData, []string{"experiment", "--data", dir, "--out", filepath.Join(dir, "study")}},
		{message.ExitData, []string{"train", "--set", out, "--set", "data.path=" + table, "--set", "data.target=y"}},
		{message.ExitData, []string{"train", "--set", out, "--set", "data.path=" + filepath.Join(dir, "none.csv"), "--set", "data.target=y"}},
		{message.ExitModel, []string{"show", "--model", broken}},
		{message.ExitModel, []string{"predict", "--model", filepath.Join(dir, "none.json"), "--data", table}},
	} {
		if got, stderr := ran(context.Background(), c.args...); got != c.want {
			t.Errorf("%v: exit code %d, want %d\n%s", c.args, got, c.want, stderr)
		}
	}
}

// TestInWords: what an interrupt ends says so in words, once.
func TestInWords(t *testing.T) {
	for text, want := range map[string]string{
		"%w": "interrupted", "optim: after iteration 3: %w": "optim: after iteration 3: interrupted",
		"interrupted after 3 rows: %w\ncontinue": "interrupted after 3 rows\ncontinue",
	} {
		err := inWords(fmt.Errorf(text, context.Canceled))
		if err.Error() != want || exitCode(err) != message.ExitInterrupted {
			t.Errorf("%q, want %q; exit code %d", err, want, exitCode(err))
		}
	}
	if err := errors.New("context canceled"); inWords(err) != err || inWords(nil) != nil {
		t.Error("another error was changed")
	}
}

// brokenPipe fails after some writes.
type brokenPipe int

func (b *brokenPipe) Write(p []byte) (int, error) {
	if *b--; *b < 0 {
		return 0, errors.New("nobody reads")
	}
	return len(p), nil
}

// TestEventsWithoutReader: training stops as by an interrupt when its events cannot be written.
func TestEventsWithoutReader(t *testing.T) {
	for writes := range 3 {
		left := brokenPipe(writes)
		code := run(context.Background(), []string{"train", "--progress", "json", "--set", "preset=paper", "--set",
			"train.iterations=100000000", "--set", "output.dir=" + t.TempDir()},
			nil, io.Discard, &left)
		if code != message.ExitInterrupted {
			t.Errorf("after %d events: exit code %d, want %d", writes, code, message.ExitInterrupted)
		}
	}
}

// TestExamples: every command has an example and a description.
func TestExamples(t *testing.T) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		if !strings.Contains(cmd.Example, cmd.CommandPath()) && cmd.Name() != "help" {
			t.Errorf("%s: no example of it: %q", cmd.CommandPath(), cmd.Example)
		}
		if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") {
			t.Errorf("%s: %q: want a sentence without its full stop", cmd.CommandPath(), cmd.Short)
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(newRoot())
}

// TestCompletionOfFlags: every flag with a text value has a completion, or takes a file, a number or a new name.
func TestCompletionOfFlags(t *testing.T) {
	files := map[string]bool{"out": true, "plot": true, "token-file": true, "tls-cert": true, "tls-key": true}
	fresh := map[string]bool{"key": true, "name": true, "table": true, "target": true, "group": true, "shard": true, "memory": true,
		"query": true}
	brackets := map[string]bool{"algorithms": true} // no shell may be offered vMBGD-RDA[R0->R]
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if kind := f.Value.Type(); kind != "string" && !strings.HasPrefix(kind, "string") {
				return
			}
			if _, has := cmd.GetFlagCompletionFunc(f.Name); !has && !files[f.Name] && !fresh[f.Name] && !brackets[f.Name] {
				t.Errorf("%s --%s: nothing completes it", cmd.CommandPath(), f.Name)
			}
		})
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(newRoot())
}
