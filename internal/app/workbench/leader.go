package workbench

import (
	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
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

// leaderRows is the number of rows of the training part on which the rules of a leader are measured at most: it delays the race.
const leaderRows = 500

// provisional returns the event of a leader, with what its rules say on rows of the training part.
func provisional(l tskgraph.RaceLeader, rows *data.Dataset) leading {
	d, err := words.ModelOn(l.Model, rows)
	if err != nil { // such as rows that no rule covers: then they are described without them
		d = words.Model(l.Model)
	}
	return leading{"rules", l.Number, l.Settings, l.Metric, numeric.OrNil(l.Loss), sentences(d), true}
}
