package model

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/loss"
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

	Column string // of [Model.PredictTable]
	ending string // of the columns with what rules say, see [TableOptions.Columns]

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

// kind is what the six kinds of response differ in. It is for the preprocessing whose kind it is.
type kind interface {
	check() error // of the response, for a file
	outputs() int // C
	values() []Value

	// respond writes the values of the link [J] for outputs y [C] to dst. It may change y.
	respond(link loss.Link, dst, y []float64)
	scaled() bool                               // the outputs are targets in units of their own
	observed(d *data.Dataset, n, j int) float64 // what value j of sample n is to predict
	output(c int) (p Preprocessing, own bool)   // of output c as the only number; own: it is already
	change(of func(t *Target) error) error      // of all targets

	chosen() bool                        // Predictions.Values have a column before those of all values
	sets() bool                          // prediction sets, not intervals
	predictions(r responses) Predictions // without their counts

	criterion(of Criterion) Criterion          // the one that compares models, if train.loss has another
	measured(of Criterion) (what, unit string) // see Measured
	measure(of Criterion, p Predictions, d *data.Dataset) Metrics
	residual(of Criterion) (minimum, power float64)                    // see ResidualUnit
	score(of Criterion, p Predictions, d *data.Dataset, n int) float64 // see Calibration
	intervals(of Criterion, p Predictions, score float64) (low, high [][]float64)
	words() Words
}

// kind returns the kind of the response.
func (p *Preprocessing) kind() kind {
	n := number{p}
	switch r := &p.Response; {
	case r.Link == orderedLink:
		return quantiles{n}
	case r.Link == logLink:
		return counts{n}
	case r.Link == logitLink:
		return twoClasses{classes{n}}
	case r.Link == softmaxLink:
		return classes{n}
	case r.Targets != nil:
		return targets{n}
	}
	return n
}

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

// checkResponse validates the response of a preprocessing. Errors name its field.
func checkResponse(p *Preprocessing) error {
	r, s := p.Response, p.Schema
	if _, err := loss.LookupLink(r.link()); err != nil {
		return fmt.Errorf("link: %s: must be log, logit, softmax, ordered or identity", escape.Quote(r.Link))
	}
	targets := 0
	if len(s.Others) > 0 {
		targets = 1 + len(s.Others)
	}
	switch {
	case len(r.Classes) != len(s.Classes):
		return fmt.Errorf("classes: %d; the schema has %d", len(r.Classes), len(s.Classes))
	case len(r.Targets) != targets:
		return fmt.Errorf("targets: %d; the schema needs %d", len(r.Targets), targets)
	case r.Weights != nil && r.Targets == nil:
		return errors.New("weights: are for several targets")
	}
	for _, part := range []struct {
		name  string
		n     int
		links []string // which need it
	}{
		{"quantiles", len(r.Quantiles), []string{orderedLink}},
		{"classes", len(r.Classes), []string{logitLink, softmaxLink}},
		{"targets", len(r.Targets), []string{identityLink}},
	} {
		if need := slices.Contains(part.links, r.link()); part.n > 0 && !need || part.n == 0 && need && r.link() != identityLink {
			return fmt.Errorf("%s: %d contradict the link %s", part.name, part.n, r.link())
		}
	}
	return p.kind().check()
}

// Number reports whether the model predicts one number by the identity link: the mean of what the rules say.
func (p Preprocessing) Number() bool { return p.Response.IsZero() }

// Link returns the name of the link between the outputs of the rules and the response, see
// [loss.LookupLink].
func (p Preprocessing) Link() string { return p.Response.link() }

// Ordered reports whether each value is at least the one before.
func (p Preprocessing) Ordered() bool { return p.Link() == orderedLink }

// OutputCount returns C, the number of outputs of the rules.
func (p Preprocessing) OutputCount() int { return p.kind().outputs() }

// Values returns the values [J] of the response: the only number, all targets, all quantiles, or the probabilities of all
// classes.
func (p Preprocessing) Values() []Value { return p.kind().values() }

// Words returns how people name what the model predicts.
func (p Preprocessing) Words() Words { return p.kind().words() }

// Words are how people name the response of a model.
type Words struct {
	Kind     string // number, targets, quantiles, count, two classes or classes
	Start    int    // the value of interest: the first, of quantiles the one nearest to the median, of two classes the second
	Constant string // what a sample gets that no rule covers, such as training mean
	Plural   bool   // of Constant
}

