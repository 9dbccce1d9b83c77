package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/certify"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/report/text"
	"github.com/tskgraph/tskgraph/model"
)

func newShow() *cobra.Command {
	var s showing
	cmd := described("show", noArgs, func(cmd *cobra.Command, _ []string) error {
		err := errors.Join(needed(cmd, "model"), exclusive(cmd, "json", "graph"), exclusive(cmd, "style", "json", "graph"),
			exclusive(cmd, "data", "graph"))
		if err != nil {
			return err
		}
		return s.run(cmd)
	})
	addModel(cmd, &s.model)
	addMember(cmd, &s.member)
	cmd.Flags().StringVar(&s.style, "style", "words", "`how` to show the rules: "+strings.Join(showStyles, ", "))
	cmd.Flags().StringVarP(&s.data, "data", "d", "",
		"the table that the model was trained on (default: train.csv in the directory of the run)")
	cmd.Flags().BoolVar(&s.asJSON, "json", false, "print one JSON object, as --style json")
	cmd.Flags().BoolVar(&s.asGraph, "graph", false, "print the network as a graph in the DOT language")
	return cmd
}

// showing is one `show` command.
type showing struct {
	model, data, style string
	member             int
	asJSON, asGraph    bool
}

func (s *showing) run(cmd *cobra.Command) error {
	if s.asJSON {
		s.style = "json"
	}
	if !slices.Contains(showStyles, s.style) {
		return message.Usagef("--style: unknown style %q: choose %s", s.style, strings.Join(showStyles, ", "))
	}
	if s.asGraph {
		return s.writeGraph(cmd)
	}
	m, err := loadMember(s.model, s.member)
	if err != nil {
		return err
	}
	if s.style == "yaml" {
		return s.writeYAML(cmd, m)
	}
	d, err := prediction.Describe(cmd.Context(), cmd.ErrOrStderr(), m,
		prediction.Saved{Path: s.model, Member: s.member, Table: s.data, Brief: s.style == "numbers"})
	if err != nil {
		return err
	}
	if err := writeStyle(cmd.OutOrStdout(), d, s.style); err != nil || s.style != "words" {
		return err
	}
	if lines := certify.Beside(s.model, m).Sentences(); lines != nil {
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "\nWhat this model promises:\n  %s\n", strings.Join(lines, "\n  "))
	}
	return err
}

// writeYAML writes the rules of a model as a file for import and for model.init.
func (s *showing) writeYAML(cmd *cobra.Command, m *model.Model) error {
	if s.data != "" {
		return message.Usagef("--data does not apply to --style yaml: leave it out")
	}
	b, notes, err := prediction.Rules(m)
	if err != nil {
		return err
	}
	for _, text := range notes {
		message.Note(cmd.ErrOrStderr(), "%s", text)
	}
	return b.WriteYAML(cmd.OutOrStdout())
}

// writeGraph writes the network of a model in the DOT language.
func (s *showing) writeGraph(cmd *cobra.Command) error {
	m, err := loadRules(s.model, s.member)
	if err != nil {
		return err
	}
	if m.Neighbours != nil {
		message.Note(cmd.ErrOrStderr(), "the graph shows the rules, without the model's neighbours")
	}
	n, err := graph.New(m.RuleBase, graph.Options{Engine: m.Training.Engine, Batch: 1})
	if err != nil {
		return err
	}
	defer n.Close()
	return n.WriteDOT(cmd.OutOrStdout())
}

// showStyles are the values of --style.
var showStyles = []string{"words", "numbers", "tree", "table", "markdown", "json", "yaml"}

func writeStyle(w io.Writer, d words.Description, style string) error {
	switch style {
	case "numbers":
		return d.Write(w)
	case "tree":
		if err := words.WriteTree(w, d); err != nil {
			return message.Usagef("--style tree: %w", err)
		}
		return nil
	case "table":
		return text.WriteRules(w, d)
	case "markdown":
		return text.WriteRulesMarkdown(w, d)
	case "json":
		return escape.PrintJSON(w, words.Worded(d))
	}
	return d.WriteWords(w)
}
