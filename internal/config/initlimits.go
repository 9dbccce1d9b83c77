package config

import (
	"fmt"
	"math"
	"regexp"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	base "github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

const (
	kindRows   = 50   // rows that say what kind of number a target is
	zeroShare  = 0.05 // of the rows, zeros from which on amounts are said to have some
	skewedMean = 1.25 // times the median, the mean from which on positive numbers are said to be skewed
	outerRows  = 100  // one in how many is among the outermost at either end
	fewEqual   = 30   // rows of a category whose one target is noted
	mostEqual  = 3    // categories of that kind that are noted
)

var (
	signedName   = regexp.MustCompile(`(?i)temp|celsius|balance|profit|change|delta|diff|growth|return|error|residual|score`)
	exposureName = regexp.MustCompile(`(?i)^((.*[ _.-])?(exposure|exposition|person[ _.-]?(years|days)))$`)
)

// chooseKind says what kind of number the only target is, sets the limits that follow, and suggests a loss.
func (s *starter) chooseKind(d *data.Dataset) {
	if d.Schema.Classes != nil || d.Schema.Others != nil || d.Len() < kindRows {
		return
	}
	s.noteConstant(d)
	p := s.survey.Columns[slices.IndexFunc(s.survey.Columns, func(p data.Profile) bool { return p.Name == d.Schema.Target })]
	if !(p.Low.Value >= 0) || p.Distinct < 3 {
		return
	}
	name, rows := escape.Quote(p.Name), fmt.Sprintf("in %d rows", p.Numbers)
	share := p.High.Value <= 1 && !p.Integers
	limits, why := recipe.Range{0, math.Inf(1)}, fmt.Sprintf("%s is never below 0 %s", name, rows)
	if share {
		limits[1], why = 1, fmt.Sprintf("%s lies between 0 and 1 %s", name, rows)
	}
	// from a target that is as far below the mean as others are above it, formulas lead below zero
	if near := p.Low.Value <= p.Mean/2 && !signedName.MatchString(p.Name); near {
		s.config.Recipe.Model.Range = &limits
		s.remark("model.range", remark{set: true}, why+": remove the limit if it can be")
		s.note("%s: predictions stay there (model.range)", why)
	} else {
		s.propose(Proposal{Kind: "range", Column: p.Name, Text: why, Does: "keeps predictions there"},
			func(c *Config) { c.Recipe.Model.Range = &limits }, "model.range")
	}
	if !share {
		s.suggestLoss(p, d)
	}
}

// suggestLoss suggests a loss for a target that is never below zero, and a column of exposures.
func (s *starter) suggestLoss(p data.Profile, d *data.Dataset) {
	name, of, has := escape.Quote(p.Name), "", ""
	sorted := slices.Sorted(slices.Values(d.Y))
	out := max(1, len(sorted)/outerRows)
	inner := sorted[out : len(sorted)-out] // what one outlier is not among
	skew := base.WeightedMean(inner, nil) / base.Median(inner)
	switch zeros := float64(p.Low.Count) / float64(p.Numbers); {
	case p.Integers && counts(p, sorted, zeros):
		of, has = "poisson", fmt.Sprintf("whole numbers from %v on, as counts have", p.Low.Value)
	case p.Low.Value == 0 && zeros >= zeroShare:
		of, has = "tweedie", fmt.Sprintf("amounts, %.0f%% of them 0", 100*zeros)
	case p.Low.Value > 0 && skew >= skewedMean && base.Finite(skew):
		of, has = "gamma", fmt.Sprintf("numbers above 0 whose mean is %.2g times their median, without the outermost hundredth", skew)
	default:
		return
	}
	loss := func(c *Config) { c.Recipe.Train.Loss = of }
	s.note("%s", s.propose(Proposal{Kind: "loss", Column: p.Name, Text: fmt.Sprintf("%s has %s", name, has),
		Does: "predicts the mean by factors, and is measured by its deviance"}, loss, "train.loss"))
	if s.exposure = exposure(s); s.exposure != "" {
		s.note("%s", s.propose(Proposal{Kind: "exposure", Column: s.exposure,
			Text: fmt.Sprintf("%s may be the exposure of %s", escape.Quote(s.exposure), name), Does: fmt.Sprintf("predicts %s per unit of it", name),
		}, func(c *Config) {
			loss(c)
			c.Data.Offset.Column = s.exposure
		}, "data.offset", "train.loss"))
	}
}

// counts reports whether sorted whole numbers of 0 or more look like counts: small ones, or larger ones that come near 0, beside many zeros
// very near, and are not rounded, as prices and claims are.
func counts(p data.Profile, sorted []float64, zeros float64) bool {
	if p.Low.Value <= 1 && p.Mean < 100 {
		return true
	}
	positive := slices.DeleteFunc(slices.Clone(sorted), func(v float64) bool { return v == 0 })
	if len(positive) == 0 {
		return false
	}
	near, round := base.Median(positive)/4, 0
	if zeros >= zeroShare {
		near /= 10
	}
	for _, v := range positive {
		if math.Mod(v, 10) == 0 {
			round++
		}
	}
	return positive[len(positive)/outerRows] <= near && 2*round < len(positive)
}

// exposure returns the name of the first column that seems to hold exposures.
func exposure(s *starter) string {
	for _, c := range s.survey.Columns {
		if numeric(c) && c.Low.Value > 0 && exposureName.MatchString(c.Name) {
			return c.Name
		}
	}
	return ""
}

// noteConstant notes categories whose rows have one and the same target.
func (s *starter) noteConstant(d *data.Dataset) {
	at, noted := 0, 0
	for _, c := range d.Schema.Columns {
		counts, first, differ := make([]int, len(c.Levels)), make([]float64, len(c.Levels)), make([]bool, len(c.Levels))
		for i, x := range d.X {
			if k := c.Level(x[at : at+c.Width()]); k >= 0 && !c.Numbers() {
				if counts[k] == 0 {
					first[k] = d.Y[i]
				}
				counts[k]++
				differ[k] = differ[k] || d.Y[i] != first[k]
			}
		}
		at += c.Width()
		for k, n := range counts {
			if n >= fewEqual && !differ[k] && noted < mostEqual {
				noted++
				s.note("%s is %v in all %d rows with %s %s", escape.Quote(d.Schema.Target), first[k], n, escape.Text(c.Name),
					escape.Text(c.Levels[k]))
			}
		}
	}
}
