package cli

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

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
	files := map[string]bool{"out": true}
	fresh := map[string]bool{"key": true, "name": true, "table": true, "target": true, "group": true, "shard": true, "memory": true, "query": true}
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
