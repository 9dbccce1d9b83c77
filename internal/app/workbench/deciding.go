package workbench

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/report/page"
	"github.com/tskgraph/tskgraph/model"
)

// deciding is the rule with the largest firing level on a row.
type deciding struct {
	Name     string  `json:"name"`     // Rule 3, or of several pages Rule 3 of z
	Sentence string  `json:"sentence"` // IF ... THEN ...
	Firing   float64 `json:"firing"`   // its share of the prediction
	Place    string  `json:"place"`    // of the row among its training rows; empty if they are not known
}

// deciding returns the rules that decide a row: of several classes with pages that of the page of the most probable one, else one of each
// page; none where no rule fires.
func (s *scorer) deciding(x []float64, p model.Predictions) ([]deciding, error) {
	firing, err := s.model.Firing([][]float64{x})
	if err != nil {
		return nil, err
	}
	all, before := []deciding{}, 0
	for c, of := range firing {
		levels := of[0]
		r, first := strongest(levels), before
		before += len(levels)
		if r < 0 || s.model.Schema.Classes != nil && len(firing) > 1 && c != int(p.Values[0]) {
			continue
		}
		said := s.rules.Say(s.rules.Rules[first+r])
		d := deciding{Name: said.Name, Sentence: said.Sentence(), Firing: levels[r]}
		if s.own != nil {
			d.Place = s.place(c, r, levels[r])
		}
		all = append(all, d)
	}
	return all, nil
}

// whole is the firing level from which a rule decides alone, to the digits printed.
const whole = 0.9995

// place says where a row, on which a rule of a page has a firing level, is among the training rows that the rule decides.
func (s *scorer) place(c, r int, level float64) string {
	own := s.own[c][r]
	n := len(own.firing)
	if n == 0 {
		return "It decides no training row: nothing is known of how well it predicts."
	}
	rows := numeric.Counted(n, "training row")
	if s.model.Training.Samples > s.train.Len() {
		rows += " of a sample"
	}
	text := ""
	switch further := n - sort.SearchFloat64s(own.firing, min(level, whole)); {
	case level >= whole:
		text = fmt.Sprintf("It decides alone here, as for %s of its %s.", numeric.Count(further), rows)
		if further == n {
			text = fmt.Sprintf("It decides alone here, as for all its %s.", rows)
		}
	default:
		further = n - sort.Search(n, func(i int) bool { return own.firing[i] > level })
		text = fmt.Sprintf("It has %.1f%% of the firing here; of its %s, %.0f%% are further inside it.", 100*level, rows,
			100*float64(further)/float64(n))
	}
	if s.model.Schema.Classes != nil {
		return text
	}
	low, high := own.targets[n/4], own.targets[min(n-1, 3*n/4)]
	v := s.model.Values()[s.valueOf(c)]
	return text + fmt.Sprintf(" The middle half of these rows has %s from %s to %s.", escape.Text(v.Name), numeric.Short(low, 4),
		strings.TrimSpace(numeric.Short(high, 4)+" "+escape.Text(v.Unit)))
}

// flagged is a flag with a sentence.
type flagged struct {
	model.Flag
	Text string `json:"text"`
}

// flagged puts flags in words.
func (s *scorer) flagged(flags []model.Flag) []flagged {
	all := []flagged{}
	for _, f := range flags {
		all = append(all, flagged{f, s.warning(f)})
	}
	return all
}

// warning returns a sentence about a flag.
func (s *scorer) warning(f model.Flag) string {
	m, name, cell := s.model, escape.Text(f.Column), escape.Text(f.Cell)
	if f.Column == "" {
		if f.Kind == "limited" {
			return "The prediction is kept within the limits of the target."
		}
		return fmt.Sprintf("No rule covers this row: the prediction is the %s.", m.Words().Constant)
	}
	i := slices.IndexFunc(m.Schema.Columns, func(c data.Column) bool { return c.Name == f.Column })
	c, at := m.Schema.Columns[i], 0
	for _, before := range m.Schema.Columns[:i] {
		at += before.Width()
	}
	so := s.standsIn(c, at)
	if page.Idle(m, c.Name) {
		so = "no rule mentions it"
	} else if f.Kind == "unknown" && c.Nominal() {
		so = "it counts as none of the known categories"
	}
	switch f.Kind {
	case "missing":
		return fmt.Sprintf("%s is missing: %s.", name, so)
	case "unknown":
		return fmt.Sprintf("No training row has this category of %s: %s.", name, so)
	case "limited":
		return fmt.Sprintf("%s %s counts as the limit of the column, which is %s.", name, cell, c.Limits)
	}
	trained := ""
	if c.Numbers() {
		trained = fmt.Sprintf(", %s to %s", numeric.Short(m.Features[at].Min, 6), numeric.Short(m.Features[at].Max, 6))
	}
	beyond := page.Beyond(m)
	if page.Idle(m, c.Name) {
		beyond = "No rule mentions it."
	}
	return fmt.Sprintf("%s %s is outside the training range%s. %s", name, cell, trained, beyond)
}

// standsIn says what stands in for a missing cell of a column, or for a category without a place in the order of the levels; at is the
// index of its first feature.
func (s *scorer) standsIn(c data.Column, at int) string {
	m := s.model
	typical := model.Typical(m.Preprocessing)[at : at+c.Width()]
	if m.ImputeMeans {
		typical = []float64{m.Features[at].Mean}
	}
	text := numeric.Short(typical[0], 6)
	if k := c.Level(typical); k >= 0 {
		text = escape.Text(c.Levels[k])
	}
	switch {
	case c.Missing && c.Numbers():
		return "rules may ask for that, and where they need a number, the training mean stands in"
	case c.Missing:
		return "that counts as a category of its own"
	case c.Numbers() || m.ImputeMeans && !c.Nominal():
		return fmt.Sprintf("the training mean, %s, stands in", text)
	case m.ImputeMeans:
		return "the share of each category stands in, on a page none of them"
	case c.Nominal():
		return fmt.Sprintf("the most frequent category, %s, stands in", text)
	default:
		return fmt.Sprintf("the median level, %s, stands in", text)
	}
}
