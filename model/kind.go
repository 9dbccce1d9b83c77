package model

import (
	"errors"
	"fmt"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/loss"
)

// responseKind is what the six kinds of response differ in. It is for the objective whose kind it is.
type responseKind interface {
	predicted
	fit(o Response, l loss.Loss, train *data.Dataset) error // see Preprocessing.SetResponse; of a Response with a link only

	check() error  // of the response, for a file
	field() string // of the response that it needs
	outputs() int  // C

	// respond writes the values of the link [J] for outputs y [C] to dst. It may change y.
	respond(link loss.Link, dst, y []float64)
	scaled() bool                          // the outputs are targets in units of their own
	output(c int) (o objective, own bool)  // of output c as the only number; own: it is already
	change(of func(t *Target) error) error // of all targets

	chosen() bool                        // Predictions.Values have a column before those of all values
	sets() bool                          // prediction sets, not intervals
	predictions(r responses) Predictions // without their counts

	criterion(of Criterion) Criterion          // the one that compares models, if train.loss has another
	measured(of Criterion) (what, unit string) // see Measured
	measure(of Criterion, p Predictions, d *data.Dataset) Metrics
	residual(of Criterion) (minimum, power float64) // see ResidualUnit
	// off returns how far the target of a sample lies below its prediction and above it, in units of a [Calibration] without a spread.
	off(of Criterion, p Predictions, d *data.Dataset, n int) (below, above float64)
	intervals(of Criterion, p Predictions, score float64) (low, high [][]float64)
	words() Words
}

// kinds are the kinds of response by link.
var kinds = map[string]func(oneNumber) responseKind{
	identityLink: func(n oneNumber) responseKind {
		if n.Response.Targets != nil {
			return severalTargets{n}
		}
		return n
	},
	orderedLink: func(n oneNumber) responseKind { return severalQuantiles{n} },
	logLink:     func(n oneNumber) responseKind { return oneCount{n} },
	logitLink:   func(n oneNumber) responseKind { return twoClasses{severalClasses{n}} },
	softmaxLink: func(n oneNumber) responseKind { return severalClasses{n} },
}

func (o *objective) kind() responseKind {
	if of, known := kinds[o.Response.link()]; known {
		return of(oneNumber{o})
	}
	return oneNumber{o}
}

func (p *Preprocessing) objective() *objective { return &objective{p.Schema, p.Target, p.Response} }

// kind returns the kind of the response.
func (p *Preprocessing) kind() responseKind {
	return p.objective().kind()
}

// output returns the preprocessing of output c of the rules as the only number, and whether it is the given one.
func (p *Preprocessing) output(c int) (one Preprocessing, own bool) {
	o, own := p.kind().output(c)
	one = *p
	one.Schema, one.Target, one.Response = o.Schema, o.Target, o.Response
	return one, own
}

// change changes all targets.
func (p *Preprocessing) change(of func(t *Target) error) error {
	o := p.objective()
	err := o.kind().change(of)
	p.Target, p.Response = o.Target, o.Response
	return err
}

// checkResponse validates a response of a kind. Errors name its field.
func checkResponse(o *objective, k responseKind) error {
	r, s := &o.Response, &o.Schema
	if _, err := loss.LookupLink(r.link()); err != nil {
		return fmt.Errorf("link: %s: must be log, logit, softmax, ordered or identity", escape.Quote(r.Link))
	}
	targets := 0
	if n := len(s.Others); n > 0 {
		targets = 1 + n
	}
	switch {
	case len(r.Classes) != len(s.Classes):
		return fmt.Errorf("classes: %d; the schema has %d", len(r.Classes), len(s.Classes))
	case len(r.Targets) != targets:
		return fmt.Errorf("targets: %d; the schema needs %d", len(r.Targets), targets)
	case s.Offset.Column != "" && r.link() != logLink:
		return fmt.Errorf("link: %s: the schema has an offset, which needs the link log", r.link())
	case r.Power != 0 && r.link() != logLink:
		return fmt.Errorf("power: %v contradicts the link %s", r.Power, r.link())
	case r.Weights != nil && r.Targets == nil:
		return errors.New("weights: are for several targets")
	}
	for _, has := range []struct {
		field string
		n     int
	}{{"quantiles", len(r.Quantiles)}, {"classes", len(r.Classes)}, {"targets", len(r.Targets)}} {
		if (has.n > 0) != (has.field == k.field()) {
			return fmt.Errorf("%s: %d contradict the link %s", has.field, has.n, r.link())
		}
	}
	return k.check()
}

// Number reports whether the model predicts one number by the identity link: the mean of what the rules say.
func (p Preprocessing) Number() bool { return p.Response.IsZero() }

// Link returns the name of the link between the outputs of the rules and the response, see [loss.LookupLink].
func (p Preprocessing) Link() string { return p.Response.link() }

// Ordered reports whether each value is at least the one before.
func (p Preprocessing) Ordered() bool { return p.Link() == orderedLink }

// OutputCount returns C, the number of outputs of the rules.
func (p Preprocessing) OutputCount() int { return p.kind().outputs() }

// Values returns the values [J] of the response: the only number, all targets, all quantiles, or the probabilities of all classes.
func (p Preprocessing) Values() []Value { return p.kind().values() }

// Words returns how people name what the model predicts.
func (p Preprocessing) Words() Words { return p.kind().words() }

// Scaled reports whether the outputs of the rules are targets in units of their own: not logarithms, log odds or scores.
func (p Preprocessing) Scaled() bool { return p.kind().scaled() }

// Targets returns what a loss compares the outputs of the rules with, [N,C]: the targets centred and in the unit of the outputs
// (identity; ordered, repeated for each quantile), over their training mean (log), 0 or 1 (logit), or one-hot (softmax). The data set
// must have the targets and classes of the schema.
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

// Limit sets the limits of predictions of all targets, see [Target.Limit]; classes have none.
func (p *Preprocessing) Limit(margin float64, bounds *[2]float64) error {
	return p.change(func(t *Target) error { return t.Limit(margin, bounds) })
}

// Narrow intersects the limits of all targets with fixed bounds, see [Target.Narrow].
func (p *Preprocessing) Narrow(bounds *[2]float64) error {
	return p.change(func(t *Target) error { return t.Narrow(bounds) })
}