// Scaled reports whether the outputs of the rules are targets in units of their own: not logarithms, log odds or scores.
func (p Preprocessing) Scaled() bool { return p.kind().scaled() }

// Targets returns what a loss compares the outputs of the rules with, [N,C]: the targets
// centred and in the unit of the outputs (identity; ordered, repeated for each quantile),
// over their training mean (log), 0 or 1 (logit), or one-hot (softmax). The data set must
// have the targets and classes of the schema.
func (p Preprocessing) Targets(d *data.Dataset) []float64 {
	k := p.kind()
	values, C := k.values(), k.outputs()
	first, all := len(values)-C, make([]float64, 0, d.Len()*C)
	for n := range d.Y {
		for j := first; j < len(values); j++ {
			all = append(all, (k.observed(d, n, j)-values[j].Origin)/values[j].Factor)
		}
	}
	return all
}

// Observed returns what value j is to predict in a data set [N]: a target, or one for a class and zero for the others.
func (p Preprocessing) Observed(d *data.Dataset, j int) []float64 {
	k, all := p.kind(), make([]float64, d.Len())
	for n := range all {
		all[n] = k.observed(d, n, j)
	}
	return all
}

// Uncovered returns the response [J] to a sample that no rule covers: the training mean of each
// target, the training quantiles, or the shares of the classes.
func (p Preprocessing) Uncovered() []float64 {
	var row []float64
	for _, v := range p.Values() {
		row = append(row, v.Uncovered)
	}
	return row
}

// Responder returns a function that writes the response to outputs y [C] of the rules, such as those of one rule alone, to
// dst [J], without the limits of predictions: the only number, all targets, all quantiles, or the
// probabilities of all classes. It may change y. It is for one goroutine. A link that is not registered is an error.
func (p *Preprocessing) Responder() (respond func(dst, y []float64), err error) {
	r, err := newResponder(p)
	return r.unlimited, err
}

// Limit sets the limits of predictions of all targets, see [Target.Limit]; classes have none.
func (p *Preprocessing) Limit(margin float64, bounds *[2]float64) error {
	return p.kind().change(func(t *Target) error { return t.Limit(margin, bounds) })
}

// Narrow intersects the limits of all targets with fixed bounds, see [Target.Narrow].
func (p *Preprocessing) Narrow(bounds *[2]float64) error {
	return p.kind().change(func(t *Target) error { return t.Narrow(bounds) })
}

// responder computes responses from the outputs of the rules.
type responder struct {
	kind
	link loss.Link
	all  []Value
	low  []float64 // [J], limits
	high []float64
}

func newResponder(p *Preprocessing) (*responder, error) {
	link, err := loss.LookupLink(p.Link())
	r := &responder{kind: p.kind(), link: link}
	r.all = r.values()
	for _, v := range r.all {
		low, high := v.Limits()
		r.low, r.high = append(r.low, low), append(r.high, high)
	}
	return r, err
}

// predict writes the response to the outputs y [C] of a sample to dst [J], clamped to the
// limits of the targets; that of an uncovered sample if no rule covers it or the response is
// not finite. It may change y.
func (r *responder) predict(dst, y []float64, covered bool) (how outcome) {
	r.unlimited(dst, y)
	for j, v := range dst {
		dst[j] = max(r.low[j], min(r.high[j], v))
		how.limited = how.limited || dst[j] != v && v == v // NaN is not limited, but uncovered
	}
	if !covered || !numeric.Finite(dst...) {
		for j, v := range r.all {
			dst[j] = v.Uncovered
		}
		return outcome{uncovered: true}
	}
	return how
}

// unlimited writes the response to the outputs y [C] to dst [J], without limits. Of outputs that
// are not scaled targets, it is NaN if one is not finite. It may change y.
func (r *responder) unlimited(dst, y []float64) {
	if !numeric.Finite(y...) && !r.scaled() {
		for j := range dst {
			dst[j] = math.NaN()
		}
		return
	}
	r.respond(r.link, dst, y)
	for j := range dst {
		dst[j] = r.all[j].Origin + float64(r.all[j].Factor*dst[j])
	}
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
