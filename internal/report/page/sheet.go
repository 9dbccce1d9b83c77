package page

import (
	"errors"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/page"
)

// sheet is one page of paper on a model, for people who do not know what rules of this kind are.
type sheet struct {
	Question, Answer string
	Rules            []sheetRule
	Cut              string // how many rules are left out; empty if none is
	Pictures         []drawing
	Trust, Not       []string // how far to trust it, and when not to
	Run              string
}

// ErrNoSheet says why there is no sheet about a model.
var ErrNoSheet = errors.New("no sheet")

// WriteSheet writes one page of paper, for people who do not know what rules of this kind are: the question, the rules in sentences, three
// pictures, and how far to trust the model. The error of a model that has no sheet is an ErrNoSheet.
func (p *Page) WriteSheet(w io.Writer) error {
	v, err := p.view()
	if err != nil {
		return err
	}
	if v.Sheet == nil {
		return fmt.Errorf("%w: %s", ErrNoSheet, v.NoSheet)
	}
	return layouts().ExecuteTemplate(w, "sheetpage", v)
}

// whyNoSheet says why a model has no sheet; empty if it has one.
func whyNoSheet(v *view) string {
	switch {
	case v.Model.Committee():
		return "the model is a committee, whose members have rules of their own, and a sheet is about the rules of one model: " +
			"train with train.members 1"
	case v.Model.Components != nil:
		return "the rules are about principal components, which have no words: train with data.pca 0"
	case len(v.Model.Schema.Targets()) > 1:
		return "the model has several targets: a sheet is about one; train with data.target naming one of them"
	case v.RuleSets == nil || !v.RuleSets[0].worded():
		return "the rules cannot be described in words"
	}
	return ""
}

// newSheet returns the sheet of a model that has one.
func newSheet(v *view) (*sheet, error) {
	part := v.in.Data
	if v.in.Train != nil {
		part = *v.in.Train
	}
	of, err := newDecisions(v.Model, part.Dataset)
	if err != nil {
		return nil, err
	}
	s := &sheet{Question: v.asks(), Answer: v.answers(part), Run: v.Run}
	if s.Pictures, err = v.drawings(); err != nil {
		return nil, err
	}
	if s.Trust, err = v.trust(); err != nil {
		return nil, err
	}
	for n := mostRanges; n > 1 && (s.Not == nil || s.room() < leastLines); n-- {
		s.Not = v.not(of, n)
	}
	s.Rules, s.Cut, err = newSheetRules(v, of, part, s.room())
	return s, err
}

// Room on the sheet, in lines of text, and letters in a line of it; those of a wide font.
const (
	allLines                              = 60.0
	leastLines                            = 35.0 // beside the pictures
	wideLetters, ruleLetters, halfLetters = 100, 57, 44
)

// room returns the lines that are left for the rules.
func (s *sheet) room() float64 {
	halves := max(linesOf(halfLetters, s.Trust...), linesOf(halfLetters, s.Not...))
	return allLines - 2*linesOf(60, s.Question) - linesOf(wideLetters, s.Answer) - 1 - halves
}

// linesOf returns the lines that texts need, with the space between them.
func linesOf(letters int, texts ...string) (n float64) {
	for _, text := range texts {
		n += 0.3 + math.Ceil(float64(len([]rune(text)))/float64(letters))
	}
	return n
}

// brief shortens a name of the table.
func brief(name string) string { return cutTo(name, 24) }

// asks returns the question that the model answers.
func (v *view) asks() string {
	if c := v.Model.Schema.Classes; c != nil {
		return fmt.Sprintf("Which %s is it: %s?", brief(v.Target), list(briefly(c)))
	}
	return fmt.Sprintf("How large is %s?", label(cutTo(v.Target, 60), v.Unit))
}

// acting returns the importance of the columns that are not idle.
func (v *view) acting() []Importance {
	return slices.DeleteFunc(slices.Clone(v.Importance), func(i Importance) bool { return v.content.Columns[i.Column].Idle })
}

