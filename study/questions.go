package study

// Question is one of the three that the paper's experiments answer, or that of the
// start, as a comparison of two algorithms.
type Question struct {
	Name  string // Q1, Q2, Q3 or start
	Ours  string // the algorithm that the paper proposes
	Other string // what it is compared with
}

// Comparable is by how many percent the RMSE may be higher and still pass for
// the same: the paper's measure in answering Q2.
const Comparable = 1.0

// Questions returns the comparisons of the paper.
//
// Q1: is Algorithm 1 better than MBGD-RDA and ANFIS with the same number of rules?
// Against ANFIS it takes full batches, as in the paper.
//
// Q2: does pruning reduce the rules without significantly sacrificing performance?
//
// Q3: is pruning down to R rules better than training R rules from the start?
//
// start: is a start by fuzzy c-means better than one by k-means? A footnote of the paper
// says that k-means performed much worse.
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
	Untested     = "not tested" // one repeat has no interval
)

// Comparison answers a question for one data set. Differences are the other
// algorithm's test RMSE less ours, so that positive ones speak for ours.
type Comparison struct {
	Question   string  `json:"question"`
	Dataset    string  `json:"dataset"`
	Membership string  `json:"membership"`
	Ours       string  `json:"ours"`
	Other      string  `json:"other"`
	Repeats    int     `json:"repeats"` // that both have
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

// Comparisons answers the questions for every data set and membership function for
// which both algorithms were run.
func (rs *Results) Comparisons() []Comparison {
	var all []Comparison
	for _, q := range Questions() {
		for _, shape := range rs.Plan.Memberships {
			for _, set := range rs.Plan.Sets {
				ours, other := rs.of(set.Name, shape, q.Ours), rs.of(set.Name, shape, q.Other)
				if n := min(len(ours), len(other)); n > 0 {
					all = append(all, q.compare(ours[:n], other[:n]))
				}
			}
		}
	}
	return all
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

// verdict reads the interval. Q1, Q3 and start are supported if all of it speaks for ours,
// and not supported if all of it speaks against. Q2 is supported if there are fewer
// rules and all of the interval lies above -1%; it is not supported if there are not
// fewer, or all of the interval speaks against pruning. What is left is no
// difference that these repeats could show.
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

// significance is the level below which a P counts.
const significance = 0.05

// OverallAnswers sums up comparisons over data sets by Wilcoxon's signed-rank test of
// the differences in percent, which makes data sets of different units comparable.
// Q1, Q3 and start are supported if it rejects no difference in favour of ours. Q2 is
// supported if rules are fewer everywhere and it rejects, in favour of pruning, that
// the RMSE is 1% higher.
func OverallAnswers(comparisons []Comparison) []Overall {
	var all []Overall
	for _, c := range comparisons {
		last := len(all) - 1
		if last < 0 || all[last].Question != c.Question || all[last].Membership != c.Membership || all[last].Ours != c.Ours || all[last].Other != c.Other {
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
