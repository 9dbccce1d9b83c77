package model

import (
	"fmt"
	"math"
	"strconv"

	"github.com/tskgraph/tskgraph/internal/numeric"
)

// Component is a principal component of the used features, which rules see in
// their place.
type Component struct {
	Loadings []float64 `json:"loadings"` // [M] of the z-scores; of length one, the largest of them positive
	SD       float64   `json:"sd"`       // standard deviation in the training part, divisor n-1
	Min      float64   `json:"min"`
	Max      float64   `json:"max"`
}

// Inputs returns what the rules see: the features that are used or, if there are
// components, these under the names pc1, pc2, ... with mean 0 and unit 1.
func (p Preprocessing) Inputs() []Feature {
	if p.Components == nil {
		return p.Used()
	}
	var inputs []Feature
	for k, c := range p.Components {
		inputs = append(inputs, Feature{Name: "pc" + strconv.Itoa(k+1), SD: 1, Min: c.Min, Max: c.Max})
	}
	return inputs
}

// project turns z-scores [N][M] into components [N][K], if there are any.
func (p Preprocessing) project(z [][]float64) [][]float64 {
	if p.Components == nil {
		return z
	}
	K := len(p.Components)
	rows, cells := make([][]float64, len(z)), make([]float64, len(z)*K)
	for n, row := range z {
		rows[n] = cells[n*K : (n+1)*K : (n+1)*K]
		for k, c := range p.Components {
			for m, v := range row {
				rows[n][k] += float64(c.Loadings[m] * v)
			}
		}
	}
	return rows
}

// checkComponents says what keeps the components from being some.
func (p Preprocessing) checkComponents() error {
	M := len(p.Used())
	if p.Components != nil && (len(p.Components) == 0 || len(p.Components) > M) {
		return fmt.Errorf("components: %d of %d features", len(p.Components), M)
	}
	for k, c := range p.Components {
		length := 0.0
		for _, v := range c.Loadings {
			length = math.Hypot(length, v)
		}
		switch {
		case len(c.Loadings) != M:
			return fmt.Errorf("components[%d].loadings: %d; %d features are used", k, len(c.Loadings), M)
		case !(math.Abs(length-1) < 1e-6):
			return fmt.Errorf("components[%d].loadings: of length %v, not 1", k, length)
		case !(c.SD > 0) || !numeric.Finite(c.SD, c.Min, c.Max) || c.Min > c.Max:
			return fmt.Errorf("components[%d]: sd %v, min %v, max %v: must be finite, positive and in order", k, c.SD, c.Min, c.Max)
		}
	}
	return nil
}
