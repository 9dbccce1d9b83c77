package drift

import (
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Level is the usual level of [Reference.Compare]: the probability that something is found in rows that are like those of training.
const Level = 0.01

// Sizes below which a difference is not found, however many rows show it.
const (
	smallIndex = 0.02 // of a population stability index
	smallError = 0.1  // of a difference of mean errors, in mean absolute errors
)

// Report compares rows with the training part.
type Report struct {
	Rows     int      `json:"rows"`
	Training int      `json:"training_rows"`
	HeldOut  int      `json:"held_out_rows,omitempty"` // whose errors new ones are compared with
	Level    float64  `json:"level"`
	Columns  []Column `json:"columns"`
	Rules    []Rule   `json:"rules,omitempty"`  // none for a committee
	Errors   *Errors  `json:"errors,omitempty"` // nil where no targets are known
	Changes  []string `json:"changes"`          // what was found, in words
	Refit    *Refit   `json:"refit,omitempty"`  // nil unless it was asked for

	unit string // of the target
}

// Column compares the cells of a column; shares are of all rows.
type Column struct {
	Name    string  `json:"name"`
	Index   float64 `json:"stability_index"` // of known cells in tenths of the training part, or by level
	P       float64 `json:"p"`               // chi-square test of the same
	Outside Share   `json:"outside"`         // numbers outside the training range
	Missing Share   `json:"missing"`
	Unknown Share   `json:"unknown"` // levels that training does not know
	Changed bool    `json:"changed,omitempty"`
}

// Share compares shares of rows.
type Share struct {
	Training float64 `json:"training"`
	Now      float64 `json:"now"`
	P        float64 `json:"p"` // of shares at least as different, if both parts are alike
	Changed  bool    `json:"changed,omitempty"`
}

// Rule compares the rows that a rule decides.
type Rule struct {
	Target string `json:"target,omitempty"` // of several pages
	Rule   int    `json:"rule"`             // from 1
	Share  Share  `json:"share"`
	Error  *Error `json:"error,omitempty"` // nil if too few rows are known
	Bias   *Error `json:"bias,omitempty"`  // likewise; nil for classes and quantiles
}

// Errors compares errors of all rows.
type Errors struct {
	Name  string   `json:"name"` // such as mean absolute error, the figure of Error
	Error *Error   `json:"error,omitempty"`
	Bias  []*Error `json:"bias,omitempty"` // prediction minus target, by target
}

// Error compares the mean of errors with that of rows held out from training.
type Error struct {
	Rows    int     `json:"rows"`
	HeldOut float64 `json:"held_out"`
	Now     float64 `json:"now"`
	Low     float64 `json:"low"` // 95% interval of Now
	High    float64 `json:"high"`
	P       float64 `json:"p"` // of means at least as different, if both parts are alike; 1 for the size of errors that has fallen
	Changed bool    `json:"changed,omitempty"`
}

// test is something that may be found.
type test struct {
	p       float64
	large   bool
	changed *bool
	text    string
}

// Compare compares the counts of rows with those of the training part. All differences together are tested at a level: differences are
// found in rows that are drawn as those of training with at most this probability. It needs at least one row.
func (r *Reference) Compare(c *Counts, level float64) (*Report, error) {
	if c.Rows == 0 {
		return nil, fmt.Errorf("drift: no rows to compare")
	}
	out := &Report{Rows: c.Rows, Training: r.counts.Rows, Level: level, Changes: []string{},
		unit: r.model.Schema.TargetUnit}
	var tests []test
	out.Columns = make([]Column, len(r.columns))
	for i := range r.columns {
		tests = append(tests, r.compareColumn(&out.Columns[i], i, c)...)
	}
	tests = append(tests, r.compareRules(out, c)...)
	if c.losses != nil && r.counts.losses != nil {
		tests = append(tests, r.compareErrors(out, c)...)
	}
	all := make([]float64, len(tests))
	for i, t := range tests {
		all[i] = t.p
	}
	for i, found := range holm(all, level) {
		if t := tests[i]; found && t.large {
			*t.changed = true
			out.Changes = append(out.Changes, t.text)
		}
	}
	return out, nil
}

func (r *Reference) compareColumn(out *Column, i int, c *Counts) []test {
	of, before, now := r.columns[i], r.counts.columns[i], c.columns[i]
	out.Name = of.Name
	out.Index, out.P = stability(before.groups, now.groups), homogeneity(before.groups, now.groups)
	name := plain(of.Name)
	tests := []test{{out.P, out.Index >= smallIndex, &out.Changed,
		fmt.Sprintf("the values of %s have moved: stability index %s", name, numeric.Show(out.Index, 2))}}

	seen := now.known()
	out.Outside = Share{Now: share(now.below+now.above, c.Rows),
		P: min(1, 2*min(atLeast(now.below, seen, now.below, seen+before.known()), atLeast(now.above, seen, now.above, seen+before.known())))}
	tests = append(tests, test{out.Outside.P, now.below+now.above > 0, &out.Outside.Changed, fmt.Sprintf(
		"%s is outside its training range, %s to %s, in %s of the rows", name, show(of.low), show(of.high), percent(out.Outside.Now))})

	out.Missing = Share{share(before.missing, r.counts.Rows), share(now.missing, c.Rows),
		exact(before.missing, r.counts.Rows, now.missing, c.Rows), false}
	tests = append(tests, test{out.Missing.P, large(before.missing, r.counts.Rows, now.missing, c.Rows), &out.Missing.Changed,
		fmt.Sprintf("%s is missing in %s of the rows, in training in %s", name, percent(out.Missing.Now), percent(out.Missing.Training))})

	out.Unknown = Share{Now: share(now.unknown, c.Rows), P: 1}
	if now.unknown > 0 {
		out.Unknown.P = binomial(now.unknown, seen+now.unknown, of.rareness)
	}
	return append(tests, test{out.Unknown.P, now.unknown > 0, &out.Unknown.Changed,
		fmt.Sprintf("%s has levels that training does not know in %s of the rows", name, percent(out.Unknown.Now))})
}

func (r *Reference) compareRules(out *Report, c *Counts) (tests []test) {
	n := 0
	for _, of := range c.rules {
		n += len(of)
	}
	out.Rules = make([]Rule, 0, n) // tests keep pointers into it
	for t, of := range c.rules {
		for k := range of {
			before, now := r.counts.rules[t][k], of[k]
			out.Rules = append(out.Rules, Rule{Rule: k + 1, Share: Share{share(before, r.counts.Rows), share(now, c.Rows),
				exact(before, r.counts.Rows, now, c.Rows), false}})
			rule := &out.Rules[len(out.Rules)-1]
			if len(c.rules) > 1 {
				rule.Target = r.model.Schema.Targets()[t]
			}
			tests = append(tests, test{rule.Share.P, large(before, r.counts.Rows, now, c.Rows), &rule.Share.Changed, fmt.Sprintf(
				"%s decides %s of the rows, in training %s", rule.Name(), percent(rule.Share.Now), percent(rule.Share.Training))})
		}
	}
	return tests
}

func (r *Reference) compareErrors(out *Report, c *Counts) (tests []test) {
	all := len(c.losses) - 1
	size := r.counts.losses[all].mean
	out.HeldOut = r.counts.losses[all].n
	grown := func(e *Error) *Error { // that errors have become smaller is no reason to look
		if e != nil && e.Now < e.HeldOut {
			e.P = 1
		}
		return e
	}
	errors := &Errors{Name: "mean absolute error", Error: grown(compareError(r.counts.losses[all], c.losses[all]))}
	numbers := c.errors[0][len(c.errors[0])-1].n > 0
	if !numbers {
		errors.Name = r.model.Criterion().Name
	}
	out.Errors = errors
	add := func(e *Error, text string) {
		if e != nil {
			tests = append(tests, test{e.P, math.Abs(e.Now-e.HeldOut) >= float64(smallError*size), &e.Changed, text})
		}
	}
	add(errors.Error, out.size("the model", errors.Error, numbers))
	for t := range c.errors {
		if !numbers {
			break
		}
		of := c.errors[t]
		e := compareError(r.counts.errors[t][len(of)-1], of[len(of)-1])
		errors.Bias = append(errors.Bias, e)
		add(e, out.bias("predictions of "+plain(r.model.Schema.Targets()[t]), e))
	}
	for i := range out.Rules {
		rule := &out.Rules[i]
		t := 0
		for t < len(c.errors)-1 && rule.Target != "" && r.model.Schema.Targets()[t] != rule.Target {
			t++
		}
		if t == 0 {
			rule.Error = grown(compareError(r.counts.losses[rule.Rule-1], c.losses[rule.Rule-1]))
			add(rule.Error, out.size(rule.Name(), rule.Error, numbers))
		}
		if numbers {
			rule.Bias = compareError(r.counts.errors[t][rule.Rule-1], c.errors[t][rule.Rule-1])
			add(rule.Bias, out.bias("predictions of "+rule.Name(), rule.Bias))
		}
	}
	return tests
}

// compareError compares means; nil of too few numbers.
func compareError(before, now totals) *Error {
	p := welch(before, now)
	if math.IsNaN(p) {
		return nil
	}
	half := 1.96 * math.Sqrt(now.error())
	return &Error{Rows: now.n, HeldOut: before.mean, Now: now.mean, Low: now.mean - half, High: now.mean + half, P: p}
}

// large reports whether a share of rows has changed by a stability index that counts.
func large(before, total, now, n int) bool {
	return stability([]int{before, total - before}, []int{now, n - now}) >= smallIndex
}

func share(k, n int) float64 { return float64(k) / float64(n) }
