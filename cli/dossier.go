package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/report/dossier"
	"github.com/tskgraph/tskgraph/model"
)

func newDossier() *cobra.Command {
	var w documenting
	cmd := described("dossier", oneRun, func(cmd *cobra.Command, args []string) error {
		if err := errors.Join(exclusive(cmd, "check", "item", "answer", "purpose"), exclusive(cmd, "item", "out")); err != nil {
			return err
		}
		switch {
		case len(args) == 0:
			return message.Usagef("name the directory of a run (see %s --help)", cmd.CommandPath())
		case w.seeds == 1 || w.seeds < 0:
			return message.Usagef("--seeds %d: must be at least 2", w.seeds)
		}
		w.cmd, w.dir = cmd, args[0]
		return w.run()
	})
	cmd.Flags().StringVarP(&w.out, "out", "o", "",
		"the `name` of the two files to write or check, without .html and .md (default: dossier in the directory of the run)")
	cmd.Flags().BoolVar(&w.check, "check", false,
		"compute all figures again, and say which of the files' differ; the exit code is 1 if any does")
	cmd.Flags().StringVar(&w.item, "item", "", "compute again and print a section or an item alone, such as 4 or `4.2`, in Markdown")
	cmd.Flags().IntVar(&w.seeds, "seeds", 0, "train with this `number` of seeds to measure stability, and keep the result as "+
		dossier.StabilityFile+" in the directory of the run")
	cmd.Flags().StringVar(&w.purpose, "purpose", "", "the `file` with answers to the questions of the first section (default: "+
		dossier.PurposeFile+" in the directory of the run)")
	cmd.Flags().StringArrayVar(&w.answers, "answer", nil, "an answer, as `KEY=TEXT`, in place of that in the file; repeatable")
	addJSON(cmd, &w.asJSON, "print the dossier, or what differs, as one JSON object")
	return cmd
}

// documenting is one `dossier` command.
type documenting struct {
	cmd                     *cobra.Command
	dir, out, item, purpose string
	answers                 []string
	seeds                   int
	check, asJSON           bool

	measured *report.Stability // by --seeds; nil: the run's
}

func (w *documenting) run() error {
	m, err := model.Load(w.dir)
	if err != nil {
		return err
	}
	if !prediction.IsRun(w.dir) {
		return message.Usagef("%s is not the directory of a run: a dossier needs its tables and its configuration", w.dir)
	}
	for _, o := range w.outputs() { // before what takes time
		if err := w.ours(o); err != nil {
			return err
		}
	}
	answers, err := w.readAnswers()
	if err != nil {
		return err
	}
	if w.seeds > 0 {
		if err := w.measure(); err != nil {
			return err
		}
	}
	d, err := w.compute(m, answers)
	if err != nil {
		return err
	}
	switch {
	case w.check:
		return w.compare(d)
	case w.item != "":
		if d, err = d.Only(w.item); err != nil {
			return message.Usagef("--item: %w", err)
		}
		return printed(w.cmd, w.asJSON, d, func(to io.Writer, d *dossier.Document) error { return d.WriteMarkdown(to) })
	}
	return w.write(d)
}

// outputs are the files of the dossier: HTML and Markdown.
func (w *documenting) outputs() []output {
	base, chosen := w.out, w.out == ""
	if chosen {
		base = filepath.Join(w.dir, "dossier")
	}
	for _, extension := range []string{".html", ".md"} {
		base = strings.TrimSuffix(base, extension)
	}
	reads := append(modelFiles(w.dir), w.purposeFile(), filepath.Join(w.dir, dossier.StabilityFile))
	return []output{{path: base + ".html", chosen: chosen, reads: reads}, {path: base + ".md", chosen: chosen, reads: reads}}
}

// ours refuses a file that exists and is no dossier.
func (w *documenting) ours(o output) error {
	if w.check || w.item != "" {
		return nil
	}
	if err := o.check(); err != nil {
		return err
	}
	content, err := readOne(o.path, o.chosen)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !dossier.IsDossier(content):
		return message.Usagef("%s exists and is no dossier: remove it, or name another file with --out", o.path)
	}
	return nil
}

// readOne reads a file that the user named, or one of the directory of a run, which others may write to.
func readOne(path string, ofRun bool) ([]byte, error) {
	if ofRun {
		return safefile.ReadInside(path)
	}
	return os.ReadFile(path)
}

