package model

import (
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph/data"
)

// Response says what a model predicts: how the C outputs of the rules become its J values. It is of one of six kinds:
//
//	one number       identity link, C = J = 1: the zero value
//	several targets  identity link with Targets, C = J
//	quantiles        ordered link with Quantiles, C = J
//	count or cost    log link, C = J = 1
//	two classes      logit link with Classes, C = 1, for the second, and J = 2
//	classes          softmax link with Classes, C = J
//
// What depends on the kind are methods of [Preprocessing] and [Model], [Preprocessing.Values] above all.
type Response struct {
	Link string `json:"link"` // see loss.LookupLink; empty: identity

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

// Value is a value that a model predicts: a target, a quantile of the target, or the probability of a class.
type Value struct {
	Name      string  // of the target, or of the class
	Short     string  // Name or, of a quantile, such as 5% quantile
	Key       string  // Name or, of a quantile, Column: no other value has it
	Title     string  // Name, 5% quantile of y, or probability of a class
	Unit      string  // none of a probability
	Level     float64 // of a quantile; 0: it is none
	Target            // mean, range and limits of what it predicts; of a probability 0, and from 0 to 1
	Uncovered float64 // for a sample that no rule covers

	// Scale is the unit in which its errors are compared with those of the other values: the standard deviation of one of
	// several targets, 1 of a probability; 0: they are in the unit of the only target.
	Scale float64

	Column string  // of [Model.PredictTable]
	weight float64 // in means over several targets
	ending string  // of the columns with what rules say, see [TableOptions.Columns]

	Origin, Factor float64 // the value is Origin + Factor v for the value v of the link
}

// Names of links in package loss.
const (
	identityLink = "identity"
	orderedLink  = "ordered"
	logLink      = "log"
	logitLink    = "logit"
	softmaxLink  = "softmax"
)

// IsZero reports whether the response is one number, which files leave out.
func (r Response) IsZero() bool { return r.link() == identityLink && r.Targets == nil }

func (r Response) link() string {
	if r.Link == "" {
		return identityLink
	}
	return r.Link
}

// same reports whether two responses, such as those of a committee and of a member,
// have the same link, numbers of targets, quantiles and classes.
func (r Response) same(o Response) bool {
	return r.link() == o.link() && len(r.Targets) == len(o.Targets) && slices.Equal(r.Quantiles, o.Quantiles) &&
		slices.EqualFunc(r.Classes, o.Classes, func(x, y Class) bool { return x.Name == y.Name })
}

// Words are how people name the response of a model.
type Words struct {
	Kind     string // number, targets, quantiles, count, two classes or classes
	Start    int    // the value of interest: the first, of quantiles the one nearest to the median, of two classes the second
	Constant string // what a sample gets that no rule covers, such as training mean
	Plural   bool   // of Constant
}

// Choice returns the name of the value among those of the model: the level of a quantile, such as 0.05, else Name.
func (v Value) Choice() string {
	if v.Level != 0 {
		return levelName(v.Level)
	}
	return v.Name
}

// levelName returns the level of a quantile, such as 0.05.
func levelName(level float64) string { return strconv.FormatFloat(level, 'g', -1, 64) }

// objective is what a preprocessing says about what is predicted.
type objective struct {
	Schema   data.Schema
	Target   Target
	Response Response
}

// alone returns the objective of one number.
func (o objective) alone() objective {
	o.Schema.Classes, o.Schema.Others, o.Response = nil, nil, Response{}
	return o
}
