package words

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
)

// newResponse returns the response of a model without its Outputs.
func newResponse(m *model.Model) *Response {
	r := &Response{target: m.Schema.Target, unit: m.Schema.TargetUnit, Link: m.Link(), Quantiles: m.Response.Quantiles,
		Classes: m.Schema.Classes}
	for _, v := range m.Values() {
		low, high := v.Limits()
		spread := (v.Max - v.Min) / 4
		if r.Link == "log" { // most values of rare counts are far below the largest
			spread = min(spread, v.Mean)
		}
		one := Value{v.Short, v.Unit, spread, v.Uncovered, low, high}
		if v.Level != 0 {
			one.Name = v.Title
		}
		r.Values = append(r.Values, one)
	}
	one := numberPhrases{r}
	r.phrases = map[string]phrases{"number": one, "targets": targetPhrases{one}, "quantiles": quantilePhrases{one},
		"count": countPhrases{one}, "classes": classPhrases{one}, "two classes": twoClassPhrases{classPhrases{one}}}[m.Words().Kind]
	return r
}

// IsZero reports whether the response is one number, the output of the rules itself, which JSON leaves out.
func (r *Response) IsZero() bool { return r.phrases == phrases(numberPhrases{r}) }

const (
	// leastProbability is that of a class that is worth words.
	leastProbability = 0.05

	// mostClasses is the number of classes that the words of a rule name.
	mostClasses = 3
)

// numberPhrases say one number, the mean of what the rules say.
type numberPhrases struct{ *Response }

func (r numberPhrases) mean() string      { return label(r.target, r.unit) + " is" }
func (r numberPhrases) meaning() string   { return "" }
func (r numberPhrases) own() bool         { return true }
func (r numberPhrases) committee() string { return "predictions" }

// shown are all outputs.
func (r numberPhrases) shown([]float64) []int {
	all := make([]int, len(r.Outputs))
	for c := range all {
		all[c] = c
	}
	return all
}

func (r numberPhrases) byHand(weights string, figure func(float64) string) string {
	v := r.Values[0]
	return fmt.Sprintf("%s is the mean of what the rules say, weighted by %s%s; where no rule fires it is %s.\n",
		plain(r.target), weights, v.limitsText(figure), figure(v.uncovered))
}

func (r numberPhrases) summary(values []float64) string {
	return r.list(", ", func(j int, v Value) string { return plain(v.Name) + " is about " + v.amount(values[j]) })
}

func (r numberPhrases) brief(values []float64) string {
	return r.list(", ", func(j int, v Value) string { return v.precise(values[j]) })
}

func (r numberPhrases) predicted(values []float64) string {
	return plain(r.target) + " is predicted to be " + r.phrases.brief(values)
}

func (r numberPhrases) observed(e *Example) []string {
	return []string{r.Values[0].observed(e.Target, e.Predicted)}
}

func (r numberPhrases) judge(p model.Predictions, samples *data.Dataset, n int) []float64 {
	all := p.All()
	errors := []float64{all[0][n] - samples.Y[n]}
	for c, other := range samples.Others {
		errors = append(errors, all[c+1][n]-other[n])
	}
	return errors
}

func (r numberPhrases) found(l *Local, errors []float64) { l.RMSE = numeric.OrNil(errors[0]) }

// countPhrases say counts or costs, the exponential of the mean of what the rules say.
type countPhrases struct{ numberPhrases }

func (r countPhrases) own() bool    { return false }
func (r countPhrases) mean() string { return label(r.Outputs[0].Name, r.Outputs[0].Unit) + " is" }

func (r countPhrases) meaning() string {
	return fmt.Sprintf("%s is the exponential of that: what adds 0.1 to the logarithm multiplies it by 1.105.\n", plain(r.target))
}

func (r countPhrases) byHand(weights string, figure func(float64) string) string {
	return r.byValues(weights, figure, "")
}

// byValues says how the values follow from the rules, each with its limits; what comes before their names.
func (r *Response) byValues(weights string, figure func(float64) string, what string) string {
	text := fmt.Sprintf("%s the mean of what the rules say, weighted by %s.\n%s", r.mean(), weights, r.meaning())
	for _, v := range r.Values {
		if limits := v.limitsText(figure); limits != "" && what == "" {
			text += fmt.Sprintf("%s is%s.\n", plain(v.Name), strings.TrimPrefix(limits, ","))
		}
		text += fmt.Sprintf("Where no rule fires, %s is %s.\n", what+plain(v.Name), figure(v.uncovered))
	}
	return text
}

// limitsText returns the limits of predictions, such as ", at least 0, at most 10"; empty without.
func (v Value) limitsText(figure func(float64) string) string {
	text := ""
	if !math.IsInf(v.low, 0) {
		text += ", at least " + figure(v.low)
	}
	if !math.IsInf(v.high, 0) {
		text += ", at most " + figure(v.high)
	}
	return text
}

// targetPhrases say several targets.
type targetPhrases struct{ numberPhrases }

