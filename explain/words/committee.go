package words

import (
	"fmt"

	"github.com/tskgraph/tskgraph/model"
)

// describeCommittee describes each member of a committee.
func describeCommittee(m *model.Model, values [][]float64) Description {
	d := Description{Response: newResponse(m), Target: m.Schema.Target, Unit: m.Schema.TargetUnit, Samples: m.Training.Samples, Sample: m.Training.Sample, Interval: UsualInterval(m), Neighbours: neighboursOf(m)}
	for _, member := range m.Members {
		one := describeWith(member, values)
		d.Membership = one.Membership
		d.Members = append(d.Members, one)
	}
	return d
}

// committeeLine says what a committee predicts.
func (d Description) committeeLine() string {
	return fmt.Sprintf("A committee of %d models: it predicts the mean of their %s.\n", len(d.Members), d.Response.committee())
}
