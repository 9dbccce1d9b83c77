package study

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

// Results are the results of a study, in the order of sets, membership functions,
// algorithms and repeats.
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

// Summarise averages the results over the repeats, in the order of sets, membership
// functions and algorithms.
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

// Comparisons answers the questions for every data set and membership function for
// which both algorithms were run.
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

// AverageCurve returns the test RMSE after each iteration, averaged over the repeats; nil
// if it was not measured.
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
