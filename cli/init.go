package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

func newInit() *cobra.Command {
	var targets []string
	var out, query string
	var readable bool
	cmd := described("init", func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return message.Usagef("name one table: tskgraph init TABLE (see %s --help)", cmd.CommandPath())
		}
		return nil
	},
		func(cmd *cobra.Command, args []string) error {
			if _, err := os.Lstat(out); err == nil {
				return message.Usagef("%s already exists: remove it, or name another file with --out", out)
			}
			preset := recipe.Presets()[0]
			if readable {
				preset = recipe.Readable().Preset
			}
			initial, err := config.Init(data.Input{Name: args[0], Query: query, Context: cmd.Context()},
				config.InitOptions{Preset: preset, Targets: targets})
			if err != nil {
				return err
			}
			if err := createFile(out, initial.YAML); err != nil {
				return err
			}
			printInitial(cmd.ErrOrStderr(), initial, out)
			if !readable {
				fmt.Fprintf(cmd.ErrOrStderr(), "for at most %d rules that can be read one by one, use --readable\n", recipe.Readable().Model.Rules)
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), escape.ShellLine("tskgraph", "train", "--config", out))
			return err
		})
	cmd.Flags().StringArrayVar(&targets, "target", nil,
		"the `column` to predict (default: the last suitable one); several as --target y1,y2, or by repeating it")
	addQuery(cmd, &query)
	cmd.Flags().BoolVar(&readable, "readable", false, "write preset: readable, for few rules that can be read one by one")
	cmd.Flags().StringVarP(&out, "out", "o", "config.yaml", "the `file` to write")
	return cmd
}

// printInitial prints what was found in a table.
func printInitial(w io.Writer, initial *config.Initial, file string) {
	for _, found := range initial.Notes {
		message.Note(w, "%s", found)
	}
	guess := ""
	if initial.Guessed {
		guess = " (a guess; --target names another)"
	}
	fmt.Fprintf(w, "%s: %d rows; %s from %s%s\n", file, initial.Rows, strings.Join(initial.Targets, ", "),
		numeric.Counted(initial.Inputs, "column"), guess)
}

// createFile writes a new file; an existing one is an error.
func createFile(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return message.Usagef("%s already exists: remove it, or name another file with --out", path)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}
