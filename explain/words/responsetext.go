package words

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/digits"
)

const (
	// leastProbability is that of a class that is worth words.
	leastProbability = 0.05

	// mostClasses is the number of classes that the words of a rule name.
	mostClasses = 3
)

// mean returns the subject and the verb of a sentence that says that the outputs are means.
func (r *Response) mean(d Description) string {
	switch {
	case r.Link == softmaxLink:
		return "The score of each class of " + plain(d.Target) + " is"
	case r.Link == logitLink:
		return "The log odds of " + plain(r.Classes[1]) + " in " + plain(d.Target) + " are"
	case r.Quantiles != nil:
		return "The quantiles of " + label(d.Target, d.Unit) + " at " + r.levels() + " are each"
	case len(r.Outputs) == 1:
		return label(r.Outputs[0].Name, r.Outputs[0].Unit) + " is"
	}
	return r.names() + " are each"
}

// meaning returns a line on how the response follows from the outputs; empty if it is these.
func (r *Response) meaning(d Description) string {
	switch r.Link {
	case softmaxLink:
		return "The probability of a class is exp(score) over the sum of exp(score) of all classes: a score higher by 1 than that\n" +
			"of another class means odds of 2.7 to 1.\n"
	case logitLink:
		return fmt.Sprintf("Log odds of 0 mean that %s and %s are equally probable; +1 multiplies the odds by 2.7.\n", plain(r.Classes[1]), plain(r.Classes[0]))
	case logLink:
		return fmt.Sprintf("%s is the exponential of that: what adds 0.1 to the logarithm multiplies it by 1.105.\n", plain(d.Target))
	case orderedLink:
		return "Quantiles that cross are sorted.\n"
	}
	return ""
}

// names lists the names of the values with their units.
func (r *Response) names() string {
	names := make([]string, len(r.Values))
	for j, v := range r.Values {
		names[j] = label(v.Name, v.Unit)
	}
	return listed(names, "and")
}

// levels lists the levels of the quantiles.
func (r *Response) levels() string {
	levels := make([]string, len(r.Quantiles))
	for j, q := range r.Quantiles {
		levels[j] = percentage(q)
	}
	return listed(levels, "and")
}

// say adds to the wording of a rule of d what it says.
func (r *Response) say(w *RuleWording, d Description, rule Rule) {
	w.Then = &ThenWording{Label: label(d.Target, d.Unit)}
	var means []float64
	if rule.Local != nil {
		means = rule.Local.Response
	}
	if means != nil {
		w.Then.Says = r.summary(d, means)
	}
	shown, own := r.shown(means), r.Link == identityLink || r.Link == orderedLink
	for _, c := range shown {
		o, s := &d.of[c], rule.Outputs[c]
		var about *float64
		if own && means != nil {
			about = &means[c]
		}
		one := o.say(s, about)
		if one.Formula == nil && !own {
			one.Says, one.Formula = "", []TermText{{Product: near(s.Then.Intercept, o.spread)}}
		}
		w.Outputs = append(w.Outputs, one)
	}
	if n := len(d.of) - len(shown); n == 1 {
		w.Then.Small = "the score of 1 other class is left out"
	} else if n > 1 {
		w.Then.Small = fmt.Sprintf("the scores of %d other classes are left out", n)
	}
}

// shown returns the outputs that the words of a rule have formulas of: all, or the scores of the
// most probable classes.
func (r *Response) shown(means []float64) []int {
	if r.Link == softmaxLink && means != nil {
		return likely(means, mostClasses, leastProbability)
	}
	all := make([]int, len(r.Outputs))
	for c := range all {
		all[c] = c
	}
	return all
}

// likely returns the most probable classes in descending order: at most n, and of those below a
// probability only the first.
func likely(p []float64, most int, least float64) []int {
	all := make([]int, len(p))
	for k := range all {
		all[k] = k
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(p[b], p[a]) })
	n := 1
	for n < min(len(p), most) && p[all[n]] >= least {
		n++
	}
	return all[:n]
}

// summary returns a response in words, such as "species is versicolor (87%) or virginica (12%)".
func (r *Response) summary(d Description, values []float64) string {
	if r.Classes != nil {
		return plain(d.Target) + " is " + r.brief(values)
	}
	var said []string
	for j, v := range r.Values {
		said = append(said, plain(v.Name)+" is about "+v.amount(values[j]))
	}
	return strings.Join(said, ", ")
}

// brief returns a response without names of targets, such as "versicolor (87%) or virginica (12%)".
func (r *Response) brief(values []float64) string {
	var all []string
	if r.Classes != nil {
		for _, k := range likely(values, mostClasses, leastProbability) {
			all = append(all, fmt.Sprintf("%s (%s)", plain(r.Classes[k]), percent(values[k])))
		}
		return strings.Join(all, " or ")
	}
	for j, v := range r.Values {
		all = append(all, v.precise(values[j]))
	}
	return strings.Join(all, ", ")
}

