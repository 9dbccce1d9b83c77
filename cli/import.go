package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/byhand"
	_ "github.com/tskgraph/tskgraph/internal/byhand/fis" // reads .fis files
	"github.com/tskgraph/tskgraph/model"
)

func newImport() *cobra.Command {
	var i importing
	cmd := described("import", func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return message.Usagef("name a file of rules (see %s --help)", cmd.CommandPath())
		}
		return oneRun(cmd, args)
	},
		func(cmd *cobra.Command, args []string) error { return i.run(cmd, args[0]) })
	cmd.Long = strings.Replace(cmd.Long, "{extensions}", strings.Join(byhand.Extensions(), ", "), 1)
	cmd.Flags().StringVarP(&i.out, "out", "o", "", "the `directory` for model.json, or a file that ends in .json; nothing is overwritten")
	cmd.Flags().StringVarP(&i.model, "model", "m", "", "the model `file`, or the directory of a run, whose columns are used")
	cmd.Flags().BoolVar(&i.asJSON, "json", false, "print what was written as one JSON object")
	return cmd
}

// importing is one `import` command.
type importing struct {
	out, model string
	asJSON     bool
}

// imported is what import prints with --json.
type imported struct {
	Model   string   `json:"model"` // path
	Rules   int      `json:"rules"`
	Kept    int      `json:"kept_rules"` // of which a part is kept in training
	Columns []string `json:"columns"`
	Target  string   `json:"target"`
}

func (i *importing) run(cmd *cobra.Command, path string) error {
	if i.out == "" {
		return message.Usagef("name the directory for the model, such as --out imported")
	}
	rules, err := readRules(path)
	if err != nil {
		return err
	}
	var like *model.Model
	if i.model != "" {
		if like, err = model.Load(i.model); err != nil {
			return err
		}
	}
	m, err := rules.Model(like)
	if err != nil {
		return message.Usage(err)
	}
	file := i.out
	if filepath.Ext(file) != ".json" {
		file = filepath.Join(file, model.FileName)
	}
	o := output{path: file, fresh: true, reads: append(modelFiles(i.model), path)}
	if err := o.check(); err != nil {
		return err
	}
	if file != i.out {
		if err := os.MkdirAll(i.out, 0o777); err != nil {
			return err
		}
	}
	if err := o.write(cmd, m.Encode); err != nil {
		return err
	}
	if text, example := middles(m); text != "" && like == nil {
		message.Note(cmd.ErrOrStderr(), "missing cells count as the middle of the range (%s), unless the page states another number, such as "+
			"%s", text, example)
	}
	return i.report(cmd, file, m)
}

// middles says what missing numbers count as in a page that does not state it, with an example of a page's statement for its first
// column; empty for another model.
func middles(m *model.Model) (text, example string) {
	if m.Pages == nil || m.ImputeMeans {
		return "", ""
	}
	var all []string
	first := 0
	for _, c := range m.Schema.Columns {
		if c.Numbers() {
			middle := numeric.Show(m.Features[first].Mean, 6)
			all = append(all, fmt.Sprintf("%s %s", escape.Text(c.Name), middle))
			example = cmp.Or(example, fmt.Sprintf("A missing %s counts as %s", escape.Quote(c.Name), middle))
		}
		first += c.Width()
	}
	return strings.Join(all, ", "), example
}

// report prints what was written.
func (i *importing) report(cmd *cobra.Command, file string, m *model.Model) error {
	if !i.asJSON {
		_, err := fmt.Fprintln(cmd.OutOrStdout(), file)
		return err
	}
	done := imported{Model: file, Rules: model.CountRules(m), Target: m.Schema.Target}
	for _, k := range m.RuleBase.Keep {
		if k != 0 {
			done.Kept++
		}
	}
	for _, c := range m.Schema.Columns {
		done.Columns = append(done.Columns, c.Name)
	}
	return escape.PrintJSON(cmd.OutOrStdout(), done)
}

// readRules reads a file of rules.
func readRules(path string) (*byhand.Rulebook, error) {
	b, err := byhand.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, message.Usagef("there is no file %s", path)
	case err != nil:
		return nil, message.Usage(err)
	}
	return b, nil
}
