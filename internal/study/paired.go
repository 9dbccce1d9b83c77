package study

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/tskgraph/tskgraph/internal/base/paired"
)

// Paired compares two algorithms over the same random splits.
type Paired struct {
	Repeats int     `json:"repeats"`
	Mean    float64 `json:"mean"` // of the differences
	Low     float64 `json:"low"`  // the 95% interval of the mean
	High    float64 `json:"high"`
	T       float64 `json:"t"` // the corrected statistic; 0 where all differences are zero
	P       float64 `json:"p"` // two-sided
}

// ComparePaired tests whether the mean of paired differences d is zero, where each is
// from a random split of the same data. Such splits overlap, so the differences are
// dependent, and Student's t-test underestimates their variance. Nadeau and Bengio
// (Inference for the Generalization Error, Machine Learning 52, 2003) correct it:
//
//	t = mean / sqrt((1/n + n_test/n_train) s^2), n-1 degrees of freedom
//
// s^2 has divisor n-1; testToTrain is n_test/n_train, 3/7 for splits of 70 to 30.
// ok is false for fewer than two differences. If all differences are equal, the interval
// is that one point, and P is 0, or 1 if they are zero.
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
	se := paired.StdErr(sd, len(d), testToTrain)
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(len(d) - 1)}
	half := float64(student.Quantile(0.975) * se)
	p.Low, p.High, p.T = mean-half, mean+half, mean/se
	p.P = 2 * student.CDF(-math.Abs(p.T))
	return p, true
}