// predicted returns a prediction in words.
func (r *Response) predicted(target string, values []float64) string {
	if r.Classes != nil || len(values) == 1 {
		return plain(target) + " is predicted to be " + r.brief(values)
	}
	var all []string
	for j, v := range r.Values {
		if r.Quantiles != nil {
			all = append(all, fmt.Sprintf("%s (%s)", v.precise(values[j]), percentage(r.Quantiles[j])))
		} else {
			all = append(all, plain(v.Name)+" "+v.precise(values[j]))
		}
	}
	if r.Quantiles != nil {
		return plain(target) + " has the predicted quantiles " + listed(all, "and")
	}
	return "the prediction is " + listed(all, "and")
}

// amount formats a mean of values, with the unit.
func (v Value) amount(x float64) string { return withUnit(near(x, v.spread), v.Unit) }

// precise formats a value with some more digits, with the unit.
func (v Value) precise(x float64) string { return withUnit(near(x, v.spread/10), v.Unit) }

func withUnit(text, unit string) string {
	if unit == "" {
		return text
	}
	return text + " " + plain(unit)
}

// percent formats a probability or a share; only those of exactly zero and one are 0% and 100%.
func percent(p float64) string {
	switch {
	case p == 0 || p == 1:
		return fmt.Sprintf("%.0f%%", 100*p)
	case p > 0.995:
		return ">99%"
	case p < 0.005:
		return "<1%"
	}
	return fmt.Sprintf("%.0f%%", 100*p)
}

// errs returns lines on the errors of the model where a rule is strongest.
func (d Description) errs(l *Local) []string {
	switch r := d.Response; {
	case l.RMSE != nil:
		return []string{"RMSE where it is strongest: " + withUnit(near(*l.RMSE, d.spread/10), d.Unit)}
	case l.Accuracy != nil:
		return []string{fmt.Sprintf("Where it is strongest, the model is right for %s of the samples", share(*l.Accuracy))}
	case l.Coverage != nil && len(r.Quantiles) > 1:
		return []string{fmt.Sprintf("Where it is strongest, %s of the samples lie between the first and the last quantile", share(*l.Coverage))}
	case l.RMSEs != nil:
		var each []string
		for c, e := range l.RMSEs {
			each = append(each, plain(r.Values[c].Name)+" "+r.Values[c].precise(e))
		}
		return []string{"RMSE where it is strongest: " + strings.Join(each, ", ")}
	}
	return nil
}

// share formats a share of samples, which is a whole percentage only if it says so.
func share(p float64) string { return digits.Show(float64(100*p), 3) + "%" }

// observed returns the targets of a sample, and what is predicted of them.
func (d Description) observed(e *Example) []string {
	switch r := d.Response; {
	case r == nil:
		v := Value{Unit: d.Unit, spread: d.spread}
		return []string{fmt.Sprintf("%s %s (predicted %s)", plain(d.Target), v.precise(e.Target), near(e.Predicted, d.spread/10))}
	case r.Classes != nil:
		k := int(e.Predicted)
		return []string{fmt.Sprintf("%s %s (predicted %s, %s)", plain(d.Target), plain(r.Classes[int(e.Target)]), plain(r.Classes[k]), percent(e.Response[k]))}
	case r.Quantiles != nil:
		var all []string
		for j, v := range e.Response {
			all = append(all, near(v, r.Values[j].spread/10))
		}
		return []string{fmt.Sprintf("%s %s (predicted %s)", plain(d.Target), r.Values[0].precise(e.Target), strings.Join(all, ", "))}
	}
	targets := e.Targets
	if targets == nil {
		targets = []float64{e.Target}
	}
	var all []string
	for c, v := range d.Response.Values {
		all = append(all, fmt.Sprintf("%s %s (predicted %s)", plain(v.Name), v.precise(targets[c]), near(e.Response[c], v.spread/10)))
	}
	return all
}

// byHand says how the response follows from the rules.
func (r *Response) byHand(d Description) string {
	text := fmt.Sprintf("%s the mean of what the rules say, weighted by %s.\n%s", r.mean(d), d.weights, r.meaning(d))
	if r.Link == logitLink {
		text += fmt.Sprintf("The probability of %s is 1 / (1 + exp(-log odds)).\n", plain(r.Classes[1]))
	}
	for _, v := range r.Values {
		what := plain(v.Name)
		if r.Classes != nil {
			what = "the probability of " + what
		} else if limits := limits(d, v.low, v.high); limits != "" {
			text += fmt.Sprintf("%s is%s.\n", what, strings.TrimPrefix(limits, ","))
		}
		text += fmt.Sprintf("Where no rule fires, %s is %s.\n", what, d.figure(v.uncovered))
	}
	return text
}
