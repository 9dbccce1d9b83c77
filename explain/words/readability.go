package words

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
)

// Readability says, in sentences, whether the rules of a model can be read one by one.
type Readability struct {
	On     string     `json:"on"`               // the rows measured, such as "the test part"
	IdleOn string     `json:"idle_on"`          // the rows on which idle rules are counted
	Preset string     `json:"preset,omitempty"` // that the model was trained with; empty if unknown
	Page   *Partition `json:"page,omitempty"`   // of a model with a page, whose figures follow from it; nil: of another model
	model.Readability
}

// Partition says how the rules of a page share the rows, and how much there is to read.
type Partition struct {
	Members int  `json:"members,omitempty"` // of a committee, each a page or several, which predicts their mean; 0: a single model
	Outputs int  `json:"outputs,omitempty"` // of several, with a page each
	Numbers int  `json:"numbers"`           // see [page.Page.Numbers]; of a committee those of all members
	Ramps   bool `json:"ramps,omitempty"`   // between the ends of a ramp, several rules hold in proportion

	Price *Price `json:"price,omitempty"` // nil: unknown
}

// Price is what a page errs beside other models of the same rows.
type Price struct {
	Run   string   `json:"run,omitempty"` // without a page, with which it is compared; empty: none
	Lines []string `json:"lines"`         // what it says, a sentence each
}

// lines returns the sentences; none for nil.
func (p *Price) lines() []string {
	if p == nil {
		return nil
	}
	return p.Lines
}

// Subject is the beginning of a sentence on what the page errs, with its verb.
func (p *Partition) Subject() string {
	if p.Members > 0 {
		return fmt.Sprintf("the mean of these %d pages, of %s, errs", p.pages(), p.size())
	}
	if p.Outputs > 0 {
		return fmt.Sprintf("the model of these %d pages, of %s, errs", p.pages(), p.size())
	}
	return fmt.Sprintf("this page of %s errs", p.size())
}

// pages is the number of pages.
func (p *Partition) pages() int { return max(1, p.Members) * max(1, p.Outputs) }

// size is how much there is to read.
func (p *Partition) size() string { return numeric.Counted(p.Numbers, "number") }

// partitionOf returns the partition of a model; nil if it, or a member of it, has no page.
func partitionOf(m *model.Model) *Partition {
	p := &Partition{Members: len(m.Members)}
	if p.Outputs = m.OutputCount(); p.Outputs == 1 {
		p.Outputs = 0
	}
	for _, one := range append([]*model.Model{m}, m.Members...) {
		switch {
		case one.Committee():
		case one.Pages == nil:
			return nil
		default:
			for _, pg := range one.Pages {
				p.Numbers += pg.Numbers()
				p.Ramps = p.Ramps || pg.Ramped()
			}
		}
	}
	return p
}

// String returns the partition in two sentences, and the price.
func (p *Partition) String() string {
	text := "Of every row exactly one IF holds"
	if p.pages() > 1 {
		text = fmt.Sprintf("Of every row exactly one IF holds on each of %d pages", p.pages())
	}
	if p.Ramps {
		text += ", or, between the ends of a ramp, several in shares that sum to one"
	}
	there := "There are"
	if p.Numbers == 1 {
		there = "There is"
	}
	how := ": what is printed is what is computed."
	if p.Members > 0 {
		how = ", and the prediction is the mean of their values."
	}
	return strings.Join(append([]string{fmt.Sprintf("%s%s %s %s to read.", text, how, there, p.size())}, p.Price.lines()...), "\n")
}

// Part is a data set with its name in sentences, such as "the test part".
type Part struct {
	Name string
	*data.Dataset
}

// rows names the rows of the part that are measured: those of the sample if it has a Whole.
func (p Part) rows() string {
	if p.Dataset == nil || p.Whole == nil {
		return p.Name
	}
	return fmt.Sprintf("a sample of %d rows of %s", p.Len(), p.Name)
}

// Measure measures the rules of a model on the first part that exists, the last of which is the training part, where idle rules are
// counted; of parts with a Whole, on the samples. Its errors are those of [model.MeasureReadability].
func Measure(ctx context.Context, m *model.Model, held, training Part) (*Readability, error) {
	if held.Dataset == nil {
		held = training
	}
	idle := training
	if training.Dataset == nil {
		idle = held
	}
	r, err := model.MeasureReadability(ctx, m, held.Dataset, training.Dataset)
	return &Readability{On: held.rows(), IdleOn: idle.rows(), Page: partitionOf(m), Readability: r}, err
}

// preset is the preset whose rules can be read one by one.
const preset = "readable"

