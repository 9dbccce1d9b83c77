package baseline

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/loss"
)

// classified returns 80 samples of two standardised features (divisor n-1) with classes and weights, by the generator of the
// C standard's example.
func classified(classes int) (x [][]float64, y []int, weights []float64) {
	state := uint64(7)
	next := func() float64 {
		state = (state*1103515245 + 12345) % (1 << 31)
		return float64(state) / (1 << 31)
	}
	for range 80 {
		row := []float64{next(), next()}
		u := (row[0]+2*row[1])/3 + 0.8*next()
		x, y = append(x, row), append(y, min(classes-1, int(u*float64(classes)/1.8)))
		weights = append(weights, 1+math.Floor(4*next())/2)
	}
	for m := range 2 {
		mean, squares := 0.0, 0.0
		for _, row := range x {
			mean += row[m] / 80
		}
		for _, row := range x {
			row[m] -= mean
			squares += row[m] * row[m]
		}
		for _, row := range x {
			row[m] /= math.Sqrt(squares / 79)
		}
	}
	return x, y, weights
}

func lookup(t *testing.T, name string) loss.OfOutputs {
	t.Helper()
	l := testenv.Must(loss.Lookup(name))
	return loss.Joint(l, nil)
}

// oneHot returns the targets of the logistic loss for two classes, else those of the softmax loss.
func oneHot(y []int, classes int) []float64 {
	var t []float64
	for _, class := range y {
		if classes == 2 {
			t = append(t, float64(class))
			continue
		}
		row := make([]float64, classes)
		row[class] = 1
		t = append(t, row...)
	}
	return t
}

// TestScikitLearn compares with the coefficients of LogisticRegression(solver="newton-cg", tol=1e-12) of scikit-learn 1.2.1.
func TestScikitLearn(t *testing.T) {
	for _, c := range []struct {
		name     string
		classes  int
		weighted bool
		want     []float64 // [M+1, C]
	}{
		{"logistic", 2, false, []float64{0.13294415299694462, 0.5712615530015908, 0.9353433610348618}},
		{"logistic", 2, true, []float64{0.11748113832961343, 0.7247328515501071, 1.0446722226941687}},
		{"softmax", 3, false, []float64{-0.5922381702776776, 1.1796306646387316, -0.5873924943610538,
			-0.7477251599809721, -0.09122675595234585, 0.8389519159333183,
			-1.1973307987677986, 0.29252950330154553, 0.9048012954662532}},
		{"softmax", 3, true, []float64{-0.4575327479748064, 1.128991347251727, -0.6714585992769186,
			-0.8901441336134094, -0.10531164657197326, 0.9954557801853815,
			-1.2778449732596249, 0.2953669578569492, 0.9824780154026752}},
	} {
		x, y, weights := classified(c.classes)
		if !c.weighted {
			weights = nil
		}
		w := testenv.Must(fitLinear(lookup(t, c.name), x, oneHot(y, c.classes), weights))
		if want := mat.NewDense(3, len(c.want)/3, c.want); !mat.EqualApprox(w, want, 5e-6) {
			t.Errorf("%s, weighted %t:\n%v\nwant\n%v", c.name, c.weighted, mat.Formatted(w), mat.Formatted(want))
		}
	}
}

// TestSeparable: the coefficients of classes that a line separates stay finite, and every sample is right.
func TestSeparable(t *testing.T) {
	var x [][]float64
	var y []int
	for i := range 40 {
		class := i % 2
		x, y = append(x, []float64{float64(2*class-1) * float64(1+i), 1}), append(y, class)
	}
	w := testenv.Must(fitLinear(lookup(t, "logistic"), x, oneHot(y, 2), nil))
	if norm := mat.Norm(w, 2); !(norm < 100) || !(w.At(1, 0) > 0) {
		t.Errorf("coefficients %v", mat.Formatted(w))
	}
}
