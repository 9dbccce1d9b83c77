package study

import (
	"math"
	"math/rand/v2"
	"testing"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestWilcoxonDepression: the example of R's wilcox.test (Hollander and Wolfe, 1973, p. 29): V = 40, one-sided p = 0.01953.
func TestWilcoxonDepression(t *testing.T) {
	x := []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	y := []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
	d := make([]float64, len(x))
	for i := range x {
		d[i] = x[i] - y[i]
	}
	w := Wilcoxon(d)
	near(t, "V", w.Plus, 40, 0)
	near(t, "the other sum", w.Minus, 5, 0)
	near(t, "p", w.P, 2*0.01953125, 1e-12)
}

// TestWilcoxonTable compares the exact distribution for ten differences with the table
// (R: 2*psignrank(8, 10) = 0.04883, 2*psignrank(9, 10) = 0.06445, 2*psignrank(3, 10) = 0.009766).
func TestWilcoxonTable(t *testing.T) {
	for _, c := range []struct {
		negative []int // ranks with a minus
		minus    float64
		p        float64
	}{
		{nil, 0, 2.0 / 1024},
		{[]int{3}, 3, 10.0 / 1024},
		{[]int{8}, 8, 50.0 / 1024},
		{[]int{4, 5}, 9, 66.0 / 1024},
		{[]int{1, 2, 3, 4, 5, 6, 7}, 28, 1}, // the middle is 27.5: both tails include it
	} {
		var d []float64
		for rank := 1; rank <= 10; rank++ {
			d = append(d, float64(rank))
		}
		for _, rank := range c.negative {
			d[rank-1] = -d[rank-1]
		}
		w := Wilcoxon(d)
		near(t, "rank sum", w.Minus, c.minus, 0)
		near(t, "p", w.P, c.p, 1e-12)
	}
}

// TestWilcoxonTies: with ties, p equals the count over all assignments of signs; zeros are left out.
func TestWilcoxonTies(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		d := make([]float64, 1+rng.IntN(10))
		for i := range d {
			d[i] = float64(rng.IntN(7) - 3)
		}
		w := Wilcoxon(d)
		var ranks []float64
		zeros, plus := 0, 0.0
		for _, v := range d {
			if v == 0 {
				zeros++
				continue
			}
			rank := 0.5 // the mean of the ranks of its equals
			for _, u := range d {
				switch {
				case u == 0:
				case math.Abs(u) < math.Abs(v):
					rank++
				case math.Abs(u) == math.Abs(v):
					rank += 0.5
				}
			}
			ranks = append(ranks, rank)
			if v > 0 {
				plus += rank
			}
		}
		near(t, "zeros", float64(w.Zeros), float64(zeros), 0)
		near(t, "plus", w.Plus, plus, 1e-9)
		low, high := 0, 0
		for signs := range 1 << len(ranks) {
			sum := 0.0
			for i, rank := range ranks {
				if signs>>i&1 == 1 {
					sum += rank
				}
			}
			if sum <= plus {
				low++
			}
			if sum >= plus {
				high++
			}
		}
		near(t, "p", w.P, min(1, 2*float64(min(low, high))/float64(int(1)<<len(ranks))), 1e-12)
	}
}

// TestComparePairedTwoRuns checks values computed by hand: differences 1 and 3, half the
// data for test, one degree of freedom, whose 97.5% quantile is tan(0.475 pi).
func TestComparePairedTwoRuns(t *testing.T) {
	p, ok := ComparePaired([]float64{1, 3}, 1)
	if !ok {
		t.Fatal("ok is false")
	}
	se := math.Sqrt(0.5+1) * math.Sqrt2
	near(t, "mean", p.Mean, 2, 0)
	near(t, "t", p.T, 2/se, 1e-12)
	near(t, "half the interval", p.High-p.Mean, math.Tan(0.475*math.Pi)*se, 1e-6)
	near(t, "interval", p.Mean-p.Low, p.High-p.Mean, 1e-12)
	near(t, "p", p.P, 1-2/math.Pi*math.Atan(2/se), 1e-9)
}