// Remark returns a warning that the rules cannot be read one by one, with the reasons, and names the preset that trains rules that can be
// or, of a model of that preset, the key that makes them truer; empty if they can be or r is nil.
func (r *Readability) Remark() string {
	if r == nil || r.Page != nil || r.Readable() {
		return ""
	}
	var reasons []string
	if r.Fidelity == nil || *r.Fidelity > model.MaxFidelity {
		reasons = append(reasons, "alone, the strongest "+r.errs())
	}
	if r.Idle > 0 {
		reasons = append(reasons, r.of(r.Idle)+" never "+thirdPerson(r.count(r.Idle), "decide")+r.ties(" (on ", ")"))
	}
	if r.OutOfRange > 0 {
		reasons = append(reasons, r.of(r.OutOfRange)+" "+thirdPerson(r.count(r.OutOfRange), "say")+" what the target never is in training")
	}
	text := "Do not read these rules one by one: " + strings.Join(reasons, ", ")
	switch {
	case r.Preset != preset:
		text += "; preset: " + preset + " trains rules that can be"
	case r.Fidelity != nil && *r.Fidelity > model.MaxFidelity:
		text += "; a lower train.fidelity, such as 1.05, prefers settings whose rules are truer"
	}
	return text + "."
}

// Lines returns the four figures, a sentence each, and the number of rows left out; of a page the partition.
func (r *Readability) Lines() []string {
	if r.Page != nil {
		return strings.Split(r.Page.String(), "\n")
	}
	lines := []string{
		fmt.Sprintf("Read alone, the strongest rule %s%s on %s.", r.agrees(), r.errs(), r.On),
		r.disagreement(),
	}
	if r.Members > 0 {
		lines[0] = fmt.Sprintf("Read alone, the strongest rule of a member %s on %s (mean of %d members).",
			strings.ReplaceAll(r.agrees()+r.errs(), "the model", "that member"), r.On, r.Members)
	}
	if r.Idle == 0 {
		lines = append(lines, "Every rule decides: it is strongest for some row of "+r.IdleOn+"."+r.ties(" On ", "."))
	} else {
		n, strongest := r.count(r.Idle), "strongest"
		if r.Tied > 0 {
			strongest = "alone the strongest"
		}
		lines = append(lines, fmt.Sprintf("%s never %s: %s for no row of %s.%s", r.of(r.Idle), thirdPerson(n, "decide"), strongest, r.IdleOn,
			r.ties(" On ", ".")))
	}
	switch {
	case r.Agreement != nil: // probabilities are never out of range
	case r.OutOfRange == 0:
		lines = append(lines, "Every rule says, on average, "+r.aValue("within")+" in training.")
	default:
		lines = append(lines, fmt.Sprintf("%s %s, on average, %s in training.", r.of(r.OutOfRange), thirdPerson(r.count(r.OutOfRange), "say"),
			r.aValue("outside")))
	}
	if r.Uncovered > 0 {
		lines = append(lines, fmt.Sprintf("Left out: %d rows that no rule covers.", r.Uncovered))
	}
	return lines
}

// ties says, between two texts, on which rows no rule decides since several fire equally; nothing if there are none, or
// if they are below 1% and every rule decides.
func (r *Readability) ties(before, after string) string {
	rows := shareText(r.Tied) + " of the rows"
	switch {
	case r.Tied == 0 || r.Tied < 0.01 && r.Idle == 0:
		return ""
	case r.Tied == 1:
		rows = "every row"
	}
	return before + rows + " several rules fire equally, to rounding" + after
}

// String returns the sentences, a line each.
func (r *Readability) String() string { return strings.Join(r.Lines(), "\n") }

// agrees says, of classes, how often the strongest rule's class is the model's.
func (r *Readability) agrees() string {
	if r.Agreement == nil {
		return ""
	}
	return fmt.Sprintf("gives the model's class on %s of the rows and ", shareText(*r.Agreement))
}

// errs says how much more the strongest rule errs than the model, of classes in log loss.
func (r *Readability) errs() string {
	if r.Agreement != nil {
		return r.loss() + " in log loss"
	}
	return r.loss()
}

// loss says how much more the strongest rule errs than the model.
func (r *Readability) loss() string {
	switch {
	case r.Fidelity == nil && r.Samples == r.Uncovered:
		return "cannot be compared with the model: no row is covered"
	case r.Fidelity == nil:
		return "errs beyond all numbers"
	}
	return "errs " + Than(*r.Fidelity) + " the model"
}

func (r *Readability) disagreement() string {
	if r.Disagreement == nil {
		is := "is"
		if r.Targets > 1 {
			is = "are"
		}
		return "How far the rules disagree cannot be measured: the " + r.targets() + " " + is + " constant there, or the values are not finite."
	}
	if r.Agreement != nil {
		return "Where they fire, the probabilities of rules differ from the model's by " + inDeviations(*r.Disagreement) + " of the classes."
	}
	return "Where they fire, rules differ from the prediction by " + inDeviations(*r.Disagreement) + " of the " + r.targets() + "."
}

