package cli

import (
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/model"
)

// flagError adds a suggestion to an unknown flag.
func flagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		want := map[string]string{"int": "a whole number", "uint64": "a whole number, at least 0", "float64": "a number", "bool": "true or false",
			"duration": "a time such as 90s or 10m"}[invalid.GetFlag().Value.Type()]
		if want != "" {
			return message.Usagef("--%s %s: want %s", invalid.GetFlag().Name, escape.Quote(invalid.GetValue()), want)
		}
	}
	name, ok := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !ok {
		return message.Usage(err)
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	if closest := registry.Closest(name, known); closest != "" {
		return message.Usagef("%w; did you mean --%s?", err, closest)
	}
	return message.Usagef("%w (see %s --help)", err, cmd.CommandPath())
}

// noArgs refuses positional arguments; a command with subcommands suggests the closest one.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !cmd.HasSubCommands() {
		return message.Usagef("unexpected argument %q (see %s --help)", args[0], cmd.CommandPath())
	}
	var known []string
	for _, sub := range cmd.Commands() {
		known = append(known, sub.Name())
	}
	if closest := registry.Closest(args[0], known); closest != "" {
		return message.Usagef("unknown command %q; did you mean %s?", args[0], closest)
	}
	return message.Usagef("unknown command %q (see %s --help)", args[0], cmd.CommandPath())
}

// exclusive refuses a command line that sets a flag and one of others.
func exclusive(cmd *cobra.Command, flag string, others ...string) error {
	for _, other := range others {
		if cmd.Flags().Changed(flag) && cmd.Flags().Changed(other) {
			return message.Usagef("--%s and --%s cannot be combined", flag, other)
		}
	}
	return nil
}

// needed refuses a command line that lacks a required flag.
func needed(cmd *cobra.Command, flags ...string) error {
	for _, name := range flags {
		if f := cmd.Flags().Lookup(name); f.Value.String() == "" || f.Value.String() == "[]" {
			_, usage := pflag.UnquoteUsage(f)
			return message.Usagef("--%s is required: %s (see %s --help)", name, usage, cmd.CommandPath())
		}
	}
	return nil
}

// configFlags are those of command.Config.
var configFlags = []string{"config", "set", "memory", "scratch"}

// addQuery adds the flag that names the rows of a database.
func addQuery(cmd *cobra.Command, query *string) {
	cmd.Flags().StringVar(query, "query", "", "the `SELECT` of a table that is a database, such as postgres://HOST/DATABASE or sqlite:FILE")
}

// addModel adds the flag that names a model.
func addModel(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVarP(path, "model", "m", "", "model `file`, or the directory of a run")
}

// addMember adds the flag that names a member of a committee.
func addMember(cmd *cobra.Command, member *int) {
	cmd.Flags().IntVar(member, "member", 0, "`number` of the committee member to use, from 1")
}

// addTable adds the flags that name a table that is read for a model.
func addTable(cmd *cobra.Command, table, delimiter *string, meaning string) {
	cmd.Flags().StringVarP(table, "data", "d", "", meaning)
	cmd.Flags().StringVar(delimiter, "delimiter", "auto", "auto, comma, semicolon or tab")
}

// addOut adds the flag --out of a file that is written to the directory of a run by default.
func addOut(cmd *cobra.Command, out *string, file string) {
	cmd.Flags().StringVarP(out, "out", "o", "",
		"the `file` to write, or - for standard output (default: "+file+" in the directory of the run, "+
			"or a new file beside the model file)")
}

// addJSON adds the flag --json.
func addJSON(cmd *cobra.Command, asJSON *bool, meaning string) {
	cmd.Flags().BoolVar(asJSON, "json", false, meaning)
}

// printed prints a result as JSON or as text.
func printed[T any](cmd *cobra.Command, asJSON bool, result T, text func(io.Writer, T) error) error {
	if asJSON {
		return escape.PrintJSON(cmd.OutOrStdout(), result)
	}
	return text(cmd.OutOrStdout(), result)
}

// oneRun refuses more than one argument.
func oneRun(cmd *cobra.Command, args []string) error { return noArgs(cmd, args[min(1, len(args)):]) }

// namedModel returns the model that the argument, the directory of a run, or else --model names.
func namedModel(cmd *cobra.Command, args []string, model string) (string, error) {
	switch {
	case len(args) == 1 && model != "":
		return "", message.Usagef("the directory of a run and --model cannot be combined")
	case len(args) == 1:
		return args[0], nil
	case model == "":
		return "", message.Usagef("name the directory of a run, or --model (see %s --help)", cmd.CommandPath())
	}
	return model, nil
}

// loadMember reads a model from a file or the directory of a run, and returns the member of that number, or for 0 the
// model itself.
func loadMember(path string, member int) (*model.Model, error) {
	m, err := model.Load(path)
	if err != nil {
		return nil, err
	}
	return memberOf(m, member)
}

// memberOf returns the member of that number, or for 0 the model itself.
func memberOf(m *model.Model, member int) (*model.Model, error) {
	switch {
	case member == 0:
		return m, nil
	case !m.Committee():
		return nil, message.Usagef("--member %d: the model is not a committee: leave out --member", member)
	case member < 0 || member > len(m.Members):
		return nil, message.Usagef("--member %d: the committee has members 1 to %d", member, len(m.Members))
	}
	return m.Members[member-1], nil
}

// loadRules reads a single model or a member of a committee, for commands that work on one rulebase.
func loadRules(path string, member int) (*model.Model, error) {
	m, err := loadMember(path, member)
	if err == nil && m.Committee() {
		return nil, whichMember(m)
	}
	return m, err
}

// whichMember returns the error about a committee of which no member is named.
func whichMember(m *model.Model) error {
	return message.Usagef("the model is a committee of %d: choose a member with --member 1 to %d", len(m.Members), len(m.Members))
}
