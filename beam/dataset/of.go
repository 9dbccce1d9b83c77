package dataset

import (
	"errors"

	"github.com/tskgraph/tskgraph/data"
)

// of is what is known, where the rows of a large table are not, about all rows of which a data set is a sample.
type of struct {
	Rows      int
	Sum       float64 // of the weights
	OfColumns []data.Moments
	OfTargets []data.Moments
	Classes   []float64
	Hash      string
}

func ofWhole(w data.Whole) *of {
	return &of{w.Len(), w.Weight(), w.Features(), w.Targets(), w.ClassWeights(), w.Fingerprint()}
}

func (o *of) Len() int                 { return o.Rows }
func (o *of) Weight() float64          { return o.Sum }
func (o *of) Features() []data.Moments { return o.OfColumns }
func (o *of) Targets() []data.Moments  { return o.OfTargets }
func (o *of) ClassWeights() []float64  { return o.Classes }
func (o *of) Fingerprint() string      { return o.Hash }
func (o *of) Buckets() int             { return 1 }

// Bucket returns an error: the rows were not sent.
func (o *of) Bucket(int) (*data.Dataset, error) {
	return nil, &data.Error{Message: "only a sample of the table was sent to this worker", Err: errors.ErrUnsupported}
}
