package data

import (
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// Split says how a Dataset is divided. The zero value draws 70% of the rows for training, the rest for test.
type Split struct {
	// random (default), chronological (rows in time order: train, validation, test; default if the Dataset is Ordered), or
	// column
	Kind       string
	Column     string  // for Kind column, and only there: the column whose cells say train, validation or test
	Train      float64 // share of the rows, 0..1; 0: 0.7 (all that Validation leaves, with a test file)
	Validation float64 // share of the rows, 0..1; what both leave is for test
	Seed       uint64  // of the permutation, for Kind random

	// Calibration is a share, 0..1, of the training part, whatever Kind made it, that is not trained on but
	// calibrates prediction intervals: drawn at random, equal samples together, or the last rows of an Ordered part.
	Calibration float64
}

// Parts are a divided Dataset. Train has at least one row; a part without rows is nil.
type Parts struct {
	Train, Calibration, Validation, Test *Dataset

	stores []io.Closer // of the rows of the parts that are samples
}

// Close frees the rows of the parts that are samples, and removes their scratch files. The parts must no longer be used.
func (p *Parts) Close() (err error) {
	for _, store := range p.stores {
		err = errors.Join(err, store.Close())
	}
	return err
}

const (
	splitRandom        = "random"
	splitChronological = "chronological"
	splitColumn        = "column"

	defaultTrain = 0.7
	splitStream  = 0x73706c6974 // the random stream of the split, whatever else its seed drives
	calibStream  = 0x63616c6962 // that of the calibration part
)

// Validate checks the kind, the shares and what goes together. The error joins all faults, each a *KeyError.
func (sp Split) Validate() error {
	var calibration error
	if !(sp.Calibration >= 0 && sp.Calibration < 1) {
		calibration = table.KeyFault("data.calibration", "%v: want a share of the training part from 0, below 1", sp.Calibration)
	}
	return errors.Join(sp.validateParts(), calibration)
}

func (sp Split) validateParts() error {
	switch sp.Kind {
	case "", splitRandom, splitChronological:
		if sp.Column != "" {
			return table.KeyFault("data.split_column", "%s applies only with data.split: column", escape.Quote(sp.Column)).RestingOn("data.split")
		}
	case splitColumn:
		if sp.Train != 0 || sp.Validation != 0 {
			return table.KeyFault("data.split",
				"column: the column says the parts, so data.train and data.validation do not apply").RestingOn("data.train", "data.validation")
		}
		return nil
	default:
		return table.KeyFault("data.split", "%s: want random, chronological or column", escape.Quote(sp.Kind))
	}
	if !(sp.Validation >= 0 && sp.Validation < 1) {
		return table.KeyFault("data.validation", "%v: want a share from 0, below 1", sp.Validation)
	}
	if !(sp.Train >= 0 && sp.Train <= 1) {
		return table.KeyFault("data.train", "%v: want a share from 0 to 1", sp.Train)
	}
	if train := sp.train(); train+sp.Validation > 1+1e-9 {
		return table.KeyFault("data.validation", "%v: with data.train, %v, it makes more than all rows", sp.Validation,
			train).RestingOn("data.train")
	}
	return nil
}

func (sp Split) train() float64 {
	if sp.Train == 0 {
		return defaultTrain
	}
	return sp.Train
}

// cut divides the samples, in time order or at random: so many for training, the share of validation, the rest for test.
func cut(d *Dataset, sp Split, train int) (*Parts, error) {
	of := *d
	of.Ordered = sp.Kind == splitChronological || sp.Kind == "" && d.Ordered
	validation := int(math.Round(sp.Validation * float64(d.Len())))
	return partsOf(&of, sp, divide(&of, false, sp.random(splitStream), train, validation))
}

// random returns a random stream of the split.
func (sp Split) random(stream uint64) *rand.Rand { return rand.New(rand.NewPCG(sp.Seed, stream)) }

// partsOf divides the samples by their marks, [N], and takes the calibration part from the training part.
func partsOf(d *Dataset, sp Split, marks []table.Mark) (*Parts, error) {
	p := &Parts{}
	var err error
	if p.Train, err = part(d, "train", marks, table.InTrain); err != nil {
		return nil, err
	}
	if p.Validation, err = part(d, "validation", marks, table.InValidation); err != nil {
		return nil, err
	}
	if p.Test, err = part(d, "test", marks, table.InTest); err != nil {
		return nil, err
	}
	if err := p.judgeBlanks(d); err != nil {
		return nil, err
	}
	if p.Train == nil {
		return nil, table.Faultf("", "no row of %d is left for training: give more rows, or a larger data.train", len(marks))
	}
	if lost := lostClass(d, marked(marks, table.InTrain)); lost != "" {
		return nil, table.Faultf("",
			"the train part has no row of the class %s: give it some (data.split, data.train), or leave the rows of the class out",
			escape.Quote(lost))
	}
	if sp.Calibration == 0 {
		return p, p.rank()
	}
	whole := p.Train
	n := whole.Len()
	within := divide(whole, true, sp.random(calibStream), n-int(math.Round(sp.Calibration*float64(n))), n)
	if p.Train, err = part(whole, "train", within, table.InTrain); err != nil {
		return nil, err
	}
	if p.Calibration, err = part(whole, "calibration", within, table.InValidation); err != nil {
		return nil, err
	}
	if p.Train == nil || p.Calibration == nil {
		return nil, table.Faultf("", "data.calibration: %v of %d training rows leaves nothing to train on or to calibrate with",
			sp.Calibration, n)
	}
	if lost := lostClass(whole, marked(within, table.InTrain)); lost != "" {
		return nil, table.Faultf("",
			"data.calibration: %v of the training rows leaves none of the class %s to train on: set it to a smaller share", sp.Calibration,
			escape.Quote(lost))
	}
	return p, p.rank()
}

// part is the subset of the samples of a mark; nil if there are none.
func part(d *Dataset, name string, marks []table.Mark, of table.Mark) (*Dataset, error) {
	rows := marked(marks, of)
	if len(rows) == 0 {
		return nil, nil
	}
	subset := d.Subset(rows)
	if c := subset.emptyColumn(); c != "" && of == table.InTrain {
		return nil, table.Faultf("", "the train part: column %s has no value in any row: ignore it (data.ignore)", escape.Quote(c))
	}
	return subset, nil
}

// marked returns the samples of a mark.
func marked(marks []table.Mark, of table.Mark) (rows []int) {
	for i, m := range marks {
		if m == of {
			rows = append(rows, i)
		}
	}
	return rows
}

// byShard returns the parts by their place in an ingest; nil where there are no rows.
func (p *Parts) byShard() [shardCount]*Dataset {
	return [shardCount]*Dataset{trainShard: p.Train, calibrationShard: p.Calibration, validationShard: p.Validation, testShard: p.Test}
}

// all returns the parts that have rows, by the name of their file.
func (p *Parts) all() []namedPart {
	parts := []namedPart{{"train.csv", p.Train}, {"calibration.csv", p.Calibration}, {"validation.csv", p.Validation}, {"test.csv", p.Test}}
	return slices.DeleteFunc(parts, func(n namedPart) bool { return n.data == nil })
}

type namedPart struct {
	file string
	data *Dataset
}

// judgeBlanks refuses missing cells of d that were read under Missing error outside the test part, where they are
// to be filled.
func (p *Parts) judgeBlanks(d *Dataset) error {
	if len(d.late) == 0 {
		return nil
	}
	for _, part := range []*Dataset{p.Train, p.Validation} {
		if part == nil {
			continue
		}
		for _, row := range part.Rows {
			if fault := d.late[row]; fault != nil {
				return fault
			}
		}
		part.Missing = table.Missing{Policy: table.MissingError}
	}
	p.Test.Missing.Policy = table.MissingMean // the test part has all missing cells
	return nil
}

// assignment says to which part each row of an ingested table belongs. The shares of a random one are expectations: a row is
// assigned by its hash or that of its group, see rowHash.
type assignment struct {
	Split
	rows   int // kept rows of the table, for Kind chronological
	fixed  *table.Mark
	listed map[int]int // the shard of each row, by its number; nil: the Split decides
}

// mark returns the part of kept row i, from 0, of the rows under way.
func (a *assignment) mark(i int, r *table.Rows) table.Mark {
	switch {
	case a.fixed != nil:
		return *a.fixed
	case a.Kind == splitColumn:
		return r.Mark
	case a.Kind == splitChronological:
		return ofShares(float64(i), a.first(a.train()), a.first(a.Validation))
	}
	return ofShares(share(rowHash(a.Seed, splitStream, a.key(r))), a.train(), a.Validation)
}

// ofShares returns the part of a place on an axis where the training part comes first, then validation, then test.
func ofShares(at, train, validation float64) table.Mark {
	switch {
	case at < train:
		return table.InTrain
	case at < train+validation:
		return table.InValidation
	}
	return table.InTest
}

// first returns a share of the rows, as a whole number.
func (a *assignment) first(share float64) float64 { return math.Round(share * float64(a.rows)) }

// key identifies what stays together: a group, or a row.
func (a *assignment) key(r *table.Rows) uint64 {
	if r.Group >= 0 {
		return uint64(r.Member)
	}
	return uint64(r.T.Row)
}

// calibrates reports whether a row of the training part, kept row i, belongs to the calibration part. Rows of equal values
// stay together, or those of a group.
func (a *assignment) calibrates(i int, r *table.Rows, values []float64) bool {
	switch {
	case a.Calibration == 0:
		return false
	case a.Kind == splitChronological:
		n := a.first(a.train())
		return float64(i) >= n-math.Round(a.Calibration*n)
	}
	key := valuesKey(values)
	if r.Group >= 0 {
		key = uint64(r.Member)
	}
	return share(rowHash(a.Seed, calibStream, key)) < a.Calibration
}
