package workbench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
)

// compared is what two runs do on the same rows.
type compared struct {
	Text     string       `json:"text"`    // which rows
	Refused  string       `json:"refused"` // why there are no errors; empty if there are
	Measure  string       `json:"measure"` // of the errors
	Quarters []difference `json:"quarters"`
	Picture  *opposite    `json:"picture"` // null where the runs predict different values
}

// opposite are the predictions of two runs against each other.
type opposite struct {
	Title       string     `json:"title"`
	Unit        string     `json:"unit"`
	Rows        int        `json:"rows"`
	Correlation *float64   `json:"correlation"` // null where a run predicts one value
	Axes        [2]float64 `json:"axes"`
	A           []float64  `json:"a"` // of a sample of the rows
	B           []float64  `json:"b"`
	Numbers     []int      `json:"numbers"` // of the rows in their table
	Largest     []differs  `json:"largest"`
}

// differs is a row whose predictions differ.
type differs struct {
	Row      int        `json:"row"`
	Cells    string     `json:"cells"`
	Observed float64    `json:"observed"`
	Values   [2]float64 `json:"values"`
	Rules    [2]string  `json:"rules"` // that decide it; empty where none does
}

const (
	leastCompared = 20 // rows of which errors are compared
	mostCompared  = 1000
	mostDiffering = 8
)

// sharedRows are rows that both of two runs read.
type sharedRows struct {
	text    string           // which they are
	read    [2]*data.Dataset // the same rows with the columns of either model, missing cells as they are
	fresh   []int            // indices of the rows that neither run had in training
	decided [2][][]int       // [page][row] the index of the rule that decides the row in the description of the run; -1: none does
	rows    [2]map[int]int   // how many each rule decides
	both    map[[2]int]int   // how many two rules of the same page do
}

// commonRows returns the rows of a table or, if table is empty, of the test part of a run, that of which most rows are new to both; nil
// and why there are none. same: the test parts are the same.
func commonRows(c call, s [2]side, same bool, table string) (best *sharedRows, why string, err error) {
	why = "The rows of neither test part are here. Choose a table to compare the runs on."
	type source struct {
		name, path string
		trained    []int // the runs that may have had rows of it in training
	}
	var sources []source
	for i := range s {
		sources = append(sources, source{"the test part of " + s[i].name(), prediction.PartTable(s[i].path, "test.csv"), []int{1 - i}})
	}
	if same {
		sources = []source{{"the test part of both runs", sources[0].path, nil}}
	}
	if table != "" {
		t, err := find(c.Bench, table)
		if err == nil && t.path == "" {
			err = message.Usagef("table: %s is built in: choose a file", table)
		}
		if err != nil {
			return nil, "", err
		}
		sources = []source{{table, t.path, []int{0, 1}}}
	}
	for _, of := range sources {
		if of.path == "" {
			continue
		}
		r := &sharedRows{text: of.name}
		if err := r.fill(c.ctx, s, of.path, table == "", of.trained); err != nil {
			if fault := (*data.Error)(nil); errors.As(err, &fault) { // without the path
				err = errors.New(fault.Message)
			}
			why = fmt.Sprintf("The runs cannot be compared on %s: %v.", of.name, err)
		} else if best == nil || len(r.fresh) > len(best.fresh) {
			best = r
		}
	}
	if err = c.ctx.Err(); best != nil && err == nil {
		err = best.decide(s)
	}
	return best, why, err
}

// fill reads a table for both runs, and finds the rows that neither had in training; trained are the runs that may have had some.
func (r *sharedRows) fill(ctx context.Context, s [2]side, path string, run bool, trained []int) (err error) {
	all := true
	for i := range s {
		if r.read[i], all, err = s[i].read(ctx, path, run); err != nil {
			return err
		}
	}
	if !slices.Equal(r.read[0].Rows, r.read[1].Rows) {
		return errors.New("they leave out different rows of it")
	}
	if !all {
		r.text += ", a random sample"
	}
	r.text = fmt.Sprintf("Compared on %s of %s.", numeric.Counted(r.read[0].Len(), "row"), r.text)
	had := make([]bool, r.read[0].Len())
	for _, i := range trained {
		said, err := s[i].mark(ctx, r.read[i], had)
		if err != nil {
			return err
		}
		r.text += said
	}
	for n, known := range had {
		if !known {
			r.fresh = append(r.fresh, n)
		}
	}
	return nil
}

// read reads a table with the columns of the model, missing cells as they are; of a large one, not all, a sample.
func (s side) read(ctx context.Context, path string, run bool) (d *data.Dataset, all bool, err error) {
	parts, err := data.LoadAs(ctx, path, s.model.Schema, data.Options{Lenient: true, Run: run})
	if err != nil {
		return nil, false, err
	}
	return parts.Test.WithoutWhole(), parts.Test.Whole == nil, parts.Close()
}

