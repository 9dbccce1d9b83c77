package words

import (
	"fmt"
	"io"

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
func committeeLine(d Description) string {
	of := "predictions"
	if d.Response != nil && d.Response.Classes != nil {
		of = "probabilities of the classes"
	}
	return fmt.Sprintf("A committee of %d models: it predicts the mean of their %s.\n", len(d.Members), of)
}

// writeMembers writes the rules of each member of a committee.
func writeMembers(w io.Writer, d Description) error {
	k := len(d.Members)
	if _, err := io.WriteString(w, committeeLine(d)+remarkOn(d)); err != nil {
		return err
	}
	for i, member := range d.Members {
		if _, err := fmt.Fprintf(w, "\nMember %d of %d, %d rules\n\n", i+1, k, len(member.Rules)); err != nil {
			return err
		}
		if err := member.Write(w); err != nil {
			return err
		}
	}
	return nil
}
