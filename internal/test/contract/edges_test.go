package contract_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
)

// OneSample checks that training on a single sample is refused with a data error that says
// so.
func OneSample(e Estimator) { refused(e, table(1), "1 sample)", "training on one sample") }

// OneFeature checks that M = 1 can be learned.
func OneFeature(e Estimator) {
	learned(e, made([]string{"a"}, samples, func(x []float64) float64 { return 2 * x[0] }), 0)
}

// OneRule checks that R = 1 can be learned, or is refused by an initialiser that
// determines the number of rules.
func OneRule(e Estimator) { mayDecline(func() { learned(e, table(samples), 1) }, "model.rules") }

// MoreRulesThanSamples checks that R = 8 rules can be learned from two, three and seven
// samples, or are refused: by an initialiser that determines the number of rules, or
// because no rule fires for any sample.
func MoreRulesThanSamples(e Estimator) {
	for _, n := range []int{2, 3, 7} {
		mayDecline(func() { learned(e, table(n), 8) }, "model.rules", "model.membership")
	}
}

// NoSamples checks that training without samples is refused, and that predicting no
// samples returns no predictions.
func NoSamples(e Estimator) {
	for _, d := range []*data.Dataset{nil, table(1).Subset(nil)} {
		refused(e, d, "", "training on no samples")
	}
	m := must(e.Fit(table(samples), 0))
	for _, x := range [][][]float64{nil, {}} {
		values(m, x)
	}
}

// ConstantTarget checks that a constant target is predicted bit for bit, or refused because no page has a number so large.
func ConstantTarget(e Estimator) {
	for _, c := range []float64{0, 0.1, -7e150} {
		d := changed(func(_ []float64, y *float64, _ int) { *y = c })
		mayExceedPages(func() { same(learned(e, d, 0), d.Y, "target %v: ", c) })
	}
}

// ConstantFeature checks that features that are constant in training have no effect: the
// predictions are those of the other features, for any later value of the feature; and that one feature may be left.
func ConstantFeature(e Estimator) {
	d := table(samples)
	want := learned(e, d, 0)
	wider := made([]string{"a", "b", "c", "constant"}, samples, func([]float64) float64 { return 0 })
	for i, row := range d.X {
		copy(wider.X[i], row)
		wider.X[i][3], wider.Y[i] = 5, d.Y[i]
	}
	m := must(e.Fit(wider, 0))
	for _, c := range []float64{5, 1e9} {
		for i := range wider.X {
			wider.X[i][3] = c
		}
		same(values(m, wider.X), want, "with a feature that was 5 in training and is %v: ", c)
	}
	learned(e, changed(func(x []float64, _ *float64, _ int) { x[1], x[2] = 5, 6 }), 0)
}

// DuplicateRows checks that a table of two rows, repeated, can be learned, or is refused
// because no rule fires, and that equal rows have equal predictions.
func DuplicateRows(e Estimator) {
	first := table(2)
	d := changed(func(x []float64, y *float64, i int) {
		copy(x, first.X[i%2])
		*y = first.Y[i%2]
	})
	mayDecline(func() {
		got := learned(e, d, 0)
		same(got, slices.Repeat(got[:2], samples/2), "")
	}, "model.membership")
}

// CollinearFeatures checks that features that are multiples and sums of others can be
// learned.
func CollinearFeatures(e Estimator) {
	learned(e, changed(func(x []float64, _ *float64, _ int) { x[1], x[2] = -2*x[0], x[0] }), 0)
}

// TenThousandFeatures checks that M = 10,000 can be learned, with every sample covered by
// a rule and every prediction finite, or is refused by an estimator that is not Wide, with
// an error that names the number of features.
func TenThousandFeatures(e Estimator) {
	names := make([]string, 10_000)
	for m := range names {
		names[m] = fmt.Sprintf("x%d", m)
	}
	d := made(names, 12, func(x []float64) float64 { return x[0] })
	fit := func() {
		m, err := e.Fit(d, 0)
		if err != nil && !e.Wide && !strings.Contains(err.Error(), "10000") {
			err = fmt.Errorf("an error that does not name the 10000 features: %v", err)
		}
		values(must(m, err), d.X)
		p := must(m.Predict(d.X))
		require(p.Uncovered == 0, "%d of %d samples are uncovered, without an error", p.Uncovered, len(d.X))
	}
	if e.Wide {
		fit()
		return
	}
	mayDecline(fit, "model.membership", "model.init", "model.consequents")
}
