package study

// Result is what one run gave.
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

// Events count what was guarded against in a run, so that nothing not finite came
// out.
type Events struct {
	Skipped        int `json:"skipped_samples"`  // in all iterations: samples that no rule reached even without DropRule
	UncoveredTrain int `json:"uncovered_train"`  // samples that no rule of the final model reaches
	UncoveredTest  int `json:"uncovered_test"`   // the same; their prediction is the training mean
	Coinciding     int `json:"coinciding_rules"` // rules that started where another did
	LSEFallbacks   int `json:"lse_fallbacks"`    // least squares that Cholesky could not solve
	Diverged       int `json:"diverged"`         // 1 if training stopped early; its best model was measured
}

// FinalRules returns the number of rules of the final model.
func (r Result) FinalRules() int { return r.Rules[len(r.Rules)-1] }

// Results are those of a study, in the order of its sets, membership functions,
// algorithms and repeats.
type Results struct {
	Plan Plan
	Runs []Result
}

// of returns the results of one algorithm, in the order of repeats.
func (rs *Results) of(dataset, membership, algorithm string) []Result {
	var found []Result
	for _, r := range rs.Runs {
		if r.Dataset == dataset && r.Membership == membership && r.Algorithm == algorithm {
			found = append(found, r)
		}
	}
	return found
}

// collect gathers what the algorithms that were asked for gave. All groups are
// finished.
func (s Plan) collect(groups []*group) *Results {
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