// mark marks the rows that have the cells of a row that the run had in training, and says how many these are.
func (s side) mark(ctx context.Context, d *data.Dataset, had []bool) (said string, err error) {
	known, seen, all := map[string]bool{}, 0, true
	cells := func(d *data.Dataset, n int) string { return fmt.Sprint(d.X[n], d.Y[n]) }
	for _, file := range []string{"train.csv", "validation.csv", "calibration.csv"} {
		path := prediction.PartTable(s.path, file)
		if path == "" {
			all = all && file != "train.csv"
			continue
		}
		part, whole, err := s.read(ctx, path, true)
		if err != nil {
			return "", err
		}
		all = all && whole
		for n := range part.Len() {
			known[cells(part, n)] = true
		}
	}
	for n := range had {
		if known[cells(d, n)] {
			had[n] = true
			seen++
		}
	}
	if !all {
		said = fmt.Sprintf(" Whether %s was trained on some of them is not known: not all of its training rows are here.", s.name())
	}
	if seen > 0 {
		said += fmt.Sprintf(" %s had rows with the cells of %s of them in training.", s.name(), numeric.Count(seen))
	}
	return said, nil
}

// compare returns what two runs do on the rows; comparable: their errors have the same name.
func (r *sharedRows) compare(c call, s [2]side, comparable bool) (done *compared, err error) {
	done = &compared{Text: r.text}
	a, b := s[0].model.Schema, s[1].model.Schema
	switch {
	case !comparable:
		done.Refused = "Errors are not compared: the runs minimise different losses."
	case a.Weight != b.Weight || a.Offset.Column != b.Offset.Column:
		done.Refused = "Errors are not compared: the runs weight rows differently."
	case len(r.fresh) < leastCompared:
		done.Refused = fmt.Sprintf("Errors are not compared: only %d of these rows are new to both runs, fewer than %d. "+
			"Runs with the same data.split and data.split_seed have the same test rows.", len(r.fresh), leastCompared)
	default:
		if r.read[0].Len() > len(r.fresh) {
			done.Text += fmt.Sprintf(" Errors are of the %s others.", numeric.Count(len(r.fresh)))
		}
		err = done.quarters(c.ctx, s, r)
	}
	if err == nil {
		done.Picture, err = r.oppose(s)
	}
	return done, err
}

// quarters adds the errors of two runs on the rows that are new to them, by quarters of each target or by classes.
func (done *compared) quarters(ctx context.Context, s [2]side, r *sharedRows) error {
	m, _ := model.MeasureOf(s[0].summary.Metric)
	done.Measure = m.Name
	d := [2]*data.Dataset{r.read[0].Subset(r.fresh), r.read[1].Subset(r.fresh)}
	for t, name := range s[0].model.Schema.Targets() {
		for _, g := range words.ByTarget(d[0], t) {
			if g.Rows == nil {
				continue
			}
			var of [2]float64
			for i := range s {
				e, err := s[i].model.Evaluate(ctx, d[i].Subset(g.Rows))
				if err != nil {
					return err
				}
				if e.Joint() {
					e = e.Targets[t]
				}
				of[i] = m.Of(e)
			}
			one := newFigure(name+" "+g.Name, &of[0], &of[1], 1)
			one.Rows = len(g.Rows)
			done.Quarters = append(done.Quarters, one)
		}
	}
	return nil
}

// oppose returns the predictions of all rows; nil if the runs predict different values.
func (r *sharedRows) oppose(s [2]side) (*opposite, error) {
	var of [2][]float64
	var values [2]model.Value
	for i := range s {
		m, first := s[i].model, s[i].model.Words().Start
		p, err := m.Predict(m.Fill(r.read[i]).X)
		if err != nil {
			return nil, err
		}
		of[i], values[i] = p.All()[first], m.Values()[first]
	}
	a, b := of[0], of[1]
	if values[0].Title != values[1].Title || values[0].Unit != values[1].Unit || len(a) == 0 {
		return nil, nil
	}
	axes, _ := numeric.ErrorAxes(a, b)
	all := &opposite{Title: values[0].Title, Unit: values[0].Unit, Rows: len(a), Correlation: numeric.OrNil(stat.Correlation(a, b, nil)),
		Axes: axes, Largest: []differs{}}
	for _, n := range numeric.Some(len(a), mostCompared) {
		all.A, all.B, all.Numbers = append(all.A, a[n]), append(all.B, b[n]), append(all.Numbers, r.read[0].Rows[n])
	}
	var order []int
	for n := range a {
		if a[n] != b[n] {
			order = append(order, n)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(math.Abs(a[j]-b[j]), math.Abs(a[i]-b[i])) })
	observed := s[0].model.Observed(r.read[0], s[0].model.Words().Start)
	for _, n := range order[:min(len(order), mostDiffering)] {
		all.Largest = append(all.Largest, differs{r.read[0].Rows[n], rowText(s[0].model, r.read[0].X[n]), observed[n], [2]float64{a[n], b[n]},
			[2]string{r.ruleOf(s, 0, n), r.ruleOf(s, 1, n)}})
	}
	return all, nil
}

// rowText returns the cells of the columns of a row that the model uses, as "outside 3, day workday".
func rowText(m *model.Model, x []float64) string {
	var all []string
	at := 0
	for _, c := range m.Schema.Columns {
		if own := x[at : at+c.Width()]; !c.Unused {
			all = append(all, c.Name+" "+cmp.Or(cellOf(c, own), "missing"))
		}
		at += c.Width()
	}
	return strings.Join(all, ", ")
}
