package cli

import (
	"errors"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/drift"
	"github.com/tskgraph/tskgraph/internal/report/dossier"
	"github.com/tskgraph/tskgraph/internal/study"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// shells maps the supported shells to the functions that write their scripts.
var shells = map[string]func(root *cobra.Command, w io.Writer) error{
	"bash":       bashCompletion,
	"zsh":        (*cobra.Command).GenZshCompletion,
	"fish":       func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) },
	"powershell": (*cobra.Command).GenPowerShellCompletionWithDesc,
}

// Cobra's script evaluates the command line to resolve quotes and variables. bashGuard returns first if that would run anything.
const (
	bashEval  = "    # Use eval to handle any environment variables and such\n"
	bashGuard = "    # The names of files may stand unquoted in the line: nothing in it is run.\n" +
		"    if [[ ${args[*]} == *[\\`\\;\\&\\|\\<\\>]* || ${args[*]} == *'$('* ]]; then return; fi\n"
)

// bashCompletion writes the script for bash. It completes only files once the line has a command substitution or a
// redirection.
func bashCompletion(root *cobra.Command, w io.Writer) error {
	var script strings.Builder
	if err := root.GenBashCompletionV2(&script, true); err != nil {
		return err
	}
	before, after, found := strings.Cut(script.String(), bashEval)
	if !found {
		return errors.New("the completion script for bash has an unexpected form: use another shell, or report this as a bug")
	}
	_, err := io.WriteString(w, before+bashGuard+bashEval+after)
	return err
}

func newCompletion() *cobra.Command {
	names := []string{"bash", "zsh", "fish", "powershell"}
	cmd := described("completion", func(_ *cobra.Command, args []string) error {
		if len(args) == 1 && slices.Contains(names, args[0]) {
			return nil
		}
		hint := ""
		if len(args) == 1 {
			hint = registry.Hint(args[0], names)
		}
		return message.Usagef("name a shell: bash, zsh, fish or powershell%s", hint)
	}, func(cmd *cobra.Command, args []string) error { return shells[args[0]](cmd.Root(), cmd.OutOrStdout()) })
	cmd.ValidArgs = names
	return cmd
}

// addCompletions registers completions for the flags and arguments of a command and its subcommands.
func addCompletions(cmd *cobra.Command) {
	switch {
	case strings.Contains(cmd.Use, "RUN_DIR"):
		cmd.ValidArgsFunction = completeRun
	case strings.Contains(cmd.Use, "TABLE"):
		cmd.ValidArgsFunction = cobra.FixedCompletions(tableFiles, cobra.ShellCompDirectiveFilterFileExt)
	case strings.HasSuffix(cmd.Use, " FILE"):
		cmd.ValidArgsFunction = cobra.FixedCompletions(ruleFiles(), cobra.ShellCompDirectiveFilterFileExt)
	case len(cmd.ValidArgs) == 0:
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	if cmd.ValidArgsFunction != nil {
		cmd.ValidArgsFunction = offered(cmd.ValidArgsFunction)
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if complete := flagCompletion(cmd, f.Name); complete != nil {
			completeFlag(cmd, f.Name, complete)
		}
	})
	for _, sub := range cmd.Commands() {
		addCompletions(sub)
	}
}

// completeFlag registers the completion of a flag's value.
func completeFlag(cmd *cobra.Command, flag string, complete cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, offered(complete)); err != nil {
		panic(err) // registered twice
	}
}

// offered removes from a completion words that a shell would interpret or that look like flags. Names of columns and
// directories are untrusted, and bash inserts the common prefix of several words unquoted and evaluates it at the next tab.
func offered(complete cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, text string) ([]string, cobra.ShellCompDirective) {
		ways, directive := complete(cmd, args, text)
		return slices.DeleteFunc(slices.Clone(ways), func(way string) bool {
			word, _, _ := strings.Cut(way, "\t") // the rest describes it
			return !escape.ShellPlain(word) || strings.HasPrefix(word, "-")
		}), directive
	}
}

// ruleFiles returns the extensions of files of rules, without dots.
func ruleFiles() []string {
	var all []string
	for _, extension := range byhand.Extensions() {
		all = append(all, extension[1:])
	}
	return all
}

var tableFiles = []string{"csv", "tsv", "txt"}

// flagCompletion returns the completion of a flag's value; nil completes files.
func flagCompletion(cmd *cobra.Command, flag string) cobra.CompletionFunc {
	words := func(words ...string) cobra.CompletionFunc {
		return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
	}
	switch flag {
	case "set":
		return completeKey
	case "config", "purpose":
		return cobra.FixedCompletions([]string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt)
	case "model":
		return completeRun
	case "check":
		return cobra.FixedCompletions([]string{"json"}, cobra.ShellCompDirectiveFilterFileExt)
	case "watch":
		return words("train", "validation", "test")
	case "data", "train", "validation", "background", "held-out":
		return cobra.FixedCompletions(tableFiles, cobra.ShellCompDirectiveFilterFileExt)
	case "resume", "scratch":
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	case "membership":
		return words(membership.Names()...)
	case "delimiter":
		return words("auto", "comma", "semicolon", "tab")
	case "side":
		return words(string(model.BothSides), string(model.LowerSide), string(model.UpperSide))
	case "to":
		return words(targetNames()...)
	case "progress":
		return words(progressForms...)
	case "style":
		return words(showStyles...)
	case "answer":
		var keys []string
		for _, q := range dossier.Questions {
			keys = append(keys, cobra.CompletionWithDesc(q.Key+"=", q.Text))
		}
		return cobra.FixedCompletions(keys, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)
	case "limit":
		var names []string
		for _, name := range slices.Sorted(maps.Keys((&drift.Report{}).Measures())) {
			names = append(names, name+"=")
		}
		return cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)
	case "item":
		return words("2", "3", "4", "5", "6", "7", "8", "9", "10")
	case "datasets":
		var names []string
		for _, s := range study.Sets() {
			names = append(names, s.Name)
		}
		return words(names...)
	}
	return nil
}

// completeKey completes a key, or the value of a key.
func completeKey(_ *cobra.Command, _ []string, text string) ([]string, cobra.ShellCompDirective) {
	var ways []string
	for _, c := range config.Completions(text) {
		ways = append(ways, cobra.CompletionWithDesc(c.Text, c.Doc))
	}
	if strings.Contains(text, "=") {
		if len(ways) == 0 { // such as data.path=
			return nil, cobra.ShellCompDirectiveDefault
		}
		return ways, cobra.ShellCompDirectiveNoFileComp
	}
	return ways, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeRun completes the directory of a run that has a model, below the typed path or below runs; if there is none,
// any file.
func completeRun(_ *cobra.Command, args []string, text string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var runs []string
	for _, pattern := range []string{text + "*", text + "*/*", filepath.Join("runs", text+"*")} {
		models, err := filepath.Glob(filepath.Join(pattern, model.FileName))
		if err != nil {
			continue // text is no pattern
		}
		for _, m := range models {
			if dir := filepath.ToSlash(filepath.Dir(m)); !slices.Contains(runs, dir) {
				runs = append(runs, dir)
			}
		}
	}
	return runs, cobra.ShellCompDirectiveDefault
}

// modelOf returns the model that a command line names.
func modelOf(cmd *cobra.Command, args []string) (*model.Model, error) {
	path, err := cmd.Flags().GetString("model")
	if err != nil {
		return nil, err
	}
	if path == "" && len(args) == 1 {
		path = args[0]
	}
	return model.Load(path)
}
