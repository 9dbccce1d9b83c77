package metric_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// random is the generator of the C standard's example, from which the reference values of scikit-learn 1.2.1 were computed.
type random uint64

func (r *random) next() uint64 {
	*r = (*r*1103515245 + 12345) % (1 << 31)
	return uint64(*r)
}

// mixture returns probabilities with ties, classes and weights of 60 samples.
func mixture(classes int) (p [][]float64, y, weights []float64) {
	const n = 60
	r := random(7)
	p, y, weights = make([][]float64, classes), make([]float64, n), make([]float64, n)
	for k := range p {
		p[k] = make([]float64, n)
	}
	for i := range y {
		truth := int(r.next() / 65536 % uint64(classes))
		y[i], weights[i] = float64(truth), 1+float64(r.next()/65536%4)/2
		sum := 4.0
		for k := range p {
			p[k][i] = 1 + float64(r.next()/65536%9)
			sum += p[k][i]
		}
		p[truth][i] += 4
		for k := range p {
			p[k][i] /= sum
		}
	}
	return p, y, weights
}

// TestScikitLearn compares all measures with accuracy_score, balanced_accuracy_score, log_loss, roc_auc_score (one against
// rest), brier_score_loss and confusion_matrix.
func TestScikitLearn(t *testing.T) {
	for _, c := range []struct {
		classes                                 int
		weighted                                bool
		accuracy, balanced, logLoss, auc, brier float64
		confusion                               [][]float64
	}{
		{2, false, 0.8333333333333334, 0.8249158249158248, 0.4658245470125487, 0.9410774410774411, 0.14666346869892663,
			[][]float64{{30, 3}, {7, 20}}},
		{2, true, 0.8457943925233645, 0.8405263157894737, 0.4519563146730802, 0.9540350877192982, 0.1404219072971453,
			[][]float64{{52.5, 4.5}, {12, 38}}},
		{4, false, 0.6166666666666667, 0.5958333333333333, 1.0795281520961757, 0.8330421401515151, 0.5929525049014673,
			[][]float64{{16, 1, 2, 1}, {0, 6, 5, 1}, {4, 4, 8, 0}, {3, 2, 0, 7}}},
		{4, true, 0.595, 0.580228883023062, 1.0943508896217045, 0.8253839568130188, 0.601059695684834,
			[][]float64{{23.5, 2.5, 3.5, 1}, {0, 9.5, 9.5, 1}, {8.5, 5.5, 15.5, 0}, {6, 3, 0, 11}}},
	} {
		p, y, weights := mixture(c.classes)
		if !c.weighted {
			weights = nil
		}
		got := metric.MeasureClasses(p, y, weights)
		for _, v := range [][2]float64{{got.Accuracy, c.accuracy}, {got.BalancedAccuracy, c.balanced}, {got.LogLoss, c.logLoss},
			{*got.AUC, c.auc}, {got.Brier, c.brier}} {
			if !(math.Abs(v[0]-v[1]) < 1e-12) {
				t.Errorf("K = %d, weighted %t: %v, want %v", c.classes, c.weighted, v[0], v[1])
			}
		}
		testenv.Equal(t, fmt.Sprint(got.Confusion), fmt.Sprint(c.confusion), "confusion")
		if got.Samples != 60 || got.Weighted != c.weighted || got.Absent != 0 {
			t.Errorf("%+v", got)
		}
	}
}

// TestMannWhitney checks the area under the curve against the statistic over all pairs.
func TestMannWhitney(t *testing.T) {
	p, y, weights := mixture(4)
	for class := range p {
		curve, ok := metric.ROC(p[class], y, class, weights)
		wins, pairs := 0.0, 0.0
		for i := range y {
			for j := range y {
				if y[i] != float64(class) || y[j] == float64(class) {
					continue
				}
				w := weights[i] * weights[j]
				pairs += w
				switch a, b := p[class][i], p[class][j]; {
				case a > b:
					wins += w
				case a == b:
					wins += w / 2
				}
			}
		}
		if !ok || math.Abs(curve.AUC-wins/pairs) > 1e-12 {
			t.Errorf("class %d: AUC %v, want %v", class, curve.AUC, wins/pairs)
		}
		if !slices.IsSorted(curve.FPR) || !slices.IsSorted(curve.TPR) || curve.FPR[len(curve.FPR)-1] != 1 || curve.TPR[len(curve.TPR)-1] != 1 {
			t.Errorf("class %d: the curve does not rise from 0 to 1: %v, %v", class, curve.FPR, curve.TPR)
		}
	}
}

// TestTiesAreOneStep checks by hand that equal scores make one oblique step.
func TestTiesAreOneStep(t *testing.T) {
	curve, ok := metric.ROC([]float64{0.9, 0.5, 0.5, 0.1}, []float64{1, 1, 0, 0}, 1, nil)
	if !ok || !slices.Equal(curve.FPR, []float64{0, 0, 0.5, 1}) || !slices.Equal(curve.TPR, []float64{0, 0.5, 1, 1}) || curve.AUC != 0.875 {
		t.Errorf("%+v", curve)
	}
}

// TestSeparatedClasses: where the scores separate the classes the area is exactly 1, whatever the numbers of samples.
func TestSeparatedClasses(t *testing.T) {
	for negatives := 1; negatives < 60; negatives++ {
		score, y := []float64{2, 3, 4}, []float64{1, 1, 1}
		for n := range negatives {
			score, y = append(score, -float64(n)), append(y, 0)
		}
		if curve, ok := metric.ROC(score, y, 1, nil); !ok || curve.AUC != 1 {
			t.Errorf("%d negative samples: AUC %v", negatives, curve.AUC)
		}
	}
}

