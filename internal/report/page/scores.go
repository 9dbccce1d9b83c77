package page

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/page"
)

// Score has the errors of a model on a part; of several targets those of one of them, which Metrics names, or of all.
type Score struct {
	Who  string `json:"who"`
	Part string `json:"part"`
	model.Metrics
	Of float64 `json:"-"` // the first figure as a share of the largest in the table, of one target

	task model.Metrics // errors of all targets
}

// This names the model in the table of scores.
const This = "This model"

// scores returns the errors of the model and of the baselines; predicted are the predictions of the data without neighbours.
func scores(in Input, predicted model.Predictions) (all []Score, v *baseline.Verdict, err error) {
	ctx, m := context.Background(), in.Model
	training := in.Train != nil && in.Train.Name == in.Data.Name // the data are the training part
	if in.Train != nil && !training {
		e, err := m.EvaluateTraining(ctx, in.Train.Dataset)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, Score{Who: This, Part: in.Train.Name, Metrics: e})
	}
	e := m.Measure(predicted, in.Data.Dataset)
	if m.Neighbours != nil {
		evaluate := m.Evaluate
		if training {
			evaluate = m.EvaluateTraining
		}
		if e, err = evaluate(ctx, in.Data.Dataset); err != nil {
			return nil, nil, err
		}
	}
	all = append(all, Score{Who: This, Part: in.Data.Name, Metrics: e})
	names := baseline.NamesOf(m)
	var b baseline.Errors
	if in.Train != nil {
		b, err = baseline.Measure(ctx, m, in.Train.Dataset, in.Data.Dataset)
	} else {
		b.Constant, err = m.MeasureMean(ctx, in.Data.Dataset)
	}
	if err != nil {
		return nil, nil, err
	}
	if b.Linear != nil {
		all = append(all, Score{Who: capital(names.Linear), Part: in.Data.Name, Metrics: *b.Linear})
	}
	all = append(all, Score{Who: capital(names.Constant), Part: in.Data.Name, Metrics: b.Constant})
	if !training {
		v = baseline.Compare(in.Data.Name, m, e, b)
	}
	return withShares(eachTarget(all)), v, nil
}

// eachTarget returns the scores with those of each of several targets, by target.
func eachTarget(all []Score) []Score {
	each := slices.Clone(all)
	for c := range all[0].Targets {
		for _, s := range all {
			each = append(each, Score{Who: s.Who, Part: s.Part, Metrics: s.Targets[c]})
		}
	}
	for i := range each {
		each[i].task = all[0].Metrics
	}
	return each
}

// withShares sets the shares of the first figures.
func withShares(all []Score) []Score {
	largest := map[string]float64{}
	for _, s := range all {
		largest[s.Target] = max(largest[s.Target], s.Loss)
	}
	for i, s := range all {
		if largest[s.Target] > 0 {
			all[i].Of = s.Loss / largest[s.Target]
		}
	}
	return all
}

// Row returns the name of the row of the table, with the target of several.
func (s Score) Row() string {
	switch {
	case s.Joint():
		return s.Who + ", all targets"
	case s.Target != "":
		return s.Who + ", " + s.Target
	}
	return s.Who
}

// Cells returns the figures of the row.
func (s Score) Cells() (cells []string) {
	for _, m := range s.Measures() {
		cells = append(cells, numeric.Grouped(minus(m.Text(s.Metrics))))
	}
	return cells
}

// scoreTable is the table of scores.
type scoreTable struct {
	Columns []string // headings of Score.Cells
	Rows    []Score
	Note    string // explains the figures
}

func newScoreTable(all []Score, unit string) scoreTable {
	t, task, meanings := scoreTable{Rows: all}, all[0].task, []string(nil)
	for i, m := range task.Measures() {
		heading := capital(m.Name)
		if i == 0 && m.Scaled && !task.Joint() {
			heading = label(heading, unit)
		}
		t.Columns, meanings = append(t.Columns, heading), append(meanings, m.Name+" is "+m.Meaning)
	}
	t.Note = strings.TrimSuffix(capital(strings.Join(meanings, "; "))+". "+task.Note(), " ")
	for _, s := range all {
		if absent, _ := s.Absent(); s.Who == This && absent > 0 {
			t.Note += fmt.Sprintf(" Classes without a row in %s, which balanced accuracy and AUC leave out: %d.", s.Part, absent)
		}
	}
	return t
}

// capital returns a text with a capital letter.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// shortPart names a part of a run without the table that it is of, as tables have little room.
func shortPart(name string) string {
	for _, of := range []string{report.TrainingPart, report.ValidationPart, report.TestPart} {
		if strings.HasPrefix(name, of) {
			return strings.TrimPrefix(of, "the ")
		}
	}
	return name
}

// twins measures the rows with a twin in the training part; nil if the data are the training part.
func twins(in Input, all []Score) (*words.Twins, error) {
	if in.Train == nil || in.Train.Name == in.Data.Name {
		return nil, nil
	}
	return words.MeasureTwins(context.Background(), in.Model, words.Part(in.Data), words.Part(*in.Train), all[1].Metrics)
}

