package model

import (
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Component is a principal component of the used features. The rules use components in
// place of the features.
type Component struct {
	Loadings []float64 `json:"loadings"` // [M] of the z-scores; of length one, the largest of them positive
	SD       float64   `json:"sd"`       // standard deviation in the training part, divisor n-1
	Min      float64   `json:"min"`
	Max      float64   `json:"max"`
}

// checkComponents validates the components.
func checkComponents(p Preprocessing) error {
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
