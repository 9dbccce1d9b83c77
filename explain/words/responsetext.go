package words

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
)

const (
	// leastProbability is that of a class that is worth words.
	leastProbability = 0.05

	// mostClasses is the number of classes that the words of a rule name.
	mostClasses = 3
)

// oneNumber is one number, the mean of what the rules say.
type oneNumber struct{ *Response }

func (r oneNumber) mean(d Description) string  { return label(d.Target, d.Unit) + " is" }
func (r oneNumber) meaning(Description) string { return "" }
func (r oneNumber) own() bool                  { return true }
func (r oneNumber) committee() string          { return "predictions" }

// shown are all outputs.
func (r oneNumber) shown([]float64) []int {
	all := make([]int, len(r.Outputs))
	for c := range all {
		all[c] = c
	}
	return all
}

func (r oneNumber) byHand(d Description) string {
	return fmt.Sprintf("%s is the mean of what the rules say, weighted by %s%s; where no rule fires it is %s.\n",
		plain(d.Target), d.weights, limits(d, d.low, d.high), d.figure(d.mean))
}

func (r oneNumber) summary(values []float64) string {
	var said []string
	for j, v := range r.Values {
		said = append(said, plain(v.Name)+" is about "+v.amount(values[j]))
	}
	return strings.Join(said, ", ")
}

func (r oneNumber) brief(values []float64) string {
	var all []string
	for j, v := range r.Values {
		all = append(all, v.precise(values[j]))
	}
	return strings.Join(all, ", ")
}

func (r oneNumber) predicted(values []float64) string {
	return plain(r.target) + " is predicted to be " + r.brief(values)
}

func (r oneNumber) observed(_ Description, e *Example) []string {
	return []string{r.Values[0].observed(e.Target, e.Predicted)}
}

func (r oneNumber) judge(p model.Predictions, samples *data.Dataset, n int) []float64 {
	return []float64{p.Values[n] - samples.Y[n]}
}

func (r oneNumber) found(l *Local, errors []float64) { l.RMSE = numeric.OrNil(errors[0]) }

// counts are counts or costs, the exponential of the mean of what the rules say.
type counts struct{ oneNumber }

func (r counts) own() bool { return false }

func (r counts) mean(Description) string {
	return label(r.Outputs[0].Name, r.Outputs[0].Unit) + " is"
}

func (r counts) meaning(d Description) string {
	return fmt.Sprintf("%s is the exponential of that: what adds 0.1 to the logarithm multiplies it by 1.105.\n", plain(d.Target))
}

func (r counts) byHand(d Description) string { return r.byValues(d, r, "") }

// byValues says how the values follow from the rules, each with its limits; what comes before their names.
func (r *Response) byValues(d Description, of phrases, what string) string {
	text := fmt.Sprintf("%s the mean of what the rules say, weighted by %s.\n%s", of.mean(d), d.weights, of.meaning(d))
	for _, v := range r.Values {
		if limits := limits(d, v.low, v.high); limits != "" && what == "" {
			text += fmt.Sprintf("%s is%s.\n", plain(v.Name), strings.TrimPrefix(limits, ","))
		}
		text += fmt.Sprintf("Where no rule fires, %s is %s.\n", what+plain(v.Name), d.figure(v.uncovered))
	}
	return text
}

// targets are several targets.
type targets struct{ oneNumber }

func (r targets) mean(Description) string {
	names := make([]string, len(r.Values))
	for j, v := range r.Values {
		names[j] = label(v.Name, v.Unit)
	}
	return listed(names, "and") + " are each"
}

func (r targets) byHand(d Description) string { return r.byValues(d, r, "") }

func (r targets) predicted(values []float64) string {
	var all []string
	for j, v := range r.Values {
		all = append(all, plain(v.Name)+" "+v.precise(values[j]))
	}
	return "the prediction is " + listed(all, "and")
}

func (r targets) observed(_ Description, e *Example) []string {
	var all []string
	for c, v := range r.Values {
		all = append(all, v.observed(e.Targets[c], e.Response[c]))
	}
	return all
}

func (r targets) judge(p model.Predictions, samples *data.Dataset, n int) []float64 {
	errors := []float64{p.Outputs[0][n] - samples.Y[n]}
	for c, other := range samples.Others {
		errors = append(errors, p.Outputs[c+1][n]-other[n])
	}
	return errors
}

func (r targets) found(l *Local, errors []float64) { l.RMSEs = errors }

// quantiles are quantiles of the target.
type quantiles struct{ oneNumber }

func (r quantiles) mean(d Description) string {
	levels := make([]string, len(r.Quantiles))
	for j, q := range r.Quantiles {
		levels[j] = percentage(q)
	}
	return "The quantiles of " + label(d.Target, d.Unit) + " at " + listed(levels, "and") + " are each"
}

func (r quantiles) meaning(Description) string { return "Quantiles that cross are sorted.\n" }

func (r quantiles) byHand(d Description) string { return r.byValues(d, r, "") }

func (r quantiles) predicted(values []float64) string {
	if len(values) == 1 {
		return r.oneNumber.predicted(values)
	}
	var all []string
	for j, v := range r.Values {
		all = append(all, fmt.Sprintf("%s (%s)", v.precise(values[j]), percentage(r.Quantiles[j])))
	}
	return plain(r.target) + " has the predicted quantiles " + listed(all, "and")
}

