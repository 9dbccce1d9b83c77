package inference

import "github.com/tskgraph/tskgraph/membership"

// TSK is the weighted mean of the paper's equation (4): the weight is the firing level,
// w = f.
type TSK struct{}

func init() { RegisterDefuzzification(TSK{}) }

func (TSK) Name() string { return "tsk" }

// Meaning returns the meaning of the firing level.
func (TSK) Meaning(firing string, _ int) string { return firing }

// LogWeight returns z.
func (TSK) LogWeight(z float64, _ int) float64 { return z }

// Gradient returns 1.
func (TSK) Gradient(float64, int) float64 { return 1 }

// Expr returns z.
func (TSK) Expr(_ membership.Builder, z membership.Term, _ int) membership.Term { return z }
