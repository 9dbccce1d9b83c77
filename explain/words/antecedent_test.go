package words

import (
	"math"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// logged is the model of two with log(z+1) as the transform of the first feature, and a
// target with the scale 3.
func logged() *model.Model {
	m := two()
	m.Features[0].Power = &model.Power{Lambda: 0, SD: 1}
	m.Target.SD = 3
	return m
}

// Rule 2 has c = 2, sigma = 0.5 on log(z+1), z = (temperature-20)/4: its centre is at
// z = e^2 - 1, and its grade 1/2 at c -+ sigma sqrt(2 log 2).
func TestTransformedFeature(t *testing.T) {
	d := Model(logged())
	rule := d.Rules[1]
	a := rule.If[0]
	at := func(u float64) float64 { return 20 + 4*(math.Exp(u)-1) }
	if len(a.Parameters) != 1 || a.Parameters[0].Name != "c" || math.Abs(a.Parameters[0].Value-at(2)) > 1e-12 {
		t.Errorf("parameters %+v, want c = %v alone", a.Parameters, at(2))
	}
	width := 0.5 * math.Sqrt(2*math.Log(2))
	if a.Half == nil || math.Abs(*a.Half.From-at(2-width)) > 1e-6 || math.Abs(*a.Half.To-at(2+width)) > 1e-6 {
		t.Errorf("half %v, want from %v to %v", a.Half, at(2-width), at(2+width))
	}
	// The slope of the consequent is in the units of the data: -4 times 3 over 4.
	if got := rule.Then.Coefficients[0].Value; got != -3 {
		t.Errorf("slope %v, want -3", got)
	}
	if got := text(t, logged()); !strings.Contains(got, "  AND wind           is gaussian(c = 0.5, sigma = 0.5)") || !strings.Contains(got, "IF  u(temperature) is gaussian(c = 2, sigma = 0.5), half or more from 32.41 to 69.25 °C\n") ||
		!strings.Contains(got, "\n  u(temperature): mean = 20, sd = 4, lambda = 0, m = 0, s = 1\n") {
		t.Errorf("as text:\n%s", got)
	}
	if rule.If[1].Half != nil || len(rule.If[1].Parameters) != 2 {
		t.Errorf("the feature that is not transformed: %+v", rule.If[1])
	}
}

func TestHalfWithoutEnds(t *testing.T) {
	f := logged().Features[0]
	for _, c := range []struct {
		c, sigma float64
		want     string
	}{
		{9, 1, "half or more from "}, {-9, 1, "half or more up to "}, {0, 100, "half or more everywhere"},
	} {
		if got := half(membership.Gaussian{}, []float64{c.c, c.sigma}, f).String(); !strings.HasPrefix(got, c.want) {
			t.Errorf("c = %v, sigma = %v: %q, want %q", c.c, c.sigma, got, c.want)
		}
	}
	if got := half(membership.Gaussian{}, []float64{1000, 1}, f); got != nil {
		t.Errorf("a function that is nowhere half has %v", got)
	}
}

func TestFlatAndConstant(t *testing.T) {
	m := two()
	m.RuleBase.Flatten(0, 1)
	m.RuleBase.Flatten(1, 0)
	m.RuleBase.Flatten(1, 1)
	for _, w := range m.RuleBase.Consequents {
		clear(w[1:])
	}
	got := text(t, m)
	for _, want := range []string{"  ALWAYS\n  THEN demand [MW] = 99\n", "  IF  temperature [°C] is gaussian(c = 16, sigma = 4)\n  THEN demand [MW] = 110\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("want %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "wind") {
		t.Errorf("a flat antecedent is shown:\n%s", got)
	}
}
