package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/internal/export"
)

func newExport() *cobra.Command {
	var e exporting
	cmd := described("export", oneRun, func(cmd *cobra.Command, args []string) error { return e.run(cmd, args) })
	cmd.Long = strings.Replace(cmd.Long, "{targets}\n", targetList(), 1)
	addModel(cmd, &e.model)
	addMember(cmd, &e.member)
	f := cmd.Flags()
	f.StringVar(&e.to, "to", "", "the `target`: "+strings.Join(targetNames(), ", "))
	f.StringVarP(&e.out, "out", "o", "", "the `file` to write, or - for standard output")
	f.BoolVar(&e.options.Float, export.OptionFloat, false, "compute with numbers of 32 bits"+takenBy(export.OptionFloat))
	f.BoolVar(&e.options.Matrix, export.OptionMatrix, false,
		"take one matrix of all inputs instead of an input for each column"+takenBy(export.OptionMatrix))
	f.StringVar(&e.options.Table, export.OptionTable, "", "the `table` to read"+takenBy(export.OptionTable))
	f.StringVar(&e.options.Key, export.OptionKey, "", "the `column` to pass through"+takenBy(export.OptionKey))
	f.StringVarP(&e.data, export.OptionData, "d", "",
		"the `table` that the model was trained on, to describe its rules there, on at most 5000 rows"+takenBy(export.OptionData)+
			" (default: train.csv in the directory of the run)")
	f.IntVar(&e.step, export.OptionStep, 1,
		"`k` if --data has every k-th row of the training table, from the first: rows are numbered as there"+takenBy(export.OptionStep))
	f.StringVar(&e.options.Name, export.OptionName, "", "the `name` of the package, or prefix of names"+takenBy(export.OptionName))
	f.BoolVar(&e.asJSON, "json", false, "print what was written as one JSON object")
	return cmd
}

// targetNames returns the names of the targets, sorted.
func targetNames() []string {
	var names []string
	for _, t := range export.Targets() {
		names = append(names, t.Name())
	}
	return names
}

// targetList returns a line for each target.
func targetList() string {
	var b strings.Builder
	for _, t := range export.Targets() {
		fmt.Fprintf(&b, "  %-8s %s\n", t.Name(), t.Meaning)
	}
	return b.String()
}

// takenBy names the targets that take an option.
func takenBy(option string) string {
	var names []string
	for _, t := range export.Targets() {
		if slices.Contains(t.Options, option) {
			names = append(names, t.Name())
		}
	}
	return " (--to " + strings.Join(names, ", ") + ")"
}

// exporting is one `export` command.
type exporting struct {
	model, to, out string
	data           string
	step           int
	member         int
	options        export.Options
	asJSON         bool
}

func (e *exporting) run(cmd *cobra.Command, args []string) error {
	path, err := namedModel(cmd, args, e.model)
	if err != nil {
		return err
	}
	e.model = path
	target, err := e.target(cmd)
	if err != nil {
		return err
	}
	if err := e.output().check(); err != nil {
		return err
	}
	m, err := loadMember(e.model, e.member)
	if err != nil {
		return err
	}
	result, err := prediction.Export(cmd.Context(), cmd.ErrOrStderr(), m, target, e.options,
		prediction.Saved{Path: e.model, Member: e.member, Table: e.data, Step: e.step})
	if err != nil {
		return err
	}
	if err := e.write(cmd, result); err != nil {
		return err
	}
	for _, text := range result.Notes {
		message.Note(cmd.ErrOrStderr(), "%s", text)
	}
	return nil
}

// target checks the flags and returns the target.
func (e *exporting) target(cmd *cobra.Command) (export.Target, error) {
	if e.to == "" {
		return export.Target{}, message.Usagef("name a target with --to: %s", strings.Join(targetNames(), ", "))
	}
	target, err := export.Lookup(e.to)
	if err != nil {
		return export.Target{}, message.Usagef("--to: unknown target %q: choose %s%s", e.to, strings.Join(targetNames(), ", "),
			registry.Hint(e.to, targetNames()))
	}
	for _, name := range []string{export.OptionFloat, export.OptionMatrix, export.OptionTable, export.OptionKey, export.OptionName,
		export.OptionData, export.OptionStep} {
		if cmd.Flags().Changed(name) && !slices.Contains(target.Options, name) {
			return export.Target{}, message.Usagef("--%s does not apply to --to %s: leave it out", name, e.to)
		}
	}
	switch {
	case e.step < 1:
		return export.Target{}, message.Usagef("--%s %d: want 1 or more", export.OptionStep, e.step)
	case e.out == "":
		return export.Target{}, message.Usagef("name the file to write, such as --out %s", target.File)
	case e.out == "-" && e.asJSON:
		return export.Target{}, message.Usagef("--json needs --out FILE: standard output is used for the model")
	case e.out != "-":
		base, ending := filepath.Base(e.out), filepath.Ext(target.File)
		if info, err := os.Stat(e.out); filepath.Ext(base) != ending && (err != nil || info.Mode().IsRegular()) {
			return export.Target{}, message.Usagef("--out %s: name a file that ends in %s", e.out, ending)
		}
		e.options.Stem = strings.TrimSuffix(base, filepath.Ext(base))
	}
	return target, nil
}

// exported is what export prints with --json.
type exported struct {
	To    string         `json:"to"`
	Files []exportedFile `json:"files"`
	Notes []string       `json:"notes"`
}

type exportedFile struct {
	Path  string `json:"path"`
	Bytes int    `json:"bytes"`
}

// output is the file that the user named.
func (e *exporting) output() output {
	return output{path: e.out, reads: append(modelFiles(e.model), e.data)}
}

// write writes the files, all or none.
func (e *exporting) write(cmd *cobra.Command, result *export.Result) error {
	beside := result.Files[1:]
	if e.out == "-" {
		for _, f := range beside {
			message.Note(cmd.ErrOrStderr(), "%s is not written to standard output: name a file with --out", f.Name)
		}
		beside = nil
	}
	done := exported{To: e.to, Files: []exportedFile{{e.out, len(result.Files[0].Data)}}, Notes: append([]string{}, result.Notes...)}
	for _, f := range beside {
		path := filepath.Join(filepath.Dir(e.out), f.Name)
		if err := replaceable(path); err != nil {
			return err
		}
		done.Files = append(done.Files, exportedFile{path, len(f.Data)})
	}
	var parts []part
	for i, f := range beside {
		parts = append(parts, part{output{path: done.Files[i+1].Path, chosen: true, reads: append(modelFiles(e.model), e.out)}, writing(f.Data)})
	}
	if err := writeAll(cmd, append(parts, part{e.output(), writing(result.Files[0].Data)})...); err != nil || e.out == "-" {
		return err
	}
	if e.asJSON {
		return escape.PrintJSON(cmd.OutOrStdout(), done)
	}
	for _, f := range done.Files {
		if _, err := fmt.Fprintln(cmd.OutOrStdout(), f.Path); err != nil {
			return err
		}
	}
	return nil
}

func writing(content []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	}
}

// replaceable refuses a file beside the output that was not exported before.
func replaceable(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return message.Usagef("%s is not a file: move it, or name another file with --out", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, 1024)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	if !bytes.Contains(head[:n], []byte(export.Marker)) {
		return message.Usagef("%s exists and was not written by tskgraph: move it, or name another file with --out", path)
	}
	return nil
}
