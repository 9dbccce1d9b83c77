package workbench

import (
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/config"
)

// looked is the result of look.
type looked struct {
	Table    string   `json:"table"`
	Rows     int      `json:"rows"`
	Inputs   int      `json:"inputs"` // columns
	Targets  []string `json:"targets"`
	Guessed  bool     `json:"guessed"` // the target is a guess
	Fixed    bool     `json:"fixed"`   // targets, columns and units cannot be changed: the table is built in
	Task     string   `json:"task"`    // regression or classification
	Notes    []string `json:"notes"`
	Warnings []string `json:"warnings"`
	Columns  []column `json:"columns"`
	Config   string   `json:"config"` // YAML

	Proposals []config.Remedy `json:"proposals"`
	Options   []config.Option `json:"options"` // as the preset has them
}

// column is a column of a table.
type column struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind"` // number, words, date, mixed or empty
	Unit     string   `json:"unit"`
	Missing  int      `json:"missing"`
	Distinct int      `json:"distinct"`
	Examples []string `json:"examples,omitempty"` // of what is not numbers
	Min      *float64 `json:"min,omitempty"`
	Max      *float64 `json:"max,omitempty"`
	Mean     *float64 `json:"mean,omitempty"`
	Use      string   `json:"use"` // target, input, left out, or beside, which is used but no feature
	Why      string   `json:"why"` // it is left out, or how it is read

	Type      string   `json:"type"`            // how it is read
	Types     []string `json:"types,omitempty"` // how it can be
	Order     []string `json:"order,omitempty"` // of levels, if it is given
	Role      string   `json:"role,omitempty"`  // if or then, the only parts of rules that may mention it
	Direction string   `json:"direction,omitempty"`
	NA        []string `json:"na,omitempty"` // marks of missing cells
}

func answerLook(c call) (any, error) {
	var s settings
	if err := c.decode(&s); err != nil {
		return nil, err
	}
	if s.From != nil || s.Page != nil {
		return nil, message.Usagef("from, page: are for train")
	}
	p, err := prepare(c.ctx, c.Bench, s)
	if err != nil {
		return nil, err
	}
	m, err := p.load()
	if err != nil {
		return nil, err
	}
	usual, err := p.usual()
	if err != nil {
		return nil, err
	}
	l := &looked{Table: s.Table, Task: "regression", Notes: []string{}, Warnings: []string{}, Proposals: []config.Remedy{},
		Options: usual.Options(offered...)}
	if p.initial == nil {
		return l, l.ofBuiltin(p.table.builtin, m)
	}
	if l.ofTable(p.initial, m); len(s.Set)+len(s.Columns) > 0 {
		l.Config = string(m.YAML())
	}
	return l, nil
}

// ofTable describes a table of the user.
func (l *looked) ofTable(in *config.Initial, m *config.Config) {
	l.Rows, l.Inputs, l.Targets, l.Guessed, l.Config = in.Rows, in.Inputs, in.Targets, in.Guessed, string(in.YAML)
	l.Warnings = append(l.Warnings, in.Warnings...)
	for _, note := range in.Notes {
		if !slices.Contains(in.Warnings, note) {
			l.Notes = append(l.Notes, note)
		}
	}
	l.Proposals = append(l.Proposals, in.Remedies...)
	times := map[string]bool{} // columns of time stamps in regular steps
	for _, p := range in.Remedies {
		times[p.Set["data.time"]] = true
	}
	for _, p := range in.Columns {
		c := column{Name: p.Name, Kind: kind(p), Unit: m.Data.Units[p.Name], Missing: p.Missing, Distinct: p.Distinct, Use: "input", Why: p.Why}
		if c.Kind == "number" {
			c.Min, c.Max, c.Mean = numeric.OrNil(p.Low.Value), numeric.OrNil(p.High.Value), numeric.OrNil(p.Mean)
		} else {
			c.Examples = examples(p.Values)
		}
		switch {
		case p.Target:
			c.Use = "target"
			if m.Data.Task == "classification" || m.Data.Task != "regression" && c.Kind == "words" {
				l.Task = "classification"
			}
		case p.Ignored:
			c.Use = "left out"
		}
		if c.typed(p, m, times[p.Name]); slices.Contains(noFeature, c.Type) {
			if c.Use == "input" {
				l.Inputs--
			}
			c.Use = "beside"
		}
		l.Columns = append(l.Columns, c)
	}
}

// kind returns what the cells of a column are.
func kind(c config.Column) string {
	switch present := c.Present(); {
	case present == 0:
		return "empty"
	case 10*c.Dates >= 9*present:
		return "date"
	case c.OfNumbers():
		return "number"
	case c.Words == present:
		return "words"
	}
	return "mixed"
}

// examples returns the first few values, shortened.
func examples(values []string) []string {
	const most, long = 5, 40
	some := slices.Clone(values[:min(most, len(values))])
	for i, v := range some {
		if r := []rune(v); len(r) > long {
			some[i] = string(r[:long]) + "…"
		}
	}
	return some
}

// ofBuiltin describes a built-in table, whose inputs are numbers.
func (l *looked) ofBuiltin(name string, m *config.Config) error {
	d, _, err := data.Builtin(name)
	if err != nil {
		return err
	}
	l.Rows, l.Inputs, l.Targets, l.Fixed, l.Config = d.Len(), len(d.Schema.Columns), d.Schema.Targets(), true, string(m.YAML())
	l.Notes = append(l.Notes, "a built-in table: "+data.BuiltinDoc(name))
	for i, in := range d.Schema.Columns {
		cells := make([]float64, d.Len())
		for n, row := range d.X {
			cells[n] = row[i]
		}
		l.Columns = append(l.Columns, numbers(in.Name, "input", cells))
	}
	target := numbers(d.Schema.Target, "target", d.Y)
	if classes := d.Schema.Classes; classes != nil {
		l.Task, target = "classification", column{Name: d.Schema.Target, Kind: "words", Distinct: len(classes), Examples: examples(classes),
			Use: "target"}
	}
	l.Columns = append(l.Columns, target)
	return nil
}

// numbers describes a column of numbers without missing ones.
func numbers(name, use string, cells []float64) column {
	sorted, sum := slices.Sorted(slices.Values(cells)), 0.0
	for _, v := range cells {
		sum += v
	}
	least, most, mean := sorted[0], sorted[len(sorted)-1], sum/float64(len(cells))
	return column{Name: name, Kind: "number", Distinct: len(slices.Compact(sorted)), Min: &least, Max: &most, Mean: &mean, Use: use}
}

// offered are the keys that a page offers; all others can be set, too.
var offered = []string{
	"task", "data.missing", "data.split", "data.train", "data.validation", "data.calibration",
	"model.rules", "model.membership", "model.init", "model.antecedents", "model.terms", "model.round", "model.curves",
	"model.range",
	"train.fidelity", "train.iterations", "train.loss", "train.class_weights", "train.patience", "train.members", "train.seed",
}
