package model

// responses are the responses of the rules, or of the members of a committee, to N samples.
type responses struct {
	values [][]float64 // [J][N]
	spread [][]float64 // [J][N], standard deviations over the members; nil without members
	how    []outcome   // [N]; of a committee those of the members combined
}

func newResponses(J, N int) responses {
	return responses{values: newRows(J, N), how: make([]outcome, N)}
}

// set sets the response to sample n to values [J].
func (r responses) set(n int, values []float64) {
	for j, v := range values {
		r.values[j][n] = v
	}
}

// outcome describes how a prediction was obtained.
type outcome struct {
	uncovered bool // no rule covers the sample
	limited   bool // the prediction was clamped to the target's limits
}
