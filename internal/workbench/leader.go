package workbench

import (
	"strings"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/describe"
	"github.com/tskgraph/tskgraph/internal/numeric"
	"github.com/tskgraph/tskgraph/model"
)

// leading is the event of the rules of the setting that leads a race.
type leading struct {
	Event       string   `json:"event"`   // rules
	Setting     int      `json:"setting"` // its number, from 1
	Of          int      `json:"of"`      // settings
	Metric      string   `json:"metric"`
	Loss        *float64 `json:"loss"` // of the metric, on held-out rows
	Rules       []string `json:"rules"`
	Provisional bool     `json:"provisional"` // the rules are not those of the result
}

// provisional returns the event of a leader.
func provisional(l tskgraph.RaceLeader) leading {
	return leading{"rules", l.Number, l.Settings, l.Metric, numeric.OrNil(l.Loss), ruleLines(l.Model), true}
}

// ruleLines returns a line for each rule of a model, in words: those that fire most come first. Of a committee they are those of its
// first member.
func ruleLines(m *model.Model) []string {
	d := describe.Model(m)
	if len(d.Members) > 0 {
		d = d.Members[0]
	}
	lines := []string{}
	for _, r := range describe.Listed(d) {
		text := d.Lines(r)
		lines = append(lines, "IF "+strings.Join(text.If, " AND ")+" THEN "+strings.Join(text.Then, " "))
	}
	return lines
}
