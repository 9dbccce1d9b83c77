package model

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/loss"
)

// checkResponse validates the response of a preprocessing. Errors name its field.
func checkResponse(p Preprocessing) error {
	r, s := p.Response, p.Schema
	if r == nil {
		switch {
		case s.Classes != nil:
			return errors.New("classes: missing; the schema has classes")
		case s.Others != nil:
			return errors.New("targets: missing; the schema has several targets")
		}
		return nil
	}
	if _, err := loss.LookupLink(r.Link); err != nil {
		return fmt.Errorf("link: %s: must be log, logit, softmax, ordered or identity", escape.Quote(r.Link))
	}
	for _, part := range []struct {
		name  string
		has   bool
		links []string // which need it
	}{
		{"targets", r.Targets != nil, []string{identityLink}},
		{"quantiles", r.Quantiles != nil, []string{orderedLink}},
		{"classes", r.Classes != nil, []string{logitLink, softmaxLink}},
	} {
		if part.has != slices.Contains(part.links, r.Link) {
			return fmt.Errorf("%s: contradicts the link %s", part.name, r.Link)
		}
	}
	switch {
	case r.Classes != nil:
		return checkClasses(r, s.Classes)
	case s.Classes != nil:
		return fmt.Errorf("link: %s, but the schema has classes", r.Link)
	case (r.Targets == nil) != (s.Others == nil):
		return fmt.Errorf("targets: %d; the schema has %d", max(1, len(r.Targets)), 1+len(s.Others))
	case r.Targets != nil:
		return checkResponseTargets(p)
	case r.Weights != nil:
		return errors.New("weights: are for several targets")
	case r.Quantiles != nil:
		return checkLevels(r)
	case !(p.Target.Mean > 0) || p.Target.Min < 0:
		return fmt.Errorf("link: log, but the target has mean %v and min %v", p.Target.Mean, p.Target.Min)
	}
	return nil
}

func checkClasses(r *Response, names []string) error {
	switch {
	case len(r.Classes) != len(names):
		return fmt.Errorf("classes: %d; the schema has %d", len(r.Classes), len(names))
	case r.Link == logitLink && len(r.Classes) != 2:
		return fmt.Errorf("classes: %d; the logit link is for two", len(r.Classes))
	}
	sum := 0.0
	for k, c := range r.Classes {
		if c.Name != names[k] {
			return fmt.Errorf("classes[%d].name: %s; the schema has %s", k, escape.Quote(c.Name), escape.Quote(names[k]))
		}
		if !(c.Share >= 0 && c.Share <= 1) {
			return fmt.Errorf("classes[%d].share: %v: must lie between 0 and 1", k, c.Share)
		}
		sum += c.Share
	}
	if math.Abs(sum-1) > 1e-6 {
		return fmt.Errorf("classes: the shares sum to %v, not to 1", sum)
	}
	return nil
}

func checkResponseTargets(p Preprocessing) error {
	r := p.Response
	if got, want := len(r.Targets), 1+len(p.Schema.Others); got != want {
		return fmt.Errorf("targets: %d; the schema has %d", got, want)
	}
	if !reflect.DeepEqual(r.Targets[0], p.Target) {
		return errors.New("targets[0]: differs from target")
	}
	for c, t := range r.Targets {
		if err := t.check(); err != nil {
			return fmt.Errorf("targets[%d]: %w", c, err)
		}
	}
	if r.Weights == nil {
		return nil
	}
	if len(r.Weights) != len(r.Targets) {
		return fmt.Errorf("weights: %d of %d targets", len(r.Weights), len(r.Targets))
	}
	for c, w := range r.Weights {
		if !(w > 0) || !numeric.Finite(w) {
			return fmt.Errorf("weights[%d]: %v: must be positive and finite", c, w)
		}
	}
	return nil
}

// maxQuantiles is the largest number of quantiles.
const maxQuantiles = 100

func checkLevels(r *Response) error {
	if n := len(r.Quantiles); n == 0 || n > maxQuantiles || len(r.TrainingQuantiles) != n {
		return fmt.Errorf("quantiles: %d, and %d training_quantiles: want the same number, from 1 to %d", n, len(r.TrainingQuantiles), maxQuantiles)
	}
	for c, q := range r.Quantiles {
		if !(q > 0 && q < 1) || c > 0 && q <= r.Quantiles[c-1] {
			return fmt.Errorf("quantiles[%d]: %v: must lie between 0 and 1, and increase", c, q)
		}
		if v := r.TrainingQuantiles[c]; !numeric.Finite(v) || c > 0 && v < r.TrainingQuantiles[c-1] {
			return fmt.Errorf("training_quantiles[%d]: %v: must be finite and not decrease", c, v)
		}
	}
	return nil
}

// sameResponse reports whether two responses, such as those of a committee and of a member,
// have the same link, numbers of targets, quantiles and classes.
func sameResponse(a, b *Response) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Link == b.Link && len(a.Targets) == len(b.Targets) && slices.Equal(a.Quantiles, b.Quantiles) &&
		slices.EqualFunc(a.Classes, b.Classes, func(x, y Class) bool { return x.Name == y.Name })
}
