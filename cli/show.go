package cli

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/internal/report/text"
	"github.com/tskgraph/tskgraph/model"
)

func newShow() *cobra.Command {
	var s showing
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Show a model's rules in words or in numbers",
		Long: `Show a model's rules: for each rule its IF part by feature, its THEN formula, and its share of the firing on the training
part. Rules are numbered as in explain, predict, report, plot and prune: in the order of the model file. Those that fire most
come first, and rules without conditions last. The members of a committee are shown one after the other.

Words describe where in the distribution of the training part a condition lies. --style numbers shows everything needed
to compute a prediction by hand, in the order of the model file: the parameters of the membership functions, the THEN
formulas, and the transforms of skewed features. --style tree shows rules that came from a tree (model.init tree) as this
tree, with the borders of the trained rules, and the share of the training rows that it leads to the rule that fires most. table and markdown show the words in a table, json shows everything, yaml writes rules to edit: for import, and for training (model.init). With the table that the model was
trained on (--data, or train.csv in the directory of a run), words also describe each rule there: the model's error where
the rule is strongest, and the row at which it fires most.`,
		Example: `  tskgraph show --model runs/no2-gaussian-001
  tskgraph show --model runs/no2-gaussian-001 --style numbers
  tskgraph show --model model.json --data train.csv --style markdown > rules.md
  tskgraph show --model runs/no2-sigmoid-001 --style tree
  tskgraph show --model model.json --style yaml > rules.yaml
  tskgraph show --model model.json --json
  tskgraph show --model model.json --graph | dot -Tsvg > network.svg`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := errors.Join(needed(cmd, "model"), exclusive(cmd, "json", "graph"), exclusive(cmd, "style", "json"),
				exclusive(cmd, "style", "graph"),
				exclusive(cmd, "data", "graph"))
			if err != nil {
				return err
			}
			return s.run(cmd)
		},
	}
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
	d, err := s.describe(cmd, m)
	if err != nil {
		return err
	}
	return writeStyle(cmd.OutOrStdout(), d, s.style)
}

// writeYAML writes the rules of a model as a file for import and for model.init.
func (s *showing) writeYAML(cmd *cobra.Command, m *model.Model) error {
	if s.data != "" {
		return message.Usagef("--data does not apply to --style yaml: leave it out")
	}
	b, err := byhand.FromModel(m)
	if err != nil {
		return message.Usage(err)
	}
	if m.Neighbours != nil {
		message.Note(cmd.ErrOrStderr(), "the file has the rules, without the model's neighbours")
	}
	if m.Calibration != nil {
		message.Note(cmd.ErrOrStderr(), "the file has the rules, without the calibration of prediction intervals")
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

// describe describes the model, and what its rules do on a table. The figures that say whether they can be read one by one
// are those that the run recorded or, for a member of a committee and with --data, those of the table.
func (s *showing) describe(cmd *cobra.Command, m *model.Model) (words.Description, error) {
	recorded, err := s.recorded()
	if err != nil {
		return words.Description{}, err
	}
	table := s.data
	if table == "" && (s.style != "numbers" || recorded == nil) {
		table = prediction.TrainingTable(s.model)
	}
	return prediction.Describe(cmd.Context(), cmd.ErrOrStderr(), m, table, data.Options{Lenient: true, Run: s.data == ""},
		prediction.Spread{}, recorded)
}

// recorded returns the figures of the summary of the run; nil without one, for a member of a committee and with --data.
func (s *showing) recorded() (*words.Readability, error) {
	if s.data != "" {
		return nil, nil
	}
	return prediction.Readability(s.model, s.member)
}
