package workbench

import (
	"context"
	"io"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/app/predicting"
	"github.com/tskgraph/tskgraph/internal/app/viewing"
	"github.com/tskgraph/tskgraph/model"
)

// described describes the model of the run in a directory as show does, on its training part if the run has it: on at most so
// many rows; 0: all.
func described(ctx context.Context, m *model.Model, path string, most int) (words.Description, error) {
	recorded, err := viewing.Readability(path, 0)
	if err != nil {
		return words.Description{}, err
	}
	return viewing.Describe(ctx, io.Discard, m, predicting.TrainingTable(path), data.Options{Lenient: true, Run: true}, viewing.Spread{Most: most}, recorded)
}

// sentences returns a sentence for each rule of a model: those that fire most come first. Of a committee they are those of its first
// member.
func sentences(d words.Description) []string {
	if len(d.Members) > 0 {
		d = d.Members[0]
	}
	all := []string{}
	for _, r := range words.Listed(d) {
		all = append(all, sentence(d, r))
	}
	return all
}

// sentence returns a rule in one line: "IF outside is at least 17.6 °C THEN heating is about 1.2 kW: 1.63 - 0.0631 outside".
func sentence(d words.Description, r words.Rule) string {
	if d.Interpretability == nil { // there are no words
		lines := d.Lines(r)
		return "IF " + strings.Join(lines.If, " AND ") + " THEN " + strings.Join(lines.Then, "; ")
	}
	t := d.Text(r)
	when := t.Always
	if len(t.If) > 0 {
		var conditions []string
		for _, c := range t.If {
			conditions = append(conditions, c.String())
		}
		when = "IF " + strings.Join(conditions, " AND ")
	}
	says := []string{conclusion(t)}
	switch {
	case len(t.Outputs) > 0 && t.Then != "":
		says = []string{t.Then} // such as "species is setosa (87%)"
	case len(t.Outputs) > 0:
		says = nil
		for _, output := range t.Outputs {
			says = append(says, conclusion(output))
		}
	}
	return when + " THEN " + strings.Join(says, "; ")
}

// conclusion returns what a rule says of an output.
func conclusion(t words.RuleText) string {
	var terms []string
	for _, term := range t.Formula {
		terms = append(terms, term.Product)
	}
	formula := strings.Join(terms, " ")
	if t.Small != "" {
		formula += ", " + t.Small
	}
	switch {
	case formula == "":
		return t.Then
	case t.Then == "":
		return t.Label + " = " + formula
	}
	return t.Then + ": " + formula
}
