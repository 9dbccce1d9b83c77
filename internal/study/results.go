package study

import "gonum.org/v1/gonum/stat"

// Result is the result of one run.
type Result struct {
	Dataset    string `json:"dataset"`
	Membership string `json:"membership"`
	Algorithm  string `json:"algorithm"`
	Repeat     int    `json:"repeat"` // from 1

	RMSE  float64 `json:"rmse"`  // on the test part, in the target's unit
	Rules []int   `json:"rules"` // at the start, and after each round of pruning

	RemovedByFiring     []int `json:"removed_by_firing,omitempty"`     // in each round
	RemovedBySimilarity []int `json:"removed_by_similarity,omitempty"` // in each round

	Events Events `json:"events"`

	// Curve is the test RMSE after each iteration, if it was measured.
	Curve []float64 `json:"curve,omitempty"`
}

// Events count the exceptional cases of a run.
type Events struct {
	Skipped        int `json:"skipped_samples"`  // samples without a firing rule even without DropRule, summed over the iterations
	UncoveredTrain int `json:"uncovered_train"`  // samples that fire no rule of the final model
	UncoveredTest  int `json:"uncovered_test"`   // the same; the prediction is the training mean
	Coinciding     int `json:"coinciding_rules"` // rules that started at the centre of another
	LSEFallbacks   int `json:"lse_fallbacks"`    // least-squares problems solved by SVD because Cholesky failed
	Diverged       int `json:"diverged"`         // 1 if training diverged; the best model was evaluated
}

// FinalRules returns the number of rules of the final model.
func (r Result) FinalRules() int { return r.Rules[len(r.Rules)-1] }

// Results are the results of a study, in the order of sets, membership functions, algorithms and repeats.
type Results struct {
	Plan Plan
	Runs []Result
}

// of returns the results of one algorithm on one set, in the order of repeats.
func (rs *Results) of(dataset, membership, algorithm string) []Result {
	var found []Result
	for _, r := range rs.Runs {
		if r.Dataset == dataset && r.Membership == membership && r.Algorithm == algorithm {
			found = append(found, r)
		}
	}
	return found
}

// Summarise averages the results over the repeats, in the order of sets, membership functions and algorithms.
func (rs *Results) Summarise() []Summary {
	var summaries []Summary
	for _, set := range rs.Plan.Sets {
		for _, shape := range rs.Plan.Memberships {
			for _, a := range rs.Plan.Algorithms {
				if runs := rs.of(set.Name, shape, a.Name); len(runs) > 0 {
					summaries = append(summaries, summarise(runs))
				}
			}
		}
	}
	return summaries
}

// Comparisons answers the questions for every data set and membership function for which both algorithms were run.
func (rs *Results) Comparisons() []Comparison {
	var all []Comparison
	for _, q := range Questions() {
		for _, shape := range rs.Plan.Memberships {
			for _, set := range rs.Plan.Sets {
				ours, other := rs.of(set.Name, shape, q.Ours), rs.of(set.Name, shape, q.Other)
				if n := min(len(ours), len(other)); n > 0 {
					all = append(all, q.compare(ours[:n], other[:n]))
				}
			}
		}
	}
	return all
}

// AverageCurve returns the test RMSE after each iteration, averaged over the repeats; nil if it was not measured.
func (rs *Results) AverageCurve(dataset, membership, algorithm string) []float64 {
	runs := rs.of(dataset, membership, algorithm)
	if len(runs) == 0 || runs[0].Curve == nil {
		return nil
	}
	average := make([]float64, len(runs[0].Curve))
	for _, r := range runs {
		for k, v := range r.Curve {
			average[k] += v / float64(len(runs))
		}
	}
	return average
}

// collect gathers the results of the requested algorithms from finished groups.
func collect(s Plan, groups []*group) *Results {
	rs := &Results{Plan: s}
	for _, set := range s.Sets {
		for _, shape := range s.Memberships {
			for _, a := range s.Algorithms {
				for _, g := range groups {
					if g.set.Name != set.Name || g.shape != shape {
						continue
					}
					for _, t := range g.tasks {
						if t.algorithm.Name == a.Name {
							rs.Runs = append(rs.Runs, *t.result)
						}
					}
				}
			}
		}
	}
	return rs
}

// Summary is the average of one algorithm on one set over the repeats. `tskgraph
// experiment --json` prints an array of them.
type Summary struct {
	Dataset    string   `json:"dataset"`
	Membership string   `json:"membership"`
	Algorithm  string   `json:"algorithm"`
	Repeats    int      `json:"repeats"`
	RMSEMean   float64  `json:"rmse_mean"` // on the test parts, in the target's unit
	RMSESD     *float64 `json:"rmse_sd"`   // divisor n-1; nil with one repeat

	// Mean numbers of rules. RulesRound1 and the numbers removed in each round are nil for algorithms that do not prune.
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

// Improvement returns by how many percent a curve lies below a reference at each iteration; nil if either is nil.
func Improvement(curve, reference []float64) []float64 {
	if curve == nil || reference == nil {
		return nil
	}
	percent := make([]float64, min(len(curve), len(reference)))
	for k := range percent {
		percent[k] = 100 * (reference[k] - curve[k]) / reference[k]
	}
	return percent
}
