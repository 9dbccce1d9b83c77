package optim

import "github.com/tskgraph/tskgraph/loss"

// Metrics are the figures of one iteration: a line of metrics.jsonl. All are finite. Loss, Penalty and Batch are of the
// batch before the update, with its masks; Validation is of the parameters after it, with all rules.
type Metrics struct {
	Member    int     `json:"member,omitempty"` // number of the member of a committee, from 1; 0: a single model
	Iteration int     `json:"iteration"`        // from 1
	Of        int     `json:"-"`                // iterations that were requested
	Loss      float64 `json:"loss"`             // data part and penalty, summed over the batch, in the objective's unit squared
	Penalty   float64 `json:"penalty"`          // the regularisation part of Loss
	Skipped   int     `json:"skipped"`          // samples of the batch that were left out
	Metric    string  `json:"metric"`           // name of the metric of the loss, see [loss.Metric]: RMSE, log loss, ...
	// Batch is the metric over the samples used, in the target's unit (of several targets, and of huber, in standard deviations); 0 if
	// all were skipped.
	Batch      float64  `json:"metric_batch"`
	Validation *float64 `json:"metric_validation,omitempty"` // the same on the validation part; nil if not validated at this iteration

	// Watched is the metric, as Validation, of the data sets that are watched, by name, without those for which it is not
	// finite; nil if they were not measured at this iteration.
	Watched map[string]float64 `json:"watched,omitempty"`
}

// judged turns the data loss of a batch into the metric of the loss. It is not known which samples were skipped, so they are
// taken to be of average weight. 0 if no weight is left.
func judged(by loss.Metric, data float64, weight []float64, used int) float64 {
	var sum float64
	for _, w := range weight {
		sum += w
	}
	if sum = float64(sum * (float64(used) / float64(len(weight)))); !(sum > 0) {
		return 0
	}
	return by.Of(data, sum)
}

// ByMember divides metrics by member, members in the order of their first iteration.
// Without a committee there is one part.
func ByMember(metrics []Metrics) [][]Metrics {
	var parts [][]Metrics
	place := map[int]int{}
	for _, m := range metrics {
		k, seen := place[m.Member]
		if !seen {
			k = len(parts)
			place[m.Member] = k
			parts = append(parts, nil)
		}
		parts[k] = append(parts[k], m)
	}
	return parts
}