// answers says how the rules answer the question.
func (v *view) answers(part Part) string {
	var names []string
	for _, i := range v.acting() {
		names = append(names, brief(i.Name))
	}
	given := ""
	if names != nil {
		given = fmt.Sprintf("Given are %s. ", list(names))
	}
	rules := numeric.Counted(len(v.RuleSets[0].Rules), "rule")
	if n := len(v.RuleSets[0].Tables); n > 0 {
		rules += " and " + numeric.Counted(n, "table")
	}
	ramped, shared := slices.ContainsFunc(v.Model.Pages, (*page.Page).Ramped), ""
	text := fmt.Sprintf("%sThe answer comes from %s, found in %s.", given, rules, rowsOf(part))
	switch {
	case len(v.RuleSets[0].Rules) == 1:
		return text
	case v.Confusion != nil && len(v.RuleSets[0].Rules) == len(v.Model.Pages):
		return text + " Each gives one class a score; the answer is the class of the largest score."
	case len(v.Model.Pages) > 1:
		var names []string
		for _, p := range v.Model.Pages {
			names = append(names, brief(p.Target))
		}
		if ramped {
			shared = ", or two or more where a border is gradual"
		}
		text += fmt.Sprintf(" There are rules for each of %s; of these one decides each row%s.", list(names), shared)
		if v.Confusion != nil {
			text += " The answer is the class of the largest score."
		}
		return text
	case v.Paged():
		if ramped {
			shared = "; where a border is gradual, two or more share it"
		}
		return text + " One rule decides each row" + shared + "."
	}
	return text + " The better a row fits the conditions of a rule, the more that rule counts."
}

// rowsOf says which rows a part has, in words for those who do not know the parts of a run.
func rowsOf(part Part) string {
	rows := numeric.Counted(part.Len(), "row")
	switch {
	case strings.HasPrefix(part.Name, report.TrainingPart):
		return rows
	case strings.HasPrefix(part.Name, report.TestPart):
		return rows + " kept for a test"
	}
	return rows + " of " + part.Name
}

// partOf names a part for the same people.
func partOf(name string) string {
	if strings.HasPrefix(name, report.TestPart) {
		return "the rows kept for a test"
	}
	return name
}

// trust says how far to trust the model.
func (v *view) trust() ([]string, error) {
	var all []string
	if len(v.Warnings) > 0 && strings.HasPrefix(v.Warnings[0], "WARNING: ") {
		all = append(all, capital(strings.ReplaceAll(strings.TrimPrefix(v.Warnings[0], "WARNING: "), v.Data, partOf(v.Data))))
	}
	where := "On " + rowsOf(v.in.Data)
	if v.in.Train != nil && v.in.Train.Name == v.in.Data.Name {
		where += ", from which it learned, so that new rows are harder,"
	}
	is, others := v.compared()
	switch right, off := func(s Score) string { return percent(s.Classes.Accuracy) }, func(s Score) string { return v.amount(s.MAE) }; {
	case is.Classes != nil:
		all = append(all, fmt.Sprintf("%s it names the right %s for %s%s.", where, brief(v.Target), right(is), beside(others, v.Model, right)))
	case v.Model.Number():
		all = append(all, fmt.Sprintf("%s it is off by %s on average%s.", where, off(is), beside(others, v.Model, off)))
	case len(v.Model.Response.Quantiles) > 1:
		text, err := v.between(where)
		if err != nil {
			return nil, err
		}
		all = append(all, text)
	default:
		all = append(all, v.Verdict())
	}
	if v.Model.Number() && v.Neighbours == nil {
		worst, err := v.distances()
		if err != nil {
			return nil, err
		}
		all = append(all, worst...)
	}
	all = append(all, v.intervals()...)
	if v.Neighbours != nil {
		all = append(all, v.Neighbours.String())
	}
	return all, nil
}

// between says how often the truth is between the outermost quantiles.
func (v *view) between(where string) (string, error) {
	p, err := v.Model.Predict(v.in.Data.X)
	if err != nil {
		return "", err
	}
	levels, all, inside := v.Model.Response.Quantiles, p.All(), 0
	last := len(levels) - 1
	for n, y := range v.in.Data.Y {
		if all[0][n] <= y && y <= all[last][n] {
			inside++
		}
	}
	return fmt.Sprintf("%s the truth is between the lowest and the highest answer for %s, and should be for %s.", where,
		percentOf(inside, v.in.Data.Len()), percent(levels[last]-levels[0])), nil
}

// intervals says how near the truth is to a single prediction.
func (v *view) intervals() []string {
	i, holds := v.Interval, ""
	switch {
	case i == nil && v.Model.Number():
		return []string{"It states no interval for a single prediction: for one, train with data.calibration."}
	case i == nil:
		return nil
	case i.HalfWidth != nil:
		holds = fmt.Sprintf("within %s of the prediction", v.amount(*i.HalfWidth))
	case i.MeanWidth != nil:
		holds = fmt.Sprintf("in the interval that it states, %s wide on average", v.amount(*i.MeanWidth))
	case i.MeanClasses != nil:
		holds = fmt.Sprintf("among the classes that it lists on request, %.3g on average", *i.MeanClasses)
	}
	text := fmt.Sprintf("For %s of new rows like these the truth is %s", percent(i.Level), holds)
	if i.Coverage != nil {
		text += fmt.Sprintf("; on %s that was true of %s", partOf(v.in.Data.Name), percent(*i.Coverage))
	}
	return []string{text + "."}
}

