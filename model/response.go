package model

import "github.com/tskgraph/tskgraph/data"

// Response says how the C outputs of the rules become the response, which is what a model
// predicts, unless that is one target by the identity link. Of Targets, Quantiles and
// Classes exactly one is set, or none with the log link.
type Response struct {
	Link string `json:"link"` // see loss.LookupLink

	// Targets [C] are several targets, with the identity link. The first is
	// Preprocessing.Target.
	Targets []Target  `json:"targets,omitempty"`
	Weights []float64 `json:"weights,omitempty"` // [C] of the targets in Metrics.Loss; nil: all one

	// Quantiles [C] are the levels of quantiles, ascending, with the ordered link.
	Quantiles []float64 `json:"quantiles,omitempty"`

	// TrainingQuantiles [C] are those of the training targets: what a sample that no rule
	// covers gets.
	TrainingQuantiles []float64 `json:"training_quantiles,omitempty"`

	// Classes [K] are the classes in the order of the schema. C is K with the softmax link,
	// and 1, for the second of two classes, with the logit link.
	Classes []Class `json:"classes,omitempty"`
}

// Class is a class of the target.
type Class struct {
	Name  string  `json:"name"`
	Share float64 `json:"share"` // weighted, of the training part: what a sample that no rule covers gets
}

// Names of links in package loss.
const (
	identityLink = "identity"
	orderedLink  = "ordered"
	logLink      = "log"
	logitLink    = "logit"
	softmaxLink  = "softmax"
)

// outputs returns C.
func (r *Response) outputs() int {
	switch {
	case r == nil || r.Link == logitLink:
		return 1
	case r.Targets != nil:
		return len(r.Targets)
	case r.Quantiles != nil:
		return len(r.Quantiles)
	}
	return max(1, len(r.Classes))
}

// size returns J, the number of values of the response: one, the targets, the quantiles, or
// the probabilities of all classes.
func (r *Response) size() int {
	if r != nil && r.Classes != nil {
		return len(r.Classes)
	}
	return r.outputs()
}

// compared returns what a loss compares the outputs with, see [Preprocessing.Targets].
func compared(p Preprocessing, d *data.Dataset) []float64 {
	C := p.OutputCount()
	all := make([]float64, d.Len()*C)
	for n, y := range d.Y {
		row := all[n*C : (n+1)*C]
		switch p.Link() {
		case logLink:
			row[0] = y / p.Target.Mean
		case logitLink:
			row[0] = y
		case softmaxLink:
			row[int(y)] = 1
		default:
			for c := range row {
				t := targetOf(p, c)
				row[c] = (observed(p, d, n, c) - t.Mean) / t.Scaling()
			}
		}
	}
	return all
}

// observed returns what value j of the response of sample n is to predict: the value of
// target j, one for class j if it is that of the sample, else zero, or the only target.
func observed(p Preprocessing, d *data.Dataset, n, j int) float64 {
	switch r := p.Response; {
	case r == nil:
	case r.Classes != nil:
		if int(d.Y[n]) == j {
			return 1
		}
		return 0
	case r.Targets != nil && j > 0:
		return d.Others[j-1][n]
	}
	return d.Y[n]
}

// targetOf returns the target of output c.
func targetOf(p Preprocessing, c int) Target {
	if p.Response != nil && p.Response.Targets != nil {
		return p.Response.Targets[c]
	}
	return p.Target
}