func (r targetPhrases) mean() string {
	return r.list("and", func(_ int, v Value) string { return label(v.Name, v.Unit) }) + " are each"
}

func (r targetPhrases) byHand(weights string, figure func(float64) string) string {
	return r.byValues(weights, figure, "")
}

func (r targetPhrases) predicted(values []float64) string {
	return "the prediction is " + r.list("and", func(j int, v Value) string { return plain(v.Name) + " " + v.precise(values[j]) })
}

func (r targetPhrases) observed(e *Example) []string {
	var all []string
	for c, v := range r.Values {
		all = append(all, v.observed(e.Targets[c], e.Response[c]))
	}
	return all
}

func (r targetPhrases) found(l *Local, errors []float64) { l.RMSEs = errors }

// quantilePhrases say quantiles of the target.
type quantilePhrases struct{ numberPhrases }

func (r quantilePhrases) mean() string {
	return "The quantiles of " + label(r.target, r.unit) + " at " +
		r.list("and", func(j int, _ Value) string { return percentage(r.Quantiles[j]) }) + " are each"
}

func (r quantilePhrases) meaning() string { return "Quantiles that cross are sorted.\n" }

func (r quantilePhrases) byHand(weights string, figure func(float64) string) string {
	return r.byValues(weights, figure, "")
}

func (r quantilePhrases) predicted(values []float64) string {
	if len(values) == 1 {
		return r.numberPhrases.predicted(values)
	}
	return plain(r.target) + " has the predicted quantiles " +
		r.list("and", func(j int, v Value) string {
			return fmt.Sprintf("%s (%s)", v.precise(values[j]), percentage(r.Quantiles[j]))
		})
}

func (r quantilePhrases) observed(e *Example) []string {
	return []string{fmt.Sprintf("%s %s (predicted %s)", plain(r.target), r.Values[0].precise(e.Target),
		r.list(", ", func(j int, v Value) string { return near(e.Response[j], v.spread/10) }))}
}

func (r quantilePhrases) judge(p model.Predictions, samples *data.Dataset, n int) []float64 {
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

func (r quantilePhrases) found(l *Local, errors []float64) {
	l.Coverage = numeric.OrNil(1 - float64(errors[0]*errors[0]))
}

// classPhrases say the probabilities of classes, by scores.
type classPhrases struct{ numberPhrases }

func (r classPhrases) own() bool         { return false }
func (r classPhrases) committee() string { return "probabilities of the classes" }
func (r classPhrases) mean() string      { return "The score of each class of " + plain(r.target) + " is" }

func (r classPhrases) meaning() string {
	return "The probability of a class is exp(score) over the sum of exp(score) of all classes: a score higher by 1 than that\n" +
		"of another class means odds of 2.7 to 1.\n"
}

func (r classPhrases) byHand(weights string, figure func(float64) string) string {
	return r.byValues(weights, figure, "the probability of ")
}

// shown are the scores of the most probable classes.
func (r classPhrases) shown(means []float64) []int {
	if means == nil {
		return r.numberPhrases.shown(nil)
	}
	return likely(means, mostClasses, leastProbability)
}

func (r classPhrases) summary(values []float64) string {
	return plain(r.target) + " is " + r.brief(values)
}

func (r classPhrases) brief(values []float64) string {
	var all []string
	for _, k := range likely(values, mostClasses, leastProbability) {
		all = append(all, fmt.Sprintf("%s (%s)", plain(r.Classes[k]), percent(values[k])))
	}
	return strings.Join(all, " or ")
}

func (r classPhrases) observed(e *Example) []string {
	k := int(e.Predicted)
	return []string{fmt.Sprintf("%s %s (predicted %s, %s)", plain(r.target), plain(r.Classes[int(e.Target)]),
		plain(r.Classes[k]), percent(e.Response[k]))}
}

func (r classPhrases) judge(p model.Predictions, samples *data.Dataset, n int) []float64 {
	return missed(p.Values[n] != samples.Y[n])
}

func (r classPhrases) found(l *Local, errors []float64) {
	l.Accuracy = numeric.OrNil(1 - float64(errors[0]*errors[0]))
}

// twoClassPhrases say the probabilities of two classes, by the log odds of the second.
type twoClassPhrases struct{ classPhrases }

func (r twoClassPhrases) shown([]float64) []int { return []int{0} }

func (r twoClassPhrases) mean() string {
	return "The log odds of " + plain(r.Classes[1]) + " in " + plain(r.target) + " are"
}

func (r twoClassPhrases) meaning() string {
	return fmt.Sprintf("Log odds of 0 mean that %s and %s are equally probable; +1 multiplies the odds by 2.7.\n",
		plain(r.Classes[1]), plain(r.Classes[0]))
}

func (r twoClassPhrases) byHand(weights string, figure func(float64) string) string {
	return r.classPhrases.byHand(weights, figure) + fmt.Sprintf("The probability of %s is 1 / (1 + exp(-log odds)).\n", plain(r.Classes[1]))
}

// likely returns the most probable classes in descending order: at most n, and of those below a probability only the first.
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
