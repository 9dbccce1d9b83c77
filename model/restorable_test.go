package model

import (
	"io"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// raised is a Gaussian shape with a parameter of its own, which is registered under no name.
type raised struct {
	membership.Gaussian
	Power int
}

type flatter struct{ membership.Gaussian }

func (flatter) Name() string { return "flatter" }

type joined struct{ inference.Product }

type weighted2 struct{ inference.HTSK }

// TestSaveWhatLoadRestores: a model is not saved with a shape, t-norm or defuzzification that its name does not restore,
// neither alone nor in a committee.
func TestSaveWhatLoadRestores(t *testing.T) {
	for want, change := range map[string]func(rb *rules.RuleBase){
		`shape "gaussian" is model.raised{`:          func(rb *rules.RuleBase) { rb.Shape = raised{Power: 6} },
		`shape "flatter" is not registered`:          func(rb *rules.RuleBase) { rb.Shape = flatter{} },
		`t-norm "product" is model.joined{`:          func(rb *rules.RuleBase) { rb.TNorm = joined{} },
		`defuzzification "htsk" is model.weighted2{`: func(rb *rules.RuleBase) { rb.Defuzzification = weighted2{} },
	} {
		m := small()
		change(m.RuleBase)
		committee, err := NewCommittee(m.Preprocessing, []*Model{small(), m}, m.Training)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []*Model{m, committee} {
			if err := m.Encode(io.Discard); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		}
	}
}