// Importance is the permutation importance of a column: by how much the figure by which models are compared rises, see [model.Criterion],
// such as the RMSE or the log loss, when its values are permuted among the rows (L. Breiman, Random forests, Machine Learning 45 (2001); A.
// Fisher, C. Rudin, F. Dominici, All models are wrong, but many are useful, JMLR 20 (2019)). Columns with the same information replace one
// another: then each seems less important than both are together.
type Importance struct {
	Column int     `json:"column"` // index into the schema's columns
	Name   string  `json:"name"`
	Mean   float64 `json:"mean"` // over the permutations
	SD     float64 `json:"sd"`
}

const (
	shuffles  = 5
	maxGrades = 1e9 // limit of the membership grades that Permute computes
	leastRows = 100
)

// Permute returns the importances of the columns that the model uses, in descending order, and the number of rows permuted: all, or a
// sample that takes some seconds. The features of a one-hot column are permuted together. The same data give the same numbers.
func Permute(m *model.Model, d *data.Dataset) ([]Importance, int, error) {
	used := 0
	for _, c := range m.Schema.Columns {
		if !c.Unused {
			used++
		}
	}
	work := float64(used) * shuffles * float64(functions(m))
	chosen := numeric.Some(d.Len(), max(leastRows, int(maxGrades/work)))
	d = d.Subset(chosen)
	before, err := loss(m, d, d.X)
	if err != nil {
		return nil, 0, err
	}
	var all []Importance
	first := 0
	for i, c := range m.Schema.Columns {
		width := c.Width()
		if !c.Unused {
			rises := make([]float64, shuffles)
			for s := range rises {
				rng := rand.New(rand.NewPCG(uint64(s), uint64(i)))
				after, err := loss(m, d, shuffled(d.X, first, width, rng))
				if err != nil {
					return nil, 0, err
				}
				rises[s] = after - before
			}
			mean, sd := moments(rises)
			all = append(all, Importance{Column: i, Name: c.Name, Mean: mean, SD: sd})
		}
		first += width
	}
	slices.SortStableFunc(all, func(a, b Importance) int { return cmp.Compare(b.Mean, a.Mean) })
	return all, len(chosen), nil
}

// functions returns the number of membership functions of a prediction.
func functions(m *model.Model) int {
	if !m.Committee() {
		return m.RuleBase.Rules() * m.RuleBase.Features()
	}
	n := 0
	for _, member := range m.Members {
		n += functions(member)
	}
	return n
}

// shuffled returns the rows with the values of width features permuted among them.
func shuffled(x [][]float64, first, width int, rng *rand.Rand) [][]float64 {
	moved := make([][]float64, len(x))
	for i, from := range rng.Perm(len(x)) {
		moved[i] = slices.Clone(x[i])
		copy(moved[i][first:first+width], x[from][first:first+width])
	}
	return moved
}

// loss returns the figure of the model for the samples of a data set with features x.
func loss(m *model.Model, d *data.Dataset, x [][]float64) (float64, error) {
	p, err := m.Predict(x)
	if err != nil {
		return 0, err
	}
	return m.Measure(p, d).Loss, nil
}

// moments returns the mean and the standard deviation with divisor n-1.
func moments(values []float64) (mean, sd float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	for _, v := range values {
		sd = math.Hypot(sd, v-mean) // the sum of squares could overflow
	}
	return mean, sd / math.Sqrt(n-1)
}

// Question says what the model predicts from how many columns.
func (p *Page) Question() string {
	used, given := 0, 0
	for _, c := range p.content.Columns {
		if !c.Unused {
			given++
		}
		if !c.Unused && !c.Idle {
			used++
		}
	}
	from := numeric.Counted(given, "column")
	if used < given {
		from = fmt.Sprintf("%d of %s", used, from)
	}
	return fmt.Sprintf("It predicts %s from %s.", label(p.Target, p.Unit), from)
}

// Idle reports whether the rules are those of pages that do not mention a column.
func Idle(m *model.Model, column string) bool {
	return m.Pages != nil && !slices.ContainsFunc(m.Pages, func(p *page.Page) bool {
		return slices.ContainsFunc(p.Columns, func(c page.Column) bool { return c.Name == column })
	})
}

// Verdict compares the error of the model with those of the baselines, all on the data.
func (p *Page) Verdict() string {
	model, others := p.compared()
	var all []string
	text := fmt.Sprintf("On %s its %s is %s", p.in.Data.Name, p.content.Figure.Name, withUnit(figure(model.Loss), p.content.Figure.Unit))
	for _, o := range others {
		name := strings.ToLower(o.Who[:1]) + o.Who[1:]
		if name == baseline.NamesOf(p.in.Model).Constant {
			name = "the " + name
		}
		if o.Loss > 0 {
			all = append(all, words.Than(model.Loss/o.Loss)+" "+name)
		}
	}
	if all != nil {
		text += ", " + strings.Join(all, " and ")
	}
	return text + "."
}

// compared returns the scores of the model and of the baselines on the data, of several targets those of all together.
func (p *Page) compared() (model Score, others []Score) {
	seen := map[string]bool{}
	for _, s := range p.Scores {
		if s.Part != p.in.Data.Name || seen[s.Who] {
			continue
		}
		seen[s.Who] = true
		if s.Who == This {
			model = s
		} else {
			others = append(others, s)
		}
	}
	return model, others
}