// briefly shortens names.
func briefly(names []string) (all []string) {
	for _, name := range names {
		all = append(all, brief(name))
	}
	return all
}

// beside says what the baselines reach.
func beside(others []Score, m *model.Model, text func(Score) string) string {
	var all []string
	for _, o := range others {
		name := strings.ToLower(o.Who[:1]) + o.Who[1:]
		switch name {
		case "training mean":
			name = "always saying the mean"
		case baseline.NamesOf(m).Constant:
			name = "always saying the most frequent"
		}
		all = append(all, name+" "+text(o))
	}
	if all == nil {
		return ""
	}
	return " (" + strings.Join(all, ", ") + ")"
}

// distances says how far 9 of 10 predictions of the data are from the truth, and of which rule they are farthest.
func (v *view) distances() ([]string, error) {
	d := v.in.Data.Dataset
	p, err := v.Model.Predict(d.X)
	if err != nil {
		return nil, err
	}
	of, err := newDecisions(v.Model, d)
	if err != nil {
		return nil, err
	}
	off := make([]float64, d.Len())
	for n, y := range d.Y {
		off[n] = math.Abs(p.Values[n] - y)
	}
	sorted := slices.Sorted(slices.Values(off))
	all := []string{fmt.Sprintf("9 of 10 predictions there are off by at most %s.", v.amount(sorted[len(sorted)*9/10]))}
	worst, which := 0.0, ""
	for _, r := range v.RuleSets[0].Shown {
		rows := of.rows(r.Said.Numbers)
		sum := 0.0
		for _, n := range rows {
			sum += off[n]
		}
		if mean := sum / float64(len(rows)); len(rows) >= fewRows && mean > worst {
			worst, which = mean, r.Name()
		}
	}
	if which != "" && len(v.RuleSets[0].Shown) > 1 {
		which = strings.ToLower(which[:1]) + which[1:]
		all = append(all, fmt.Sprintf("It is farthest off where %s decides: by %s on average.", which, v.amount(worst)))
	}
	return all, nil
}

const (
	fewRows     = 20 // with fewer rows, a figure of a rule says little
	mostRanges  = 8
	namedGroups = 3
)

// not says when not to trust the model, with the ranges of some columns; of has the rows that it learned from.
func (v *view) not(of *decisions, most int) []string {
	var ranges, gaps, groups, few []string
	for _, i := range v.acting() {
		c := v.content.Columns[i.Column]
		if f := v.content.Features[c.Feature]; c.Levels == nil {
			ranges = append(ranges, fmt.Sprintf("%s %s to %s", brief(c.Name), value(f.Min), withUnit(value(f.Max), c.Unit)))
		}
		if c.missing > 0 {
			gaps = append(gaps, fmt.Sprintf("%s (%s)", brief(c.Name), percent(c.missing)))
		}
	}
	var all []string
	beyond := "There it extrapolates."
	if v.Paged() {
		beyond = "There it answers as at the end of the range."
	}
	if ranges != nil {
		more := ""
		if len(ranges) > most {
			ranges, more = ranges[:most], ", and those of the other columns in the report"
		}
		all = append(all, fmt.Sprintf("Outside of what it has seen: %s%s. %s", strings.Join(ranges, ", "), more, beyond))
	}
	standIn, _ := report.StandIn(v.Model)
	if gaps != nil {
		all = append(all, fmt.Sprintf("Where cells are missing, as in %s: %s.", list(gaps), standIn))
	} else {
		all = append(all, "Where cells are missing: there were none to learn from.")
	}
	if v.Interval != nil {
		for _, g := range v.Interval.Groups {
			if g.Low && len(groups) < namedGroups {
				groups = append(groups, fmt.Sprintf("%s (%s)", g.Name(), percent(g.Coverage)))
			}
		}
	}
	if groups != nil {
		all = append(all, "Where its intervals hold too rarely: "+strings.Join(groups, ", ")+".")
	}
	for _, r := range v.RuleSets[0].Shown {
		if n := len(of.rows(r.Said.Numbers)); n < fewRows {
			few = append(few, fmt.Sprintf("%s (%s)", r.Name(), numeric.Counted(n, "row")))
		}
	}
	if few != nil {
		all = append(all, "Where a rule rests on few rows: "+list(few)+".")
	}
	return append(all, "To foresee what a change would cause: the rules say what goes together in the table, not why.")
}

// amount formats a number of the target with three digits, thousands separated, and its unit.
func (v *view) amount(x float64) string { return withUnit(threeDigits(x), v.Unit) }

// threeDigits formats a number with three significant digits and separated thousands.
func threeDigits(x float64) string { return value(numeric.Round(x, 3)) }

// SheetStyle is the style sheet of the sheet.
func (v *view) SheetStyle() template.CSS { return template.CSS(sheetStyle) }
