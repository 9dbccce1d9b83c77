package workbench

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/registry"
	tabular "github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/report/page"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// scorer predicts rows of a run.
type scorer struct {
	path  string
	model *model.Model
	train *data.Dataset // nil: the rows are not known
	rules words.Description
	own   [][]ownRows // [1 or C][R], of the rules that people read
}

// ownRows are the training rows that a rule decides: its firing levels, and the targets, both ascending.
type ownRows struct{ firing, targets []float64 }

// last is the scorer of the run that was asked for last, since a page asks for row after row.
type last struct {
	sync.Mutex
	is  string // what the scorer is of
	has *scorer
}

// scorerOf returns the scorer of a run.
func scorerOf(c call, run string) (*scorer, error) {
	path, err := runPath(c.Bench, run)
	if err != nil {
		return nil, err
	}
	is := path
	for _, name := range []string{model.FileName, "train.csv"} {
		if info, err := os.Lstat(filepath.Join(path, name)); err == nil {
			is += " " + info.ModTime().String()
		}
	}
	c.last.Lock()
	defer c.last.Unlock()
	if c.last.is == is {
		return c.last.has, nil
	}
	s, err := newScorer(c.ctx, path)
	if err == nil {
		c.last.is, c.last.has = is, s
	}
	return s, err
}

// forget drops the scorer, which has the rows of a run.
func (l *last) forget() {
	l.Lock()
	defer l.Unlock()
	l.is, l.has = "", nil
}

func newScorer(ctx context.Context, path string) (*scorer, error) {
	m, err := model.Load(path)
	if err != nil {
		return nil, err
	}
	s := &scorer{path: path, model: m}
	part := prediction.TrainingTable(path)
	if part == "" {
		s.rules = words.Model(m)
		return s, nil
	}
	if s.train, err = prediction.ReadTable(ctx, io.Discard, m, part, data.Options{Lenient: true, Run: true}); err != nil {
		return nil, err
	}
	if s.rules, err = words.ModelOn(m, s.train); err != nil || m.Committee() {
		return s, err
	}
	return s, s.divide()
}

// divide gives each rule the training rows that it decides.
func (s *scorer) divide() error {
	firing, err := s.model.Firing(s.train.X)
	if err != nil {
		return err
	}
	for p, levels := range firing {
		own, y := make([]ownRows, len(levels[0])), s.model.Observed(s.train, s.valueOf(p))
		for n, of := range levels {
			if r := strongest(of); r >= 0 {
				own[r].firing, own[r].targets = append(own[r].firing, of[r]), append(own[r].targets, y[n])
			}
		}
		for _, o := range own {
			slices.Sort(o.firing)
			slices.Sort(o.targets)
		}
		s.own = append(s.own, own)
	}
	return nil
}

// valueOf returns the value of the model that page p is of, or all rules if there are no pages: of two classes the second.
func (s *scorer) valueOf(p int) int {
	if s.model.Pages == nil {
		return s.model.Words().Start
	}
	return len(s.model.Values()) - len(s.model.Pages) + p
}

// strongest returns the first rule of the largest firing level; -1 if none fires.
func strongest(levels []float64) int {
	if which := rules.Strongest(levels, nil); which != nil {
		return which[0]
	}
	return -1
}

// inputs are the columns that a row has: those that the model uses, and the exposure of a rate.
func (s *scorer) inputs() (names []string) {
	for _, c := range s.model.Schema.Columns {
		if !c.Unused {
			names = append(names, c.Name)
		}
	}
	if of := s.model.Schema.Offset.Column; of != "" {
		names = append(names, of)
	}
	return names
}

// read returns the batch of a row of cells by column, which are blank where they are missing, as a table of delimited text is read.
func (s *scorer) read(cells map[string]string) (b data.Batch, err error) {
	names := s.inputs()
	for name := range cells {
		if !slices.Contains(names, name) {
			return b, message.Usagef("row: the model has no column %q%s", name, registry.Hint(name, names))
		}
	}
	var row []string
	for _, name := range names {
		row = append(row, cells[name])
	}
	var text strings.Builder
	if err := csv.NewWriter(&text).WriteAll([][]string{names, row}); err != nil {
		return b, err
	}
	in, err := data.NewReader(data.Input{Name: "the row", Reader: strings.NewReader(text.String())}, s.model.Schema,
		data.ReaderOptions{Delimiter: "comma", Lenient: true})
	if err != nil {
		return b, err
	}
	defer in.Close()
	if err = in.Next(&b); err == nil {
		err = b.Parse()
	}
	if fault := (*data.Error)(nil); errors.As(err, &fault) { // the page has no lines
		err = &data.Error{Message: fault.Message, Err: err}
	}
	return b, err
}

// predicted is the result of predict.
type predicted struct {
	Values []valued   `json:"values"`
	Class  string     `json:"class,omitempty"` // the most probable
	Level  float64    `json:"level"`           // of the intervals and of Set; 0: none
	Set    []string   `json:"set,omitempty"`   // of classes
	Flags  []flagged  `json:"flags"`
	Rules  []deciding `json:"rules"` // of several pages one each; none of a committee, and where no rule fires
}

