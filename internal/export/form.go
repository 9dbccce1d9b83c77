package export

import (
	"errors"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// Form is a model as an exporter sees it: the cells of some columns become features, these the
// inputs of the rules of each member, and the members' responses are averaged. Columns,
// features and parameters that have no influence are left out.
type Form struct {
	Columns  []Column
	Features []Feature // [F], in the order of Columns
	Members  []Member  // one, or those of a committee
	Outputs  []Output  // [J], what is predicted
	Kind     Kind
	Target   string // column of the first target; of classes, that of the class
	Unit     string // of the target

	Model *model.Model // for words about the rules; not for numbers
}

// Kind says what the outputs are.
type Kind int

const (
	Numbers   Kind = iota // one target or several
	Quantiles             // of one target, ascending: they never cross
	Classes               // probabilities of classes; the most probable, the first of equal ones, is the class
)

// Column is a column of a table that the predictor reads.
type Column struct {
	Name, Unit string
	Encoding   data.Encoding
	Levels     []string // of a column that is not numeric
	First      int      // index of its first feature
	Width      int      // number of its features: 1, or of a one-hot column one for each level
	Min, Max   float64  // in the training part; of an ordinal column levels from 1
}

// Feature is a number that the rules use. A cell of a numeric column is the number itself, that
// of an ordinal one the position of its level from 1; for a one-hot column, feature First+k is
// one for level k and zero for the other levels. A missing cell makes all features of its column
// missing. A level that training did not have is a missing value of an ordinal column; all features
// of a one-hot column are zero for it.
type Feature struct {
	Name   string
	Column int

	// Missing is the value in place of a missing one; NaN: the mean of each member, whose z-score
	// is zero. Input.Missing is the z-score in either case.
	Missing float64
}

// Output is a predicted number.
type Output struct {
	Name   string  // of the target or of the class
	Unit   string  // of a target
	Level  float64 // of a quantile
	Column string  // of the predictions of tskgraph predict
}

// errNeighbours is the reason why a model with neighbours cannot be exported.
var errNeighbours = errors.New("the model corrects the predictions of its rules by neighbours, which are training rows: train with model.neighbours none to export it")

// New returns the form of a model. A model with neighbours is an error.
func New(m *model.Model) (*Form, error) {
	if m.Neighbours != nil {
		return nil, errNeighbours
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	f := &Form{Target: m.Schema.Target, Unit: m.Schema.TargetUnit, Model: m}
	members := m.Members
	if !m.Committee() {
		members = []*model.Model{m}
	}
	index := addColumns(f, m, members)
	addOutputs(f, m)
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
			f.Columns = append(f.Columns, Column{Name: c.Name, Unit: c.Unit, Encoding: c.Encoding, Levels: c.Levels, First: len(f.Features), Width: len(of), Min: of[0].Min, Max: of[0].Max})
		}
		for i, feature := range of {
			if !used {
				index = append(index, -1)
				continue
			}
			index = append(index, len(f.Features))
			missing := math.NaN()
			if !m.ImputeMeans {
				missing = typical[first+i]
			}
			f.Features = append(f.Features, Feature{Name: feature.Name, Column: len(f.Columns) - 1, Missing: missing})
		}
		first += len(of)
	}
	return index
}

// addOutputs adds the outputs.
func addOutputs(f *Form, m *model.Model) {
	f.Kind = map[string]Kind{"quantiles": Quantiles, "classes": Classes}[m.Words().Kind]
	for _, v := range m.Values() {
		f.Outputs = append(f.Outputs, Output{Name: v.Name, Unit: v.Unit, Level: v.Level, Column: v.Column})
	}
}