// inDeviations formats a number of standard deviations.
func inDeviations(v float64) string {
	switch text := numeric.Show(v, 2); {
	case v < 0.001:
		return "less than 0.001 standard deviations"
	case text == "1":
		return "one standard deviation"
	default:
		return text + " standard deviations"
	}
}

// targets returns "target", or "targets" if there are several.
func (r *Readability) targets() string {
	if r.Targets > 1 {
		return "targets"
	}
	return "target"
}

// aValue says that what rules say lies within or outside the range of the target; of several targets, that all values lie
// within theirs, or some outside.
func (r *Readability) aValue(where string) string {
	switch {
	case r.Targets <= 1:
		return "a value " + where + " the target's range"
	case where == "within":
		return "values within the targets' ranges"
	}
	return "a value outside its target's range"
}

// count returns the number of rules of a share.
func (r *Readability) count(share float64) int { return int(math.Round(share * float64(r.Rules))) }

// of returns a share of the rules, such as "7 of 8 rules".
func (r *Readability) of(share float64) string {
	rules := "rules"
	if r.Rules == 1 {
		rules = "rule"
	}
	return fmt.Sprintf("%d of %d %s", r.count(share), r.Rules, rules)
}

// Twins says, in a sentence, how many rows of a data set have a twin in the training part, a row with the same features, and how
// a model errs on the others: one that has memorised them errs less on them than on new rows.
type Twins struct {
	On      string         `json:"on"`                // the rows measured, such as "the test part"
	Rows    int            `json:"rows"`              // number of them
	Sampled bool           `json:"sampled,omitempty"` // compared with a sample of the training part: more rows may have a twin
	RMSE    float64        `json:"rmse"`              // of all rows measured
	Samples int            `json:"samples"`           // that have a twin
	Without *model.Metrics `json:"without,omitempty"` // errors on the other samples; nil if there are none

	Metric string  `json:"-"` // name of the criterion of the model, see model.Criterion
	Loss   float64 `json:"-"` // its figure of all rows
}

// MeasureTwins measures the twins of a part, see [data.Twins], given the errors on all of it; nil if there are none, or if the part
// or the training part does not exist. Missing values are filled in first, see [model.Preprocessing.Fill], and samples of
// weight zero are ignored. Of parts with a Whole it compares the samples. Its errors are those of [model.Model.Evaluate], for either part.
func MeasureTwins(ctx context.Context, m *model.Model, part, training Part, all model.Metrics) (*Twins, error) {
	if part.Dataset == nil || training.Dataset == nil {
		return nil, nil
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	d, err := filled(m, part.Dataset)
	if err != nil {
		return nil, err
	}
	train, err := filled(m, training.Dataset)
	if err != nil {
		return nil, err
	}
	var others []int
	for i, twin := range data.Twins(d, train) {
		if !twin {
			others = append(others, i)
		}
	}
	if len(others) == d.Len() {
		return nil, nil
	}
	t := &Twins{On: part.Name, Samples: d.Len() - len(others), Sampled: training.Whole != nil || training.Len() <= m.Training.Sample,
		Metric: m.Criterion().Name}
	if len(others) > 0 {
		without, err := m.Evaluate(ctx, d.Subset(others))
		if err != nil {
			return nil, err
		}
		t.Without = &without
	}
	if part.Whole != nil {
		t.On = "a sample of " + t.On
		if all, err = m.Evaluate(ctx, part.WithoutWhole()); err != nil {
			return nil, err
		}
	}
	t.Rows, t.RMSE, t.Loss = all.Samples, all.RMSE, all.Loss
	return t, nil
}

// filled returns the samples with a weight, and means for missing values.
func filled(m *model.Model, d *data.Dataset) (*data.Dataset, error) {
	if err := m.CheckFeatures(d); err != nil {
		return nil, err
	}
	weighed, err := d.Weighed()
	if err != nil {
		return nil, err
	}
	return m.Fill(weighed), nil
}

// TwinsAdvice tells what to do about twins in a table that is split into parts.
const TwinsAdvice = "If they are copies, remove them, or name the column that they share (data.group)."

// String returns a sentence.
func (t *Twins) String() string {
	twin := "a training row"
	if t.Sampled {
		twin = "a row of a sample of the training part"
	}
	if t.Without == nil {
		return fmt.Sprintf("Each row of %s (%d in all) has the features of %s: no row shows how the model predicts new ones.", t.On, t.Rows, twin)
	}
	which := fmt.Sprintf("%d of %d rows of %s have", t.Samples, t.Rows, t.On)
	if t.Samples == 1 {
		which = fmt.Sprintf("1 of %d rows of %s has", t.Rows, t.On)
	}
	return fmt.Sprintf("%s the features of %s: %s %s without, %s with.",
		which, twin, t.Metric, numeric.Grouped(numeric.Show(t.Without.Loss, 5)),
		numeric.Grouped(numeric.Show(t.Loss, 5)))
}
