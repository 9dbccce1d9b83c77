package export

import (
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/model"
)

// Form is a model as an exporter sees it: the cells of some columns become features, these the
// inputs of the rules of each member, and the members' responses are averaged. Columns,
// features and parameters that have no influence are left out.
type Form struct {
	Columns  []Column
	Features []Feature     // [F], in the order of Columns
	Members  []Member      // one, or those of a committee
	Outputs  []model.Value // [J], what is predicted
	Kind     Kind
	Ordered  bool   // outputs never cross: each is at least the one before
	Target   string // column of the first target; of classes, that of the class
	Unit     string // of the target

	Promises []string // what is proved of the predictions, for comments

	Model *model.Model // for words about the rules; not for numbers
}

// Kind says what the outputs are.
type Kind int

const (
	Numbers   Kind = iota // one target or several
	Quantiles             // of one target, ascending: they never cross
	Classes               // probabilities of classes; the most probable, the first of equal ones, is the class
)

// String returns numbers, quantiles or classes.
func (k Kind) String() string { return [...]string{"numbers", "quantiles", "classes"}[k] }

// Column is a column of a table that the predictor reads.
type Column struct {
	data.Column
	First    int     // index of its first feature
	Min, Max float64 // in the training part; of a column of levels on a scale their values
}

// Code returns the number that stands for level k where a target takes one for a cell: its value on the scale, or its index from 0 in a
// column without one.
func (c Column) Code(k int) float64 {
	if c.Nominal() {
		return float64(k)
	}
	return c.Values(k)[0]
}

// Feature is a number that the rules use. A cell of a column of numbers is the number itself, that of a column of levels is
// [data.Column.Values] of its level, which says what a level that training did not have is. A missing cell makes all features of its
// column missing. The second feature of numbers whose missing cells are a value, see [data.Column], is 0 where the number is there.
type Feature struct {
	Name   string
	Column int

	// Missing is the value in place of a missing one; NaN: the mean of each member, whose z-score
	// is zero. Input.Missing is the z-score in either case.
	Missing float64
}

// errNeighbours is the reason why a model with neighbours cannot be exported.
var errNeighbours = errors.New("the model corrects the predictions of its rules by neighbours, which are training rows: train with " +
	"model.neighbours none to export it")

// New returns the form of a model. A model with neighbours is an error.
func New(m *model.Model) (*Form, error) {
	if m.Neighbours != nil {
		return nil, errNeighbours
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	f := &Form{Target: m.Schema.Target, Unit: m.Schema.TargetUnit, Model: m, Outputs: m.Values(), Ordered: m.Ordered(),
		Kind: map[string]Kind{"quantiles": Quantiles, "classes": Classes, "two classes": Classes}[m.Words().Kind]}
	members := m.Members
	if !m.Committee() {
		members = []*model.Model{m}
	}
	index := addColumns(f, m, members)
	for _, one := range members {
		f.Members = append(f.Members, newMember(one, f, index))
	}
	return f, nil
}

// addColumns adds the columns and features that a member uses, and returns the index of each
// feature of the schema in the form; -1 for one that is left out.
func addColumns(f *Form, m *model.Model, members []*model.Model) (index []int) {
	first := 0
	typical := model.Typical(m.Preprocessing)
	for _, c := range m.Schema.Columns {
		of := m.Features[first : first+c.Width()]
		used := false
		for i := range of {
			for _, one := range members {
				used = used || !one.Features[first+i].Constant
			}
		}
		if used {
			f.Columns = append(f.Columns, Column{Column: c, First: len(f.Features), Min: of[0].Min, Max: of[0].Max})
		}
		for i, feature := range of {
			if !used {
				index = append(index, -1)
				continue
			}
			index = append(index, len(f.Features))
			missing := math.NaN()
			if !m.ImputeMeans || c.Missing && (i > 0 || !c.Numbers()) {
				missing = typical[first+i]
			}
			f.Features = append(f.Features, Feature{Name: feature.Name, Column: len(f.Columns) - 1, Missing: missing})
		}
		first += len(of)
	}
	return index
}

// Blanks are the characters around a cell that do not count in any target: the white space of Unicode.
const Blanks = "\t\n\v\f\r " +
	"\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"

// OfSpread returns the feature of the form that a curve of intervals is of, -1 for the prediction, and what a missing one counts as.
func (f *Form) OfSpread(c model.SpreadCurve) (feature int, missing float64) {
	if c.Feature == len(f.Model.Features) {
		return -1, 0
	}
	of := f.Model.Features[c.Feature]
	feature = slices.IndexFunc(f.Features, func(one Feature) bool { return one.Name == of.Name })
	if missing = f.Features[feature].Missing; math.IsNaN(missing) {
		missing = of.Mean
	}
	return feature, missing
}

// Missing returns the texts, in lower case, that mark a missing value in targets that read tables, in any case of letters.
func Missing() []string { return []string{"", "?", "na", "n/a", "nan", "null"} }

// Encode returns the features [F] of cells, one for each column, with the conventions of [Feature]; NaN for a
// missing value. [Blanks] around a cell do not count. A text that is neither a number with a decimal point nor one of
// [Missing] counts as an infinite number, which has no prediction.
func (f *Form) Encode(cells []string) []float64 {
	row := make([]float64, len(f.Features))
	for i, c := range f.Columns {
		of := row[c.First : c.First+c.Width()]
		cell := strings.Trim(cells[i], Blanks)
		switch {
		case slices.Contains(Missing(), strings.ToLower(cell)):
			for k := range of {
				of[k] = math.NaN()
			}
		case !c.Numbers():
			copy(of, c.Values(slices.Index(c.Levels, cell)))
		default:
			if of[0] = table.ScanNumber(cell, 0, len(cell)); math.IsNaN(of[0]) {
				for k := range of {
					of[k] = math.Inf(1)
				}
			}
		}
	}
	return row
}

// Extent is what the members of a form have at most, for targets that reserve memory for one row
// and write only the steps that are needed.
type Extent struct {
	MaxInputs, MaxRules int  // of a member
	MaxPlaces           int  // inputs with curves
	Power, Components   bool // of some member
	Inside              bool // z-scores have limits
	Curves, Limits      bool

	Link                          string // of all members
	Committee, Quantiles, Classes bool
	Features, RuleOutputs         int // of a row, and of a rule
}

// NewExtent returns the extent of a form.
func NewExtent(f *Form) Extent {
	e := Extent{Link: f.Members[0].Link, Committee: len(f.Members) > 1, Quantiles: f.Ordered, Classes: f.Kind == Classes,
		Features: len(f.Features), RuleOutputs: f.Members[0].Outputs}
	for _, m := range f.Members {
		e.MaxInputs, e.MaxRules = max(e.MaxInputs, len(m.Inputs), len(m.Components)), max(e.MaxRules, len(m.Rules))
		e.Components, e.Curves = e.Components || m.Components != nil, e.Curves || m.Curves != nil
		for _, in := range m.Inputs {
			e.Power, e.Inside = e.Power || in.Power != nil, e.Inside || in.Limited()
		}
		for j := range m.Low {
			e.Limits = e.Limits || !math.IsInf(m.Low[j], 0) || !math.IsInf(m.High[j], 0)
		}
		places := 0
		for _, k := range m.Knots {
			if len(k) > 0 {
				places++
			}
		}
		e.MaxPlaces = max(e.MaxPlaces, places)
	}
	return e
}

// TwoInputs reports whether the inputs of IF parts differ from those of THEN parts.
func (e Extent) TwoInputs() bool { return e.Power || e.Components }
