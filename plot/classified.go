package plot

import (
	"errors"
	"fmt"

	"github.com/tskgraph/tskgraph/internal/escape"
	"github.com/tskgraph/tskgraph/internal/weighted"
	"github.com/tskgraph/tskgraph/metric"
)

// Classified are predicted class probabilities of a data set, with the true classes.
type Classified struct {
	Target  string      // name
	Names   []string    // [K] of the classes
	P       [][]float64 // [K][N] probabilities
	Y       []float64   // [N] indices of the true classes
	Weights []float64   // [N]; nil: all one
}

// measure returns the measures of the probabilities; without samples, or fewer than two classes, there are none.
func (c Classified) measure() (metric.Classes, error) {
	if len(c.Y) == 0 || len(c.P) < 2 {
		return metric.Classes{}, errors.New("plot: no classes to draw")
	}
	return metric.MeasureClasses(c.P, c.Y, c.Weights), nil
}

// names returns the names of some classes, escaped for people.
func (c Classified) names(of []int) []string {
	names := make([]string, len(of))
	for i, k := range of {
		names[i] = escape.Text(c.Names[k])
	}
	return names
}

// samplesText is the number of samples in a legend.
func samplesText(c metric.Classes) string {
	return fmt.Sprintf("%d %s", c.Samples, weighted.Samples(c.Weighted))
}