// valued is a value that is predicted, with the bounds of its interval, which are null without one.
type valued struct {
	Title string   `json:"title"`
	Unit  string   `json:"unit"`
	Value float64  `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

// answerPredict predicts a row.
func answerPredict(c call) (any, error) {
	var args struct {
		ofRun
		Row map[string]string `json:"row"`
	}
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	s, err := scorerOf(c, args.Run)
	if err != nil {
		return nil, err
	}
	b, err := s.read(args.Row)
	if err != nil {
		return nil, err
	}
	m, x := s.model, b.X[0]
	flags := m.Flags(x, func(column int) string { return b.Cell(0, column) })
	x = m.Fill(&data.Dataset{X: b.X, Missing: b.Missing}).X[0]
	p, err := m.Predict([][]float64{x})
	if fault := (*model.SampleError)(nil); errors.As(err, &fault) {
		return nil, &data.Error{Message: fault.Message, Err: err}
	}
	if err != nil {
		return nil, err
	}
	answer := predicted{Flags: s.flagged(append(flags, p.Flags(0)...)), Rules: []deciding{}}
	if err := s.value(&answer, p, b.Exposed); err != nil || m.Committee() {
		return answer, err
	}
	answer.Rules, err = s.deciding(x, p)
	return answer, err
}

// value sets what is predicted, of a rate times the exposure, with intervals or sets of the usual level if the model is calibrated.
func (s *scorer) value(answer *predicted, p model.Predictions, exposed []float64) error {
	m, times := s.model, 1.0
	if len(exposed) > 0 {
		times = exposed[0]
	}
	for j, v := range m.Values() {
		answer.Values = append(answer.Values, valued{Title: v.Title, Unit: v.Unit, Value: times * p.All()[j][0]})
	}
	classes := m.Schema.Classes
	if classes != nil {
		answer.Class = classes[int(p.Values[0])]
	}
	switch answer.Level = s.level(); {
	case answer.Level == 0:
	case classes != nil:
		sets, err := m.Sets(p, answer.Level)
		for k, in := range sets {
			if in[0] {
				answer.Set = append(answer.Set, classes[k])
			}
		}
		return err
	default:
		low, high, err := m.Intervals(p, answer.Level, model.BothSides)
		if err != nil {
			return err
		}
		for t := range low { // of several quantiles one interval, around that nearest to the median
			v := &answer.Values[t]
			if len(low) < len(answer.Values) {
				v = &answer.Values[m.Words().Start]
			}
			v.Low, v.High = numeric.OrNil(times*low[t][0]), numeric.OrNil(times*high[t][0])
		}
	}
	return nil
}

// level returns the level of the intervals and sets of the model; 0 if it has none, or none of the usual level.
func (s *scorer) level() float64 {
	o := model.TableOptions{Interval: words.UsualLevel}
	if s.model.Schema.Classes != nil {
		o = model.TableOptions{Sets: words.UsualLevel}
	}
	if _, err := o.Columns(s.model); err != nil {
		return 0
	}
	return words.UsualLevel
}

// form is what a page needs to ask for a row, and for the predictions of a table.
type form struct {
	Target    string   `json:"target"` // names of all
	Columns   []field  `json:"columns"`
	Rows      int      `json:"rows"`      // of the training part; 0: they are not known
	Sample    bool     `json:"sample"`    // Rows are some of them
	Level     float64  `json:"level"`     // of intervals and sets; 0: there are none
	Sets      bool     `json:"sets"`      // of classes, in place of intervals
	Committee bool     `json:"committee"` // whose members have the rules
	Formats   []string `json:"formats"`   // extensions of the files that predictions are saved in
}

// field is a column of a row: numbers between Min and Max, or one of Levels.
type field struct {
	Name   string   `json:"name"`
	Unit   string   `json:"unit"`
	Levels []string `json:"levels,omitempty"`
	Min    float64  `json:"min"` // in training
	Max    float64  `json:"max"`
	Whole  bool     `json:"whole"`          // all numbers are
	Idle   bool     `json:"idle,omitempty"` // no rule mentions it
	Start  string   `json:"start"`          // of the typical row of the training part, see [data.Dataset.Medoid]
}

// answerForm returns what a row of the model of a run has.
func answerForm(c call) (any, error) {
	var args ofRun
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	s, err := scorerOf(c, args.Run)
	if err != nil {
		return nil, err
	}
	m := s.model
	f := form{Target: strings.Join(m.Schema.Targets(), ", "), Level: s.level(), Sets: m.Schema.Classes != nil,
		Committee: m.Committee(), Formats: formats()}
	if s.train != nil {
		f.Rows, f.Sample = s.train.Len(), m.Training.Samples > s.train.Len()
	}
	x, at := model.Typical(m.Preprocessing), 0
	if s.train != nil {
		x = s.train.X[s.train.Medoid()]
	}
	for _, c := range m.Schema.Columns {
		own, feature := x[at:at+c.Width()], m.Features[at]
		if at += c.Width(); c.Unused {
			continue
		}
		one := field{Name: c.Name, Unit: c.Unit, Min: feature.Min, Max: feature.Max, Whole: feature.Whole(), Idle: page.Idle(m, c.Name),
			Start: cellOf(c, own)}
		if !c.Numbers() {
			one.Levels = slices.DeleteFunc(slices.Clone(c.Levels), func(l string) bool { return c.Missing && l == tabular.MissingLevel })
		}
		f.Columns = append(f.Columns, one)
	}
	if of := m.Schema.Offset.Column; of != "" {
		f.Columns = append(f.Columns, field{Name: of, Max: 1, Start: "1"})
	}
	return f, nil
}

// cellOf returns the cell of a column with features own; empty if it is missing.
func cellOf(c data.Column, own []float64) string {
	switch {
	case c.Numbers():
		return tabular.NumberText(own[0])
	case c.Level(own) >= 0 && !c.Misses(own):
		return c.Levels[c.Level(own)]
	}
	return ""
}

// formats returns the extensions of the files that predictions can be saved in.
func formats() []string {
	all := []string{}
	for _, name := range slices.Sorted(maps.Keys(types)) {
		if name == ".csv" || tabular.Writable(name) != nil {
			all = append(all, name[1:])
		}
	}
	return all
}