func (w *documenting) purposeFile() string {
	if w.purpose != "" {
		return w.purpose
	}
	return filepath.Join(w.dir, dossier.PurposeFile)
}

// readAnswers reads what people say of the model's purpose.
func (w *documenting) readAnswers() (map[string]string, error) {
	content, err := readOne(w.purposeFile(), w.purpose == "")
	if errors.Is(err, fs.ErrNotExist) && w.purpose == "" {
		err = nil
	}
	if err != nil {
		return nil, message.Usagef("--purpose: %w", err)
	}
	answers, err := dossier.ReadAnswers(w.purposeFile(), content, w.answers)
	if err != nil {
		return nil, message.Usage(err)
	}
	return answers, nil
}

// measure measures the stability of the run's configuration, and writes it to the run unless the dossier is checked.
func (w *documenting) measure() error {
	switch summary, err := runs.ReadSummary(w.dir); {
	case err != nil:
		return err
	case summary != nil && summary.Before != nil:
		return message.Usagef("--seeds: the model was pruned from %s: measure the stability of that run", summary.Before.Model)
	}
	c, err := config.Load(config.Source{Path: filepath.Join(w.dir, runs.ConfigFile), Run: true})
	if err != nil {
		return err
	}
	s, err := measureStability(w.cmd, c, w.seeds)
	if err != nil {
		return fmt.Errorf("--seeds trains on the table that %s names, from the directory in which the command runs: %w",
			filepath.Join(w.dir, runs.ConfigFile), err)
	}
	if w.measured = s; w.check || w.item != "" {
		return nil
	}
	content, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return safefile.Write(filepath.Join(w.dir, dossier.StabilityFile), append(escape.JSON(content), '\n'), 0o666)
}

// compute computes the dossier from the files of the run.
func (w *documenting) compute(m *model.Model, answers map[string]string) (d *dossier.Document, err error) {
	tables := prediction.Tables{Notes: io.Discard, Options: data.Options{Delimiter: "auto"}} // the dossier says what notes say
	in, done, err := tables.Dossier(w.cmd.Context(), m, w.dir)
	defer func() { err = errors.Join(err, done()) }()
	if err != nil {
		return nil, err
	}
	if in.Answers = answers; w.measured != nil {
		in.Stability = w.measured
	}
	return dossier.New(w.cmd.Context(), in)
}

// write writes both files.
func (w *documenting) write(d *dossier.Document) error {
	files := w.outputs()
	if err := writeAll(w.cmd, part{files[0], d.WriteHTML}, part{files[1], d.WriteMarkdown}); err != nil {
		return err
	}
	if w.asJSON {
		return escape.PrintJSON(w.cmd.OutOrStdout(), d)
	}
	_, err := fmt.Fprintf(w.cmd.OutOrStdout(), "%s\n%s\n", files[0].path, files[1].path)
	return err
}

// checked is what --check prints.
type checked struct {
	Files       []string             `json:"files"`
	Same        int                  `json:"same"` // figures that agree
	Differences []dossier.Difference `json:"differences"`
}

func (c *checked) write(to io.Writer) error {
	var b bytes.Buffer
	for _, d := range c.Differences {
		fmt.Fprintf(&b, "%s\n", escape.Text(d.String()))
	}
	fmt.Fprintf(&b, "%d figures of %s agree, %d lines or figures differ\n", c.Same, strings.Join(c.Files, " and "), len(c.Differences))
	_, err := b.WriteTo(to)
	return err
}

// compare compares the files that were written with the dossier computed now.
func (w *documenting) compare(d *dossier.Document) error {
	c := &checked{Differences: []dossier.Difference{}}
	for _, o := range w.outputs() {
		content, err := readOne(o.path, o.chosen)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		same, differences, err := d.Check(o.path, content)
		if err != nil {
			return err
		}
		c.Files, c.Same, c.Differences = append(c.Files, o.path), c.Same+same, append(c.Differences, differences...)
	}
	if c.Files == nil {
		return message.Usagef("there is neither %s nor %s to check: write them with tskgraph dossier %s", w.outputs()[0].path,
			w.outputs()[1].path, escape.ShellLine(w.dir))
	}
	if err := printed(w.cmd, w.asJSON, c, func(to io.Writer, c *checked) error { return c.write(to) }); err != nil {
		return err
	}
	if n := len(c.Differences); n > 0 {
		return fmt.Errorf("the dossier is not that of the run: %d lines or figures differ", n)
	}
	return nil
}
