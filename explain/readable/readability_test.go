package readable

import (
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/model"
)

// figures returns figures measured on a table.
func figures(fidelity, disagreement, idle, out float64, rules int) *Readability {
	r := &Readability{On: "the test part", IdleOn: "the training part"}
	r.Readability = model.Readability{Samples: 100, Rules: rules, Fidelity: &fidelity, Disagreement: &disagreement, Idle: idle, OutOfRange: out}
	return r
}

// tied makes figures those of rules that fire equally on a share of the rows.
func tied(r *Readability, share float64) *Readability {
	r.Tied = share
	return r
}

// several makes figures those of two targets.
func several(r *Readability) *Readability {
	r.Targets = 2
	return r
}

func TestReadabilityInSentences(t *testing.T) {
	for _, c := range []struct {
		*Readability
		lines, remark string
	}{
		{figures(1.04, 0.213, 0, 0, 8), `Read alone, the strongest rule errs 4% more than the model on the test part.
Where they fire, rules differ from the prediction by 0.21 standard deviations of the target.
Every rule decides: it is strongest for some row of the training part.
Every rule says, on average, a value within the target's range in training.`, ""},
		{figures(3.512, 2, 7.0/8, 1.0/8, 8), `Read alone, the strongest rule errs 3.5 times as much as the model on the test part.
Where they fire, rules differ from the prediction by 2 standard deviations of the target.
7 of 8 rules never decide: strongest for no row of the training part.
1 of 8 rules says, on average, a value outside the target's range in training.`,
			"Do not read these rules one by one: alone, the strongest errs 3.5 times as much as the model, 7 of 8 rules never decide, 1 of 8 rules says what the target never is in training; preset: readable trains rules that can be."},
		{several(figures(1.04, 0.213, 0, 0, 8)), `Where they fire, rules differ from the prediction by 0.21 standard deviations of the targets.
Every rule decides: it is strongest for some row of the training part.
Every rule says, on average, values within the targets' ranges in training.`, ""},
		{several(figures(1.04, 0.213, 0, 2.0/8, 8)), "2 of 8 rules say, on average, a value outside its target's range in training.", "2 of 8 rules say what the target never is in training"},
		{figures(0.9, 0.2, 0, 0, 2), "errs 10% less than the model", ""},
		{figures(1.001, 0.2, 0, 0, 2), "errs as much as the model", ""},
		{figures(1.15, 0.2, 0, 0, 2), "errs 15% more than the model", ""},
		{figures(1.151, 0.2, 0, 0, 2), "errs 15% more than the model", "Do not read these rules one by one: alone, the strongest errs 15% more than the model; preset"},
		{figures(352, 0.2, 0, 0, 2), "errs 350 times as much as the model", "Do not read"},
		{tied(figures(1, 0.2, 1, 0, 32), 1), "32 of 32 rules never decide: alone the strongest for no row of the training part. On every row several rules fire equally, to rounding.",
			"32 of 32 rules never decide (on every row several rules fire equally, to rounding)"},
		{tied(figures(1, 0.2, 0, 0, 4), 0.005), "some row of the training part.\nEvery rule says", ""},
		{tied(figures(1, 0.2, 0, 0, 4), 0.25), "Every rule decides: it is strongest for some row of the training part. On 25% of the rows several rules fire equally, to rounding.", ""},
		{figures(1, 0.2, 1.0/32, 0, 32), "1 of 32 rules never decides", "1 of 32 rules never decides"},
	} {
		if got := c.String(); !strings.Contains(got, c.lines) {
			t.Errorf("%s\nwant\n%s", got, c.lines)
		}
		if got := c.Remark(); !strings.Contains(got, c.remark) || (got == "") != (c.remark == "") {
			t.Errorf("remark %q, want %q", got, c.remark)
		}
	}
}

// TestReadabilityIsNotFinite: what cannot be measured is no reason to read the rules one by one.
func TestReadabilityIsNotFinite(t *testing.T) {
	r := figures(1, 1, 0, 0, 4)
	r.Fidelity, r.Disagreement = nil, nil
	if got := r.String(); !strings.Contains(got, "errs beyond all numbers") || !strings.Contains(got, "cannot be measured") {
		t.Error(got)
	}
	r.Uncovered = 100
	if got := r.String(); !strings.Contains(got, "no row is covered") || !strings.Contains(got, "Left out: 100 rows") {
		t.Error(got)
	}
	if r.Remark() == "" {
		t.Error("no remark")
	}
}

// TestRemarkOfReadable: of rules of the preset that the remark names otherwise, it names the key.
func TestRemarkOfReadable(t *testing.T) {
	r := figures(1.3, 1, 0, 0, 4)
	r.Preset = "readable"
	if got := r.Remark(); got != "Do not read these rules one by one: alone, the strongest errs 30% more than the model; a lower train.fidelity, such as 1.05, prefers settings whose rules are truer." {
		t.Error(got)
	}
}

// TestReadabilityOfMembers: sentences about a committee say what they average over.
func TestReadabilityOfMembers(t *testing.T) {
	r := figures(1.3, 1, 0, 0, 40)
	r.Members = 5
	if got := r.Lines()[0]; got != "Read alone, the strongest rule of a member errs 30% more than that member on the test part (mean of 5 members)." {
		t.Error(got)
	}
}

// TestDeviations: one is singular, and what is nearly none has no exponent.
func TestDeviations(t *testing.T) {
	for v, want := range map[float64]string{
		0: "less than 0.001 standard deviations", 2e-43: "less than 0.001 standard deviations", 0.076: "0.076 standard deviations", 1.001: "one standard deviation", 2: "2 standard deviations",
	} {
		if got := inDeviations(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}