// TestComparePairedKnown: scikit-learn's example "Statistical comparison of models using grid search" has t = 2.611 uncorrected and 0.750
// corrected, one-sided p = 0.227, over 100 folds of 270 and 30 samples. Here d has that uncorrected t. The tabulated quantile for 29
// degrees of freedom is 2.045230.
func TestComparePairedKnown(t *testing.T) {
	p, _ := ComparePaired(spread(100, 2.611), 30.0/270)
	near(t, "t", p.T, 0.750, 5e-4)
	near(t, "p", p.P/2, 0.227, 5e-4)

	p, _ = ComparePaired(spread(30, 1), 3.0/7)
	near(t, "quantile", (p.High-p.Mean)/(p.Mean/p.T), 2.045230, 1e-6)
}

// spread returns n differences of standard deviation 1 with the given uncorrected t.
func spread(n int, t float64) []float64 {
	d := make([]float64, n)
	half := math.Sqrt(float64(n-1) / float64(n))
	for i := range d {
		d[i] = t/math.Sqrt(float64(n)) + half*float64(1-2*(i%2))
	}
	return d
}

func TestComparePairedEdges(t *testing.T) {
	if _, ok := ComparePaired([]float64{1}, 1); ok {
		t.Error("one difference has an interval")
	}
	if p, ok := ComparePaired([]float64{0, 0, 0}, 1); !ok || p.P != 1 || p.Low != 0 || p.High != 0 {
		t.Errorf("all zero: %+v", p)
	}
	if p, ok := ComparePaired([]float64{2, 2}, 1); !ok || p.P != 0 || p.Low != 2 || p.High != 2 {
		t.Errorf("all the same: %+v", p)
	}
}

// made returns runs of an algorithm with the given RMSE and final number of rules.
func made(rules int, rmse ...float64) []Result {
	var runs []Result
	for i, v := range rmse {
		runs = append(runs, Result{Repeat: i + 1, RMSE: v, Rules: []int{rules}})
	}
	return runs
}

// TestVerdicts checks the verdict on every kind of interval.
func TestVerdicts(t *testing.T) {
	better, worse := made(3, 0.90, 0.91, 0.89), made(3, 1.10, 1.11, 1.09)
	same, vague := made(3, 1.001, 0.999, 1.000), made(3, 1.2, 0.7, 1.1)
	slightly := made(3, 1.0050, 1.0051, 1.0049) // worse by half a percent, significantly
	other := made(5, 1, 1, 1)
	for _, c := range []struct {
		what, question string
		ours           []Result
		want           string
	}{
		{"better", "Q1", better, Supported},
		{"worse", "Q1", worse, NotSupported},
		{"vague", "Q1", vague, NoDifference},
		{"worse by 0.5%", "Q3", slightly, NotSupported},
		{"better", "Q3", better, Supported},
		{"fewer rules, better", "Q2", better, Supported},
		{"fewer rules, the same", "Q2", same, Supported},
		{"fewer rules, worse by 0.5%", "Q2", slightly, Supported},
		{"fewer rules, worse", "Q2", worse, NotSupported},
		{"fewer rules, vague", "Q2", vague, NoDifference},
		{"as many rules, better", "Q2", made(5, 0.90, 0.91, 0.89), NotSupported},
		{"one repeat", "Q1", better[:1], Untested},
	} {
		q := Question{Name: c.question}
		if got := q.compare(c.ours, other[:len(c.ours)]).Verdict; got != c.want {
			t.Errorf("%s, %s: %s, want %s", c.question, c.what, got, c.want)
		}
	}
}

// TestCompare checks values computed by hand: differences 0.2 and 0.4, a mean RMSE of 2.
func TestCompare(t *testing.T) {
	c := Question{Name: "Q1"}.compare(made(3, 1.7, 1.7), made(5, 1.9, 2.1))
	near(t, "difference", c.Difference.Mean, 0.3, 1e-12)
	near(t, "percent", c.Percent, 15, 1e-9)
	half := math.Tan(0.475*math.Pi) * math.Sqrt(0.5+3.0/7) * 0.2 / math.Sqrt2
	near(t, "low", *c.PercentLow, 100*(0.3-half)/2, 1e-3)
	near(t, "high", *c.PercentHigh, 100*(0.3+half)/2, 1e-3)
	near(t, "rules", c.OursRules/c.OtherRules, 0.6, 1e-12)
}

// TestOverall: ten data sets. Better on all of them, by different amounts, has p = 2/1024.
func TestOverall(t *testing.T) {
	answer := func(question string, oursRules float64, percents ...float64) Overall {
		var all []Comparison
		for _, p := range percents {
			all = append(all, Comparison{Question: question, Percent: p, OursRules: oursRules, OtherRules: 5, Verdict: Supported})
		}
		overall := OverallAnswers(all)
		if len(overall) != 1 {
			t.Fatalf("%d answers to one question", len(overall))
		}
		return overall[0]
	}
	better := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	worse := make([]float64, 10)
	for i, v := range better {
		worse[i] = -v
	}
	mixed := []float64{1, -2, 3, -4, 5, -6, 7, -8, 9, -10}
	slightly := []float64{-0.1, -0.2, -0.3, -0.4, -0.15, -0.25, -0.35, -0.45, -0.05, -0.5}
	for _, c := range []struct {
		what string
		got  Overall
		want string
	}{
		{"better", answer("Q1", 3, better...), Supported},
		{"worse", answer("Q1", 3, worse...), NotSupported},
		{"mixed", answer("Q1", 3, mixed...), NoDifference},
		{"five data sets are too few", answer("Q1", 3, better[:5]...), NoDifference},
		{"Q3, slightly worse", answer("Q3", 3, slightly...), NotSupported},
		{"Q2, slightly worse", answer("Q2", 3, slightly...), Supported},
		{"Q2, worse", answer("Q2", 3, worse...), NotSupported},
		{"Q2, mixed", answer("Q2", 3, mixed...), NoDifference},
		{"Q2, not fewer rules", answer("Q2", 5, better...), NotSupported},
	} {
		if c.got.Verdict != c.want {
			t.Errorf("%s: %s, want %s", c.what, c.got.Verdict, c.want)
		}
	}
	o := answer("Q1", 3, better...)
	near(t, "p", o.Test.P, 2.0/1024, 1e-12)
	if o.Better != 10 || o.Datasets != 10 || o.Supported != 10 {
		t.Errorf("%+v", o)
	}
}

// TestSummarise checks values computed by hand.
func TestSummarise(t *testing.T) {
	runs := []Result{
		{RMSE: 1, Rules: []int{8, 5, 4}, RemovedByFiring: []int{2, 1}, RemovedBySimilarity: []int{1, 0}, Events: Events{Skipped: 3, Diverged: 1}},
		{RMSE: 3, Rules: []int{8, 6, 3}, RemovedByFiring: []int{2, 1}, RemovedBySimilarity: []int{0, 2},
			Events: Events{Skipped: 4, UncoveredTest: 2}},
	}
	s := summarise(runs)
	near(t, "mean", s.RMSEMean, 2, 0)
	near(t, "sd", *s.RMSESD, math.Sqrt2, 1e-12)
	near(t, "initial", s.RulesInitial, 8, 0)
	near(t, "round 1", *s.RulesRound1, 5.5, 0)
	near(t, "final", s.RulesFinal, 3.5, 0)
	near(t, "firing, round 1", s.RemovedByFiring[0], 2, 0)
	near(t, "similarity, round 2", s.RemovedBySimilarity[1], 1, 0)
	if s.Events != (Events{Skipped: 7, Diverged: 1, UncoveredTest: 2}) {
		t.Errorf("events %+v", s.Events)
	}
	if one := summarise(made(3, 1)); one.RMSESD != nil || one.RulesRound1 != nil || one.RemovedByFiring != nil {
		t.Errorf("one run without pruning: %+v", one)
	}
}

// TestAverageCurves: curves are averaged point by point; improvements are of the averages, in percent of the reference.
func TestAverageCurves(t *testing.T) {
	rs := &Results{Runs: []Result{
		{Dataset: "d", Membership: "m", Algorithm: "a", Curve: []float64{4, 2}},
		{Dataset: "d", Membership: "m", Algorithm: "a", Curve: []float64{2, 1}},
		{Dataset: "d", Membership: "m", Algorithm: "b", Curve: []float64{6, 1}},
	}}
	a, b := rs.AverageCurve("d", "m", "a"), rs.AverageCurve("d", "m", "b")
	near(t, "first", a[0], 3, 1e-12)
	near(t, "second", a[1], 1.5, 1e-12)
	improvement := Improvement(a, b)
	near(t, "improvement", improvement[0], 50, 1e-12)
	near(t, "worse", improvement[1], -50, 1e-12)
	if rs.AverageCurve("d", "m", "c") != nil || Improvement(nil, a) != nil {
		t.Error("a curve without runs")
	}
}