// TestAbsentClass: a class without a sample is left out of balanced accuracy and AUC, and counted.
func TestAbsentClass(t *testing.T) {
	p := [][]float64{{0.8, 0.1, 0.3}, {0.1, 0.7, 0.1}, {0.1, 0.2, 0.6}}
	got := metric.MeasureClasses(p, []float64{0, 1, 0}, nil)
	if got.Absent != 1 || got.BalancedAccuracy != 0.75 || *got.AUC != 1 {
		t.Errorf("%+v", got)
	}
	got = metric.MeasureClasses(p, []float64{0, 0, 0}, nil)
	if got.Absent != 2 || got.AUC != nil {
		t.Errorf("%+v", got)
	}
}

// TestCertainAndWrong: a true class of probability zero has a finite log loss; the first of equal probabilities counts.
func TestCertainAndWrong(t *testing.T) {
	got := metric.MeasureClasses([][]float64{{0, 0.5}, {1, 0.5}}, []float64{0, 0}, nil)
	if want := (-math.Log(1e-15) + math.Ln2) / 2; got.Accuracy != 0.5 || got.LogLoss != want || got.Brier != 0.625 {
		t.Errorf("%+v, want log loss %v", got, want)
	}
}

// TestCalibrationCurve compares with calibration_curve(strategy="quantile") of scikit-learn.
func TestCalibrationCurve(t *testing.T) {
	r := random(7)
	p, y := [][]float64{make([]float64, 100), make([]float64, 100)}, make([]float64, 100)
	for i := range y {
		p[1][i] = (float64(i) + 0.5) / 100
		p[0][i] = 1 - p[1][i]
		if float64(r.next())/(1<<31) < p[1][i]*p[1][i] {
			y[i] = 1
		}
	}
	got := metric.MeasureClasses(p, y, nil)
	observed := []float64{0.0, 0.1, 0.1, 0.1, 0.5, 0.2, 0.3, 0.5, 0.6, 0.9}
	testenv.Equal(t, len(got.Calibration), len(observed), "bins")
	for i, b := range got.Calibration {
		if math.Abs(b.Observed-observed[i]) > 1e-12 || math.Abs(b.Predicted-(float64(i)+0.5)/10) > 1e-12 || b.Samples != 10 || b.Weight != 10 {
			t.Errorf("bin %d: %+v", i, b)
		}
		if want := math.Sqrt(observed[i] * (1 - observed[i]) / 10); math.Abs(b.SE-want) > 1e-12 {
			t.Errorf("bin %d: standard error %v, want %v", i, b.SE, want)
		}
	}
	if math.Abs(got.CalibrationError-0.18) > 1e-12 {
		t.Errorf("calibration error %v", got.CalibrationError)
	}
}

// TestBins: equal probabilities share a bin, a weight counts as repetition, few samples make one bin.
func TestBins(t *testing.T) {
	p, hit := make([]float64, 40), make([]bool, 40)
	for i := range p {
		hit[i] = i%2 == 0
		if i >= 25 {
			p[i] = float64(i) / 40
		}
	}
	bins := metric.Calibrate(p, hit, nil)
	if len(bins) != 2 || bins[0].Samples != 25 || bins[0].From != 0 || bins[0].To != 0 || bins[1].Samples != 15 || bins[1].To != p[39] {
		t.Errorf("%+v", bins)
	}
	if got := metric.Calibrate(p[:12], hit[:12], nil); len(got) != 1 || got[0].Observed != 0.5 || got[0].SE != math.Sqrt(0.25/12) {
		t.Errorf("%+v", got)
	}
	weighted := metric.Calibrate([]float64{0.2, 0.6}, []bool{true, false}, []float64{3, 1})
	repeated := metric.Calibrate([]float64{0.2, 0.2, 0.2, 0.6}, []bool{true, true, true, false}, nil)
	if a, b := weighted[0], repeated[0]; a.Weight != b.Weight || a.Observed != b.Observed || math.Abs(a.Predicted-b.Predicted) > 1e-15 {
		t.Errorf("%+v, want %+v", a, b)
	}
}

func ExampleMeasureClasses() {
	p := [][]float64{{0.9, 0.2, 0.6, 0.1}, {0.1, 0.8, 0.4, 0.9}} // [K][N]
	c := metric.MeasureClasses(p, []float64{0, 1, 1, 1}, nil)
	fmt.Printf("accuracy %.4f, balanced %.4f, log loss %.5f, AUC %.4f, Brier %.4f\n", c.Accuracy, c.BalancedAccuracy, c.LogLoss, *c.AUC,
		c.Brier)
	// Output: accuracy 0.7500, balanced 0.8333, log loss 0.33754, AUC 1.0000, Brier 0.1050
}

// TestCorners: straight pieces lose their inner points; a long curve keeps its ends.
func TestCorners(t *testing.T) {
	c := metric.Curve{FPR: []float64{0, 0, 0, 0.5, 1, 1}, TPR: []float64{0, 0.2, 0.4, 0.4, 0.6, 1}, AUC: 0.5}
	got := c.Corners(10)
	if !slices.Equal(got.FPR, []float64{0, 0, 0.5, 1, 1}) || !slices.Equal(got.TPR, []float64{0, 0.4, 0.4, 0.6, 1}) || got.AUC != 0.5 {
		t.Errorf("%+v", got)
	}
	if got := c.Corners(2); !slices.Equal(got.FPR, []float64{0, 1}) {
		t.Errorf("%+v", got)
	}
}

func TestMostConfused(t *testing.T) {
	confusion := [][]float64{{9, 0, 0}, {0, 5, 4}, {0, 1, 8}}
	testenv.Equal(t, metric.MostConfused(confusion, 2), []int{1, 2})
	testenv.Equal(t, metric.MostConfused(confusion, 5), []int{0, 1, 2})
}
