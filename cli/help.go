package cli

import (
	"embed"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// texts has a file of help for each subcommand and those below it. A line "# config print: ..." begins the text of one: its use and what
// it does; a description may follow, then "Examples:".
//
//go:embed help
var texts embed.FS

// described returns a command of a name, without tskgraph, with its texts.
func described(name string, args cobra.PositionalArgs, run func(*cobra.Command, []string) error) *cobra.Command {
	file, _, _ := strings.Cut(name, " ")
	text, err := texts.ReadFile("help/" + file + ".txt")
	if err != nil {
		panic(err)
	}
	for entry := range strings.SplitSeq(string(text), "\n# ") {
		head, body, _ := strings.Cut(strings.TrimPrefix(entry, "# "), "\n")
		use, short, _ := strings.Cut(head, ": ")
		if !strings.HasPrefix(use+" ", name+" ") {
			continue
		}
		long, examples, _ := strings.Cut(body, "Examples:\n")
		return &cobra.Command{Use: use[strings.LastIndex(name, " ")+1:], Short: short, Long: strings.Trim(long, "\n"),
			Example: strings.TrimRight(examples, "\n"), Args: args, RunE: run}
	}
	panic(fmt.Sprintf("cli: help/%s.txt does not describe %s", file, name)) // a fault of this package
}

// withHelp is the run of a command that only has subcommands.
func withHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }
