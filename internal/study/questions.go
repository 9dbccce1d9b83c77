package study

import (
	"cmp"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/metric"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Question is one of the paper's three questions, or the question of the initialiser, as a comparison of two algorithms.
type Question struct {
	Name  string // Q1, Q2, Q3 or start
	Ours  string // the algorithm that the paper proposes
	Other string // the algorithm that it is compared with
}

// Comparable is the difference of RMSE, in percent, up to which the paper calls two algorithms comparable in answering Q2.
const Comparable = 1.0

// Questions returns the comparisons of the paper.
//
// Q1: is Algorithm 1 better than MBGD-RDA and ANFIS with the same number of rules?
// Against ANFIS it trains on full batches, as in the paper.
//
// Q2: does pruning reduce the rules without significantly sacrificing performance?
//
// Q3: is pruning down to R rules better than training R rules from the start?
//
// start: is initialisation by fuzzy c-means better than by k-means? A footnote of the
// paper says that k-means performed much worse.
func Questions() []Question {
	return []Question{
		{"Q1", VariantR0, MBGDRDA},
		{"Q1", FullR0, GDR0},
		{"Q1", FullR0, LSER0},
		{"Q1", FullR, GDR},
		{"Q1", FullR, LSER},
		{"Q2", VariantPruning, VariantR0},
		{"Q3", VariantPruning, VariantR},
		{"start", VariantR0, KMeansR0},
	}
}

// Verdicts on a question.
const (
	Supported    = "supported"
	NotSupported = "not supported"
	NoDifference = "no difference"
	Untested     = "not tested" // with one repeat, which has no interval
)

// Comparison answers a question for one data set. Differences are the other algorithm's test RMSE minus ours: positive if ours is better.
type Comparison struct {
	Question   string  `json:"question"`
	Dataset    string  `json:"dataset"`
	Membership string  `json:"membership"`
	Ours       string  `json:"ours"`
	Other      string  `json:"other"`
	Repeats    int     `json:"repeats"` // of both
	OursRMSE   float64 `json:"ours_rmse"`
	OtherRMSE  float64 `json:"other_rmse"`
	OursRules  float64 `json:"ours_rules"`
	OtherRules float64 `json:"other_rules"`

	Difference *Paired `json:"difference"` // in the target's unit; nil with one repeat

	// The difference and its interval in percent of the other's mean RMSE.
	Percent     float64  `json:"percent"`
	PercentLow  *float64 `json:"percent_low"`
	PercentHigh *float64 `json:"percent_high"`

	Verdict string `json:"verdict"`
}

// compare answers the question for one data set, from the same repeats of both.
func (q Question) compare(ours, other []Result) Comparison {
	a, b := summarise(ours), summarise(other)
	c := Comparison{
		Question: q.Name, Dataset: a.Dataset, Membership: a.Membership, Ours: q.Ours, Other: q.Other, Repeats: len(ours),
		OursRMSE: a.RMSEMean, OtherRMSE: b.RMSEMean, OursRules: a.RulesFinal, OtherRules: b.RulesFinal,
		Percent: 100 * (b.RMSEMean - a.RMSEMean) / b.RMSEMean,
	}
	d := make([]float64, len(ours))
	for i := range d {
		d[i] = other[i].RMSE - ours[i].RMSE
	}
	if p, ok := ComparePaired(d, (1-trainShare)/trainShare); ok {
		low, high := 100*p.Low/b.RMSEMean, 100*p.High/b.RMSEMean
		c.Difference, c.PercentLow, c.PercentHigh = &p, &low, &high
	}
	c.Verdict = c.verdict()
	return c
}

// verdict follows from the interval. Q1, Q3 and start are supported if the interval lies above zero, and not supported if it lies below. Q2
// is supported if there are fewer rules and the interval lies above -1%; it is not supported if there are not fewer rules, or the interval
// lies below zero. Otherwise these repeats show no difference.
func (c Comparison) verdict() string {
	switch {
	case c.Difference == nil:
		return Untested
	case c.Question == "Q2" && !(c.OursRules < c.OtherRules):
		return NotSupported
	case c.Question == "Q2" && *c.PercentLow > -Comparable:
		return Supported
	case c.Difference.High < 0:
		return NotSupported
	case c.Question != "Q2" && c.Difference.Low > 0:
		return Supported
	}
	return NoDifference
}

// Overall answers a question over all data sets, for one membership function.
type Overall struct {
	Question   string     `json:"question"`
	Membership string     `json:"membership"`
	Ours       string     `json:"ours"`
	Other      string     `json:"other"`
	Datasets   int        `json:"datasets"`
	Better     int        `json:"better"`    // data sets on which ours has the lower mean RMSE
	Test       SignedRank `json:"test"`      // of the differences in percent
	Supported  int        `json:"supported"` // data sets by verdict
	Not        int        `json:"not_supported"`
	None       int        `json:"no_difference"`
	Verdict    string     `json:"verdict"`

	percents []float64
	fewer    int // data sets with fewer rules
}

// significance is the level of the tests.
const significance = 0.05

// OverallAnswers applies Wilcoxon's signed-rank test to the differences of all data sets, in percent, so that their units do not matter.
// Q1, Q3 and start are supported if it rejects equality in favour of ours. Q2 is supported if pruning leaves fewer rules on every data set
// and the test rejects, in favour of pruning, an RMSE that is 1% higher. Comparisons of one question, membership function and pair must be
// adjacent.
func OverallAnswers(comparisons []Comparison) []Overall {
	var all []Overall
	for _, c := range comparisons {
		last := len(all) - 1
		if last < 0 || all[last].Question != c.Question || all[last].Membership != c.Membership || all[last].Ours != c.Ours ||
			all[last].Other != c.Other {
			all = append(all, Overall{Question: c.Question, Membership: c.Membership, Ours: c.Ours, Other: c.Other})
			last++
		}
		all[last].add(c)
	}
	for i := range all {
		all[i].Test = Wilcoxon(all[i].percents)
		all[i].Verdict = all[i].verdict()
	}
	return all
}

func (o *Overall) add(c Comparison) {
	o.Datasets++
	o.percents = append(o.percents, c.Percent)
	if c.Percent > 0 {
		o.Better++
	}
	if c.OursRules < c.OtherRules {
		o.fewer++
	}
	switch c.Verdict {
	case Supported:
		o.Supported++
	case NotSupported:
		o.Not++
	case NoDifference:
		o.None++
	}
}

func (o *Overall) verdict() string {
	if o.Question == "Q2" {
		shifted := make([]float64, len(o.percents))
		for i, v := range o.percents {
			shifted[i] = v + Comparable
		}
		w := Wilcoxon(shifted)
		switch {
		case o.fewer < o.Datasets:
			return NotSupported
		case w.P < significance && w.Plus > w.Minus:
			return Supported
		}
	}
	switch {
	case !(o.Test.P < significance):
		return NoDifference
	case o.Test.Plus < o.Test.Minus:
		return NotSupported
	}
	return Supported
}

// Paired compares two algorithms over the same random splits.
type Paired struct {
	Repeats int     `json:"repeats"`
	Mean    float64 `json:"mean"` // of the differences
	Low     float64 `json:"low"`  // the 95% interval of the mean
	High    float64 `json:"high"`
	T       float64 `json:"t"` // the corrected statistic; 0 where all differences are zero
	P       float64 `json:"p"` // two-sided
}

// ComparePaired tests whether the mean of paired differences d is zero, where each is from a random split of the same data. Such splits
// overlap, so the differences are dependent, and Student's t-test underestimates their variance. Nadeau and Bengio (Inference for the
// Generalization Error, Machine Learning 52, 2003) correct it:
//
//	t = mean / sqrt((1/n + n_test/n_train) s^2), n-1 degrees of freedom
//
// s^2 has divisor n-1; testToTrain is n_test/n_train, 3/7 for splits of 70 to 30. ok is false for fewer than two differences. If all
// differences are equal, the interval is that one point, and P is 0, or 1 if they are zero.
func ComparePaired(d []float64, testToTrain float64) (p Paired, ok bool) {
	if len(d) < 2 {
		return Paired{}, false
	}
	mean, sd := stat.MeanStdDev(d, nil)
	p = Paired{Repeats: len(d), Mean: mean, Low: mean, High: mean}
	if sd == 0 {
		if mean == 0 {
			p.P = 1
		}
		return p, true
	}
	se := metric.PairedStdErr(sd, len(d), testToTrain)
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(len(d) - 1)}
	half := float64(student.Quantile(0.975) * se)
	p.Low, p.High, p.T = mean-half, mean+half, mean/se
	p.P = 2 * student.CDF(-math.Abs(p.T))
	return p, true
}

// SignedRank is the outcome of Wilcoxon's signed-rank test.
type SignedRank struct {
	N     int     `json:"n"`     // differences other than zero
	Zeros int     `json:"zeros"` // differences of zero, left out
	Plus  float64 `json:"plus"`  // sum of the ranks of the positive differences
	Minus float64 `json:"minus"` // of the negative ones
	P     float64 `json:"p"`     // two-sided, exact
}

// Wilcoxon tests whether the differences d are symmetric about zero, by Wilcoxon's signed-rank test. As in Wilcoxon's paper, differences of
// zero are left out and ties share the mean of their ranks. P is exact, also with ties: the share of all 2^n assignments of signs to the
// ranks whose rank sum is at least as extreme, on either side. Without ties this is the tabulated distribution. P is 1 if all differences
// are zero.
func Wilcoxon(d []float64) SignedRank {
	left := slices.DeleteFunc(slices.Clone(d), func(v float64) bool { return v == 0 })
	w := SignedRank{N: len(left), Zeros: len(d) - len(left), P: 1}
	slices.SortFunc(left, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	doubled := doubledRanks(left)
	plus, all := 0, 0
	for i, v := range left {
		all += doubled[i]
		if v > 0 {
			plus += doubled[i]
		}
	}
	w.Plus, w.Minus = float64(plus)/2, float64(all-plus)/2
	if w.N == 0 {
		return w
	}
	below := 0.0 // the probability of a sum no larger than the smaller one
	for _, p := range rankSums(doubled, all)[:min(plus, all-plus)+1] {
		below += p
	}
	w.P = min(1, 2*below)
	return w
}

// doubledRanks returns twice the ranks of values that ascend by absolute value. Twice the mean rank of ties is an integer.
func doubledRanks(values []float64) []int {
	ranks := make([]int, len(values))
	for from := 0; from < len(values); {
		to := from + 1
		for to < len(values) && math.Abs(values[to]) == math.Abs(values[from]) {
			to++
		}
		for i := from; i < to; i++ {
			ranks[i] = from + 1 + to // twice the mean of from+1 ... to
		}
		from = to
	}
	return ranks
}

// rankSums returns the probability of each sum 0 ... total of the ranks with a positive
// sign, if every sign is positive with probability one half.
func rankSums(ranks []int, total int) []float64 {
	p := make([]float64, total+1)
	p[0] = 1
	for _, rank := range ranks {
		for sum := total; sum >= 0; sum-- {
			p[sum] = float64(p[sum] / 2)
			if sum >= rank {
				p[sum] += float64(p[sum-rank] / 2)
			}
		}
	}
	return p
}
