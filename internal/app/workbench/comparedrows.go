package workbench

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
)

// compared is what two runs do on the same rows.
type compared struct {
	Text     string     `json:"text"`    // which rows
	Refused  string     `json:"refused"` // why there are no errors; empty if there are
	Measure  string     `json:"measure"` // of the errors
	Quarters []group    `json:"quarters"`
	Pictures []opposite `json:"pictures"` // one, or none where the runs predict different values
}

// group are the errors on some rows.
type group struct {
	figure
	Rows int `json:"rows"`
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
	name  string
	read  [2]*data.Dataset // the same rows with the columns of either model, missing cells as they are
	seen  [2]int           // rows with the cells of rows that the run had in training
	vague [2]bool          // it is not known which rows the run had in training
	fresh []int            // indices of the rows that neither had
	decided
}

// commonRows returns the rows of a table or, if table is empty, of the test part of a run, that of which most rows are new to both; nil
// and why there are none. same: the test parts are the same.
func commonRows(c call, s [2]side, same bool, table string) (best *sharedRows, why string, err error) {
	try := func(name, path string, own int) {
		r := &sharedRows{name: name}
		if err := r.fill(c.ctx, path, s, own, same && table == ""); err != nil {
			if fault := (*data.Error)(nil); errors.As(err, &fault) { // without the path
				err = errors.New(fault.Message)
			}
			why = fmt.Sprintf("The runs cannot be compared on %s: %v.", name, err)
		} else if best == nil || len(r.fresh) > len(best.fresh) {
			best = r
		}
	}
	why = "The rows of neither test part are here. Choose a table to compare the runs on."
	if table != "" {
		t, err := find(c.Bench, table)
		if err != nil {
			return nil, "", err
		}
		if t.path == "" {
			return nil, "", message.Usagef("table: %s is built in: choose a file", table)
		}
		try(table, t.path, -1)
		return best, why, c.ctx.Err()
	}
	for i, one := range s {
		name := "the test part of " + one.name()
		if same {
			name = "the test part of both runs"
		}
		if path := prediction.PartTable(one.path, "test.csv"); path != "" && !(same && i > 0) {
			try(name, path, i)
		}
	}
	return best, why, c.ctx.Err()
}

