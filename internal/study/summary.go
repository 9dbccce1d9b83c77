package study

import "gonum.org/v1/gonum/stat"

// Summary is the average of one algorithm on one set over the repeats. `tskgraph
// experiment --json` prints an array of them.
type Summary struct {
	Dataset    string   `json:"dataset"`
	Membership string   `json:"membership"`
	Algorithm  string   `json:"algorithm"`
	Repeats    int      `json:"repeats"`
	RMSEMean   float64  `json:"rmse_mean"` // on the test parts, in the target's unit
	RMSESD     *float64 `json:"rmse_sd"`   // divisor n-1; nil with one repeat

	// Mean numbers of rules. RulesRound1 and the numbers removed in each round are nil
	// for algorithms that do not prune.
	RulesInitial        float64   `json:"rules_initial"`
	RulesRound1         *float64  `json:"rules_round1"`
	RulesFinal          float64   `json:"rules_final"`
	RemovedByFiring     []float64 `json:"removed_by_firing"`
	RemovedBySimilarity []float64 `json:"removed_by_similarity"`

	Events Events `json:"-"` // summed over the repeats
}

// summarise averages the runs of one algorithm on one set.
func summarise(runs []Result) Summary {
	first := runs[0]
	s := Summary{Dataset: first.Dataset, Membership: first.Membership, Algorithm: first.Algorithm, Repeats: len(runs)}
	mean, sd := stat.MeanStdDev(rmses(runs), nil)
	s.RMSEMean = mean
	if len(runs) > 1 {
		s.RMSESD = &sd
	}
	average := func(count func(Result) int) float64 {
		sum := 0
		for _, r := range runs {
			sum += count(r)
		}
		return float64(sum) / float64(len(runs))
	}
	s.RulesInitial = average(func(r Result) int { return r.Rules[0] })
	s.RulesFinal = average(Result.FinalRules)
	if len(first.Rules) > 1 {
		round1 := average(func(r Result) int { return r.Rules[1] })
		s.RulesRound1 = &round1
		for i := range first.RemovedByFiring {
			s.RemovedByFiring = append(s.RemovedByFiring, average(func(r Result) int { return r.RemovedByFiring[i] }))
			s.RemovedBySimilarity = append(s.RemovedBySimilarity, average(func(r Result) int { return r.RemovedBySimilarity[i] }))
		}
	}
	for _, r := range runs {
		s.Events.add(r.Events)
	}
	return s
}

func rmses(runs []Result) []float64 {
	v := make([]float64, len(runs))
	for i, r := range runs {
		v[i] = r.RMSE
	}
	return v
}

func (e *Events) add(f Events) {
	e.Skipped += f.Skipped
	e.UncoveredTrain += f.UncoveredTrain
	e.UncoveredTest += f.UncoveredTest
	e.Coinciding += f.Coinciding
	e.LSEFallbacks += f.LSEFallbacks
	e.Diverged += f.Diverged
}
