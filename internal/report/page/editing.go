package page

import (
	"fmt"
	"math"
	"regexp"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
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
		e.Weights = append(e.Weights, numeric.WeightAt(m.Response.Weights, c))
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
		return fmt.Sprintf("This model is a committee: it predicts the mean of %d models, each with rules of its own, and rules.yaml holds "+
			"the rules of one. To edit rules, train with train.members 1.", len(m.Members))
	case m.Pages != nil:
		return "This model is a page: to edit its rules and tables, save its text from the section on rules as page.txt, edit it, and make a " +
			"model of it by tskgraph import page.txt --model MODEL --out edited, where MODEL is this model or the directory of its run."
	case m.Components != nil:
		return "The conditions of these rules are on principal components, mixtures of all columns, so that they have no borders in the " +
			"units of a column. To edit rules, train with data.pca 0."
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

// editRows are rows on which the error is measured, by column of the schema's features; null: missing.
type editRows struct {
	X       [][]*float64 `json:"x"` // [M][N]
	Y       [][]float64  `json:"y"` // [targets][N]
	Weights []float64    `json:"weights,omitempty"`
}

const (
	maxEditRows  = 2000
	maxEditCells = 40e3 // of these rows, but at least 20 rows
)

// newEditRows returns a sample of the rows of a data set.
func newEditRows(d *data.Dataset) *editRows {
	chosen := numeric.Some(d.Len(), min(maxEditRows, max(20, maxEditCells/len(d.X[0]))))
	e := &editRows{X: make([][]*float64, len(d.X[0])), Y: make([][]float64, 1+len(d.Others))}
	for _, n := range chosen {
		for m, v := range d.X[n] {
			var cell *float64
			if !math.IsNaN(v) {
				cell = &d.X[n][m]
			}
			e.X[m] = append(e.X[m], cell)
		}
		for c := range e.Y {
			e.Y[c] = append(e.Y[c], d.Target(c).Y[n])
		}
		if d.Weights != nil {
			e.Weights = append(e.Weights, d.Weights[n])
		}
	}
	return e
}

// label is what the tab says of the rows.
func (r *editRows) label(of int, name string) string {
	if n := len(r.Y[0]); n < of {
		return fmt.Sprintf("%s of %s, drawn at random from %s", numeric.Counted(n, "row"), name, numeric.Count(of))
	}
	return fmt.Sprintf("all %s of %s", numeric.Counted(of, "row"), name)
}

// editParam is a parameter of a membership function.
type editParam struct {
	Kind    string   `json:"kind"` // position, spread, slope, exponent or number
	Meaning string   `json:"meaning"`
	Least   *float64 `json:"least,omitempty"` // scaled
}

var kinds = map[membership.Kind]string{
	membership.Position: "position", membership.Spread: "spread", membership.Slope: "slope", membership.Exponent: "exponent",
	membership.Number: "number",
}

// editParams describes the parameters of a rulebase's membership functions. ordered: their positions ascend.
func editParams(rb *rules.RuleBase) (all []editParam, ordered bool) {
	params := rb.Shape.Params()
	_, ordered = rb.Shape.(membership.Projector)
	low := make([][]float64, len(params))
	for j := range low {
		low[j] = []float64{-math.MaxFloat64}
	}
	positions := 0
	for _, p := range params {
		if p.Kind == membership.Position {
			positions++
		}
	}
	ordered = ordered && positions == len(params)
	if !ordered {
		rules.Project(rb.Shape, rb.SpreadFloor, low)
	}
	for j, p := range params {
		one := editParam{Kind: kinds[p.Kind], Meaning: p.Meaning}
		if low[j][0] > -math.MaxFloat64 {
			one.Least = &low[j][0]
		}
		all = append(all, one)
	}
	return all, ordered
}

// indicator has the parameters of functions over the indicator of a level, in its unit: both holds for zero and one, absent for
// zero alone, as the terms of levels in rules.yaml do.
type indicator struct {
	Both   []float64 `json:"both"`
	Absent []float64 `json:"absent"`
}

func newIndicator(shape membership.Function) *indicator {
	if s, ok := shape.(membership.Between); ok {
		return &indicator{s.Between(-100, 100, 0.2), s.Between(-100, 0.5, 0.2)}
	}
	return &indicator{shape.Place(0.5, 100), shape.Place(0, 0.3)}
}

// termNumbers returns the number of the term of each input that the IF part of a rule mentions.
func termNumbers(book *byhand.Rulebook, rb *rules.RuleBase, names []string) [][]int {
	all := make([][]int, rb.Rules())
	for r, rule := range book.Rules {
		all[r] = []int{}
		for i, name := range names {
			if rb.IsFlat(r, i) {
				continue
			}
			at := slices.IndexFunc(rule.If, func(c byhand.Condition) bool { return c.Column == name })
			all[r] = append(all[r], slices.IndexFunc(book.Terms, func(t byhand.Term) bool {
				return t.Column == name && t.Name == rule.If[at].Term
			}))
		}
	}
	return all
}

// ifKey is the key of the edits of parameter j of a term.
func ifKey(term, j int) string { return fmt.Sprintf("if %d %d", term, j) }

// links returns the keys of the parameters that different terms share: of rules on both sides of a border of a tree.
func links(rb *rules.RuleBase, terms [][]int) [][]string {
	var all [][]string
	for _, group := range rb.Shared() {
		var keys []string
		for _, e := range group {
			if rb.IsFlat(e.Rule, e.Feature) {
				continue
			}
			at := 0
			for i := range e.Feature {
				if !rb.IsFlat(e.Rule, i) {
					at++
				}
			}
			if key := ifKey(terms[e.Rule][at], e.Parameter); !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
		if len(keys) > 1 {
			all = append(all, keys)
		}
	}
	return all
}