// fill reads a table for both runs, and finds the rows that one of them had in training; own is the run whose test part it is, or -1.
func (r *sharedRows) fill(ctx context.Context, path string, s [2]side, own int, same bool) (err error) {
	all := true
	for i := range s {
		if r.read[i], all, err = s[i].read(ctx, path, own >= 0); err != nil {
			return err
		}
	}
	if !all {
		r.name += ", a random sample"
	}
	if !slices.Equal(r.read[0].Rows, r.read[1].Rows) {
		return errors.New("they leave out different rows of it")
	}
	known := make([]bool, r.read[0].Len())
	for i := range s {
		if !same && i != own {
			if r.seen[i], r.vague[i], err = s[i].knows(ctx, r.read[i], known); err != nil {
				return err
			}
		}
	}
	for n, is := range known {
		if !is {
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

// knows marks the rows that have the cells of a row that the run had in training, and counts them. It is vague where such rows are missing.
func (s side) knows(ctx context.Context, d *data.Dataset, known []bool) (seen int, vague bool, err error) {
	at := map[string][]int{}
	for n := range d.Len() {
		key := keyOf(d, n)
		at[key] = append(at[key], n)
	}
	for _, file := range []string{"train.csv", "validation.csv", "calibration.csv"} {
		path := prediction.PartTable(s.path, file)
		if path == "" {
			vague = vague || file == "train.csv"
			continue
		}
		part, all, err := s.read(ctx, path, true)
		if err != nil {
			return 0, false, err
		}
		vague = vague || !all
		for n := range part.Len() {
			key := keyOf(part, n)
			for _, k := range at[key] {
				known[k] = true
				seen++
			}
			delete(at, key)
		}
	}
	return seen, vague, nil
}

// keyOf returns what rows with the same cells have in common.
func keyOf(d *data.Dataset, n int) string {
	var key []byte
	for _, v := range append(slices.Clone(d.X[n]), d.Y[n]) {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v))
	}
	return string(key)
}

// compareRows returns what two runs do on rows; comparable: their errors have the same name.
func compareRows(c call, s [2]side, r *sharedRows, comparable bool) (*compared, error) {
	done := &compared{Quarters: []group{}, Pictures: []opposite{},
		Text: fmt.Sprintf("Compared on %s of %s.", numeric.Counted(r.read[0].Len(), "row"), r.name)}
	for i := range s {
		if r.vague[i] {
			done.Text += fmt.Sprintf(" Whether %s was trained on some of them is not known: not all of its training rows are here.", s[i].name())
		}
		if r.seen[i] > 0 {
			done.Text += fmt.Sprintf(" %s had rows with the cells of %s of them in training.", s[i].name(), numeric.Count(r.seen[i]))
		}
	}
	a, b := s[0].model, s[1].model
	switch {
	case !comparable:
		done.Refused = "Errors are not compared: the runs minimise different losses."
	case a.Schema.Weight != b.Schema.Weight || a.Schema.Offset.Column != b.Schema.Offset.Column:
		done.Refused = "Errors are not compared: the runs weight rows differently."
	case len(r.fresh) < leastCompared:
		done.Refused = fmt.Sprintf("Errors are not compared: only %d of these rows are new to both runs, fewer than %d. "+
			"Runs with the same data.split and data.split_seed have the same test rows.", len(r.fresh), leastCompared)
	default:
		if r.read[0].Len() > len(r.fresh) {
			done.Text += fmt.Sprintf(" Errors are of the %s others.", numeric.Count(len(r.fresh)))
		}
		if err := done.quarters(c, s, r); err != nil {
			return nil, err
		}
	}
	return done, done.oppose(s, r)
}

// quarters adds the errors of two runs on the rows that are new to them, by quarters of each target or by classes.
func (done *compared) quarters(c call, s [2]side, r *sharedRows) error {
	m, _ := model.MeasureOf(s[0].summary.Metric)
	done.Measure = m.Name
	var d [2]*data.Dataset
	for i := range d {
		d[i] = r.read[i].Subset(r.fresh)
	}
	schema := s[0].model.Schema
	for t, name := range schema.Targets() {
		groups := words.Quarters(d[0].Target(t).Y)
		if schema.Classes != nil {
			groups = make([]words.RowGroup, len(schema.Classes))
			for n, y := range d[0].Y {
				g := &groups[int(y)]
				g.Name, g.Rows = schema.Classes[int(y)], append(g.Rows, n)
			}
		}
		for _, g := range groups {
			if g.Rows == nil {
				continue
			}
			var of [2]*float64
			for i := range s {
				e, err := s[i].model.Evaluate(c.ctx, d[i].Subset(g.Rows))
				if err != nil {
					return err
				}
				if e.Joint() {
					e = e.Targets[t]
				}
				of[i] = numeric.OrNil(m.Of(e))
			}
			done.Quarters = append(done.Quarters, group{newFigure(name+" "+g.Name, of[0], of[1], 1), len(g.Rows)})
		}
	}
	return nil
}

// oppose adds the predictions of all rows, if both runs predict the same value.
func (done *compared) oppose(s [2]side, r *sharedRows) error {
	var of [2][]float64
	var values [2]model.Value
	for i := range s {
		m, j := s[i].model, s[i].model.Words().Start
		p, err := m.Predict(m.Fill(r.read[i]).X)
		if err != nil {
			return err
		}
		of[i], values[i] = p.All()[j], m.Values()[j]
	}
	a, b := of[0], of[1]
	if values[0].Title != values[1].Title || values[0].Unit != values[1].Unit || len(a) == 0 {
		return nil
	}
	axes, _ := numeric.ErrorAxes(a, b)
	one := opposite{Title: values[0].Title, Unit: values[0].Unit, Rows: len(a), Correlation: numeric.OrNil(correlation(a, b)), Axes: axes,
		Largest: []differs{}}
	for _, n := range numeric.Some(len(a), mostCompared) {
		one.A, one.B, one.Numbers = append(one.A, a[n]), append(one.B, b[n]), append(one.Numbers, r.read[0].Rows[n])
	}
	order := make([]int, len(a))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(math.Abs(a[j]-b[j]), math.Abs(a[i]-b[i])) })
	observed := s[0].model.Observed(r.read[0], s[0].model.Words().Start)
	for _, n := range order[:min(len(order), mostDiffering)] {
		row := differs{Row: r.read[0].Rows[n], Cells: rowText(s[0].model, r.read[0].X[n]), Observed: observed[n], Values: [2]float64{a[n], b[n]}}
		for i := range s {
			row.Rules[i] = r.ruleOf(s[i], i, n)
		}
		if a[n] != b[n] {
			one.Largest = append(one.Largest, row)
		}
	}
	done.Pictures = append(done.Pictures, one)
	return nil
}

// correlation returns the correlation of two lists of numbers; NaN if one of them is constant.
func correlation(a, b []float64) float64 {
	x, y := numeric.WeightedMean(a, nil), numeric.WeightedMean(b, nil)
	var xx, yy, xy float64
	for n := range a {
		xx, yy, xy = xx+(a[n]-x)*(a[n]-x), yy+(b[n]-y)*(b[n]-y), xy+(a[n]-x)*(b[n]-y)
	}
	return xy / math.Sqrt(xx) / math.Sqrt(yy)
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
