package page

import (
	"fmt"
	"regexp"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/byhand"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
	"github.com/tskgraph/tskgraph/model"
)

// editing is what the page's script needs to edit rules. Numbers in rules.yaml are in the units of the columns.
type editing struct {
	Why string `json:"why,omitempty"` // the rules cannot be edited; then all else is empty

	Params    []editParam  `json:"params,omitempty"`    // of a membership function
	Ordered   bool         `json:"ordered,omitempty"`   // its positions ascend
	Indicator *indicator   `json:"indicator,omitempty"` // functions over the indicator of a level
	Terms     [][]int      `json:"terms,omitempty"`     // [R] number of the term of each input in the IF part, in the order of member.Mentions
	Links     [][]string   `json:"links,omitempty"`     // keys of parameters that rules share: they stay equal
	Outputs   []editOutput `json:"outputs,omitempty"`   // [C]
	Signs     []int        `json:"signs,omitempty"`     // [C(M+1)] see rules.RuleBase
	Levels    []float64    `json:"levels,omitempty"`    // [C] of quantiles
	Weights   []float64    `json:"weights,omitempty"`   // [C] of several targets, in their mean error
	Rows      *editRows    `json:"rows,omitempty"`
	Keeps     []int        `json:"keeps,omitempty"` // [R] parts of each rule that training keeps, see rules.Keep
	File      []piece      `json:"file,omitempty"`  // rules.yaml
}

// editOutput is an output of the rules: a formula gives base + scale times the consequent.
type editOutput struct {
	Label string  `json:"label"`
	Unit  string  `json:"unit"`
	Base  float64 `json:"base"`
	Scale float64 `json:"scale"`
}

// newEditing returns what is needed to edit the rules of a model, which has no neighbours.
func newEditing(m *model.Model, d *data.Dataset) (*editing, error) {
	if why := notEdited(m); why != "" {
		return &editing{Why: why}, nil
	}
	rb := m.RuleBase
	e := &editing{Rows: newEditRows(d), Indicator: newIndicator(rb.Shape), Signs: rb.Signs}
	e.Params, e.Ordered = editParams(rb)
	for c := range m.OutputCount() {
		of := m.Output(c)
		e.Outputs = append(e.Outputs, editOutput{of.Schema.Target, of.Schema.TargetUnit, of.Target.Mean, of.Target.Scaling()})
	}
	e.Levels = m.Response.Quantiles
	for c := range m.Response.Targets {
		e.Weights = append(e.Weights, weighted.At(m.Response.Weights, c))
	}
	book, err := byhand.FromModel(m)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, f := range m.Inputs() {
		names = append(names, f.Name)
	}
	if e.File, err = rulesFile(book, names); err != nil {
		return nil, err
	}
	e.Terms, e.Keeps = termNumbers(book, rb, names), keeps(book)
	e.Links = links(rb, e.Terms)
	return e, nil
}

// notEdited says why the rules of a model cannot be edited; empty if they can.
func notEdited(m *model.Model) string {
	switch {
	case m.Committee():
		return fmt.Sprintf("This model is a committee: it predicts the mean of %d models, each with rules of its own, and rules.yaml holds the rules of one. To edit rules, train with train.members 1.", len(m.Members))
	case m.Components != nil:
		return "The conditions of these rules are on principal components, mixtures of all columns, so that they have no borders in the units of a column. To edit rules, train with data.pca 0."
	}
	return ""
}

// keeps returns the parts of each rule that training keeps.
func keeps(book *byhand.Rulebook) []int {
	all := make([]int, len(book.Rules))
	for r, rule := range book.Rules {
		all[r] = int(rule.Keep)
	}
	return all
}

// plainPath matches a path that a shell takes as it is.
var plainPath = regexp.MustCompile(`^[\w./][\w./-]*$`)

// editingWords is what the tab says.
type editingWords struct {
	Why        string
	RowsOf     string // the rows on which the error is measured
	Histograms string // name of the data whose distribution is drawn
	Model      string // as an argument of the command
}

func newEditingWords(e *editing, in Input) editingWords {
	w := editingWords{Why: e.Why, Histograms: in.Data.Name, Model: "MODEL"}
	if in.Summary != nil && plainPath.MatchString(in.Summary.RunDir) {
		w.Model = in.Summary.RunDir
	}
	if w.Why != "" {
		return w
	}
	if in.Train != nil {
		w.Histograms = in.Train.Name
	}
	w.RowsOf = e.Rows.label(in.Data.Len(), in.Data.Name)
	return w
}