func (r quantiles) observed(d Description, e *Example) []string {
	var all []string
	for j, v := range e.Response {
		all = append(all, near(v, r.Values[j].spread/10))
	}
	return []string{fmt.Sprintf("%s %s (predicted %s)", plain(d.Target), r.Values[0].precise(e.Target), strings.Join(all, ", "))}
}

func (r quantiles) judge(p model.Predictions, samples *data.Dataset, n int) []float64 {
	all, y := p.All(), samples.Y[n]
	return missed(y < all[0][n] || y > all[len(all)-1][n])
}

// missed returns an error of one or zero.
func missed(is bool) []float64 {
	if is {
		return []float64{1}
	}
	return []float64{0}
}

func (r quantiles) found(l *Local, errors []float64) {
	l.Coverage = numeric.OrNil(1 - float64(errors[0]*errors[0]))
}

// classes are the probabilities of classes, by scores.
type classes struct{ oneNumber }

func (r classes) own() bool         { return false }
func (r classes) committee() string { return "probabilities of the classes" }

func (r classes) mean(d Description) string {
	return "The score of each class of " + plain(d.Target) + " is"
}

func (r classes) meaning(Description) string {
	return "The probability of a class is exp(score) over the sum of exp(score) of all classes: a score higher by 1 than that\n" +
		"of another class means odds of 2.7 to 1.\n"
}

func (r classes) byHand(d Description) string { return r.byValues(d, r, "the probability of ") }

// shown are the scores of the most probable classes.
func (r classes) shown(means []float64) []int {
	if means == nil {
		return r.oneNumber.shown(nil)
	}
	return likely(means, mostClasses, leastProbability)
}

func (r classes) summary(values []float64) string { return plain(r.target) + " is " + r.brief(values) }

func (r classes) brief(values []float64) string {
	var all []string
	for _, k := range likely(values, mostClasses, leastProbability) {
		all = append(all, fmt.Sprintf("%s (%s)", plain(r.Classes[k]), percent(values[k])))
	}
	return strings.Join(all, " or ")
}

func (r classes) predicted(values []float64) string {
	return plain(r.target) + " is predicted to be " + r.brief(values)
}

func (r classes) observed(d Description, e *Example) []string {
	k := int(e.Predicted)
	return []string{fmt.Sprintf("%s %s (predicted %s, %s)", plain(d.Target), plain(r.Classes[int(e.Target)]),
		plain(r.Classes[k]), percent(e.Response[k]))}
}

func (r classes) judge(p model.Predictions, samples *data.Dataset, n int) []float64 {
	return missed(p.Values[n] != samples.Y[n])
}

func (r classes) found(l *Local, errors []float64) {
	l.Accuracy = numeric.OrNil(1 - float64(errors[0]*errors[0]))
}

// twoClasses are the probabilities of two classes, by the log odds of the second.
type twoClasses struct{ classes }

func (r twoClasses) shown([]float64) []int { return []int{0} }

func (r twoClasses) mean(d Description) string {
	return "The log odds of " + plain(r.Classes[1]) + " in " + plain(d.Target) + " are"
}

func (r twoClasses) meaning(Description) string {
	return fmt.Sprintf("Log odds of 0 mean that %s and %s are equally probable; +1 multiplies the odds by 2.7.\n",
		plain(r.Classes[1]), plain(r.Classes[0]))
}

func (r twoClasses) byHand(d Description) string {
	return r.byValues(d, r, "the probability of ") + fmt.Sprintf("The probability of %s is 1 / (1 + exp(-log odds)).\n", plain(r.Classes[1]))
}

// say adds to the wording of a rule of d what it says.
func (r *Response) say(w *RuleWording, d Description, rule Rule) {
	w.Then = &ThenWording{Label: label(d.Target, d.Unit)}
	var means []float64
	if rule.Local != nil {
		means = rule.Local.Response
	}
	if means != nil {
		w.Then.Says = r.summary(means)
	}
	shown := r.shown(means)
	for _, c := range shown {
		o, s := &d.of[c], rule.Outputs[c]
		var about *float64
		if r.own() && means != nil {
			about = &means[c]
		}
		one := o.say(s, about)
		if one.Formula == nil && !r.own() {
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

// observed returns what was observed of a value, and what is predicted.
func (v Value) observed(target, predicted float64) string {
	return fmt.Sprintf("%s %s (predicted %s)", plain(v.Name), v.precise(target), near(predicted, v.spread/10))
}

// errs returns lines on the errors of the model where a rule is strongest.
func (d Description) errs(l *Local) []string {
	switch r := d.Response; {
	case l.RMSE != nil:
		return []string{"RMSE where it is strongest: " + withUnit(near(*l.RMSE, d.spread/10), d.Unit)}
	case l.Accuracy != nil:
		return []string{fmt.Sprintf("Where it is strongest, the model is right for %s of the samples", share(*l.Accuracy))}
	case l.Coverage != nil && len(r.Values) > 1:
		return []string{fmt.Sprintf("Where it is strongest, %s of the samples lie between the first and the last quantile", share(*l.Coverage))}
	}
	var each []string
	for c, e := range l.RMSEs {
		each = append(each, plain(d.Response.Values[c].Name)+" "+d.Response.Values[c].precise(e))
	}
	if each == nil {
		return nil
	}
	return []string{"RMSE where it is strongest: " + strings.Join(each, ", ")}
}

// share formats a share of samples, which is a whole percentage only if it says so.
func share(p float64) string { return numeric.Show(float64(100*p), 3) + "%" }
