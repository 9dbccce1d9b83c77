package plot_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/plot"
)

// classified returns probabilities of some classes that are right in most of n samples.
func classified(classes, n int, name string) plot.Classified {
	rng := rand.New(rand.NewPCG(1, uint64(classes)))
	c := plot.Classified{Target: "kind", Y: make([]float64, n), P: make([][]float64, classes)}
	for k := range c.P {
		c.P[k] = make([]float64, n)
		c.Names = append(c.Names, fmt.Sprintf(name, k))
	}
	for i := range c.Y {
		truth := rng.IntN(classes)
		c.Y[i] = float64(truth)
		sum := 0.0
		for k := range c.P {
			v := rng.NormFloat64()
			if k == truth {
				v += 2.5
			} else if k/2 == truth/2 {
				v += 1.2
			}
			c.P[k][i] = math.Exp(v)
			sum += c.P[k][i]
		}
		for k := range c.P {
			c.P[k][i] /= sum
		}
	}
	return c
}

func TestConfusion(t *testing.T) {
	c := plot.Classified{Target: "kind", Names: []string{"<red>", "blue"}, Y: []float64{0, 0, 0, 1},
		P: [][]float64{{0.9, 0.8, 0.3, 0.4}, {0.1, 0.2, 0.7, 0.6}}}
	draws(t, "<red>", "blue", "2", "67%", "1", "33%", "100%", "4 samples: accuracy 0.75, balanced 0.8333")(plot.Confusion(c))
	got := texts(t)(plot.Confusion(classified(40, 3000, "class %d")))
	if all := strings.Join(got, "\n"); !strings.Contains(all, "the 26 most confused of 40 classes") ||
		!strings.Contains(all, "percent of the row") {
		t.Errorf("%q", got)
	}
	refused(t, "nothing was drawn")(plot.Confusion(plot.Classified{}))
}

func TestROC(t *testing.T) {
	if got := strings.Join(texts(t)(plot.ROC(classified(2, 500, "kind %d"))), "\n"); !strings.Contains(got, "kind 1: AUC ") ||
		strings.Contains(got, "kind 0") {
		t.Errorf("%q", got)
	}
	got := strings.Join(texts(t)(plot.ROC(classified(12, 2000, "kind %d"))), "\n")
	if !strings.Contains(got, "the 10 lowest of 12 curves") || strings.Count(got, ": AUC ") != 10 {
		t.Errorf("%q", got)
	}
	one := classified(3, 5, "kind %d")
	clear(one.Y)
	refused(t, "one class", "same class")(plot.ROC(one))
}

func TestCalibration(t *testing.T) {
	draws(t, "predicted probability of kind 1", "observed share", "probabilities")(plot.Calibration(classified(2, 500, "kind %d")))
	draws(t, "predicted probability of the most probable class")(plot.Calibration(classified(4, 500, "kind %d")))
}

func TestQuantiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	q := plot.Quantiled{Target: "y", Unit: "kg", Levels: []float64{0.05, 0.25, 0.5, 0.75, 0.95}, Q: make([][]float64, 5)}
	for range 400 {
		x := 3 * rng.Float64()
		q.Y = append(q.Y, x*(1+0.3*rng.NormFloat64()))
		for i, z := range []float64{-1.645, -0.674, 0, 0.674, 1.645} {
			q.Q[i] = append(q.Q[i], x*(1+0.3*z))
		}
	}
	got := texts(t)(plot.Quantiles(q))
	wantTexts(t, got, "0.05 to 0.95", "0.25 to 0.75", "0.5", "observed", "observed y [kg]")
	if all := strings.Join(got, "\n"); !strings.Contains(all, "% within 0.05 to 0.95, mean width ") ||
		!strings.Contains(all, "; 300 are drawn") {
		t.Errorf("%q", got)
	}
	refused(t, "nothing was drawn")(plot.Quantiles(plot.Quantiled{}))
}
