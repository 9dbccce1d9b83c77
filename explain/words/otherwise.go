package words

import (
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// mostlyShare is the share of the samples for which OTHERWISE must be true.
const mostlyShare = 0.9

// markOtherwise sets Otherwise of the rule without conditions in words that decides where no
// other rule's conditions hold, and only there, for most of the samples: it is strongest for
// most samples that meet the conditions of no rule, and most samples for which it is
// strongest are such. A rule that fires fully everywhere is not one: it always counts.
func markOtherwise(d *Description, m *model.Model, samples *data.Dataset, scaled [][]float64) {
	wordless := false
	for _, r := range d.Rules {
		wordless = wordless || len(r.Words) == 0
	}
	if !wordless || len(d.Rules) < 2 {
		return
	}
	left := 0                                                                    // samples that meet the conditions of no rule
	decided, decidedLeft := make([]int, len(d.Rules)), make([]int, len(d.Rules)) // samples for which each rule is strongest
	for start := 0; start < len(scaled); start += observeRows {
		block := scaled[start:min(start+observeRows, len(scaled))]
		for i, f := range m.RuleBase.FiringLevels(block, nil) {
			free := !meetsAny(d, samples.X[start+i])
			if free {
				left++
			}
			if r := strongestOf(f); r >= 0 {
				decided[r]++
				if free {
					decidedLeft[r]++
				}
			}
		}
	}
	mostly := func(some, all int) bool { return all > 0 && float64(some) >= mostlyShare*float64(all) }
	for r := range d.Rules {
		d.Rules[r].Otherwise = len(d.Rules[r].Words) == 0 && mostly(decidedLeft[r], left) && mostly(decidedLeft[r], decided[r])
	}
}

// meetsAny reports whether a sample meets all conditions, except preferences, of some rule that
// has conditions in words.
func meetsAny(d *Description, x []float64) bool {
	for _, r := range d.Rules {
		meets := len(r.Words) > 0
		for i := 0; meets && i < len(r.Words); i++ {
			meets = r.Words[i].Preferably || r.Words[i].cut.Has(x)
		}
		if meets {
			return true
		}
	}
	return false
}
