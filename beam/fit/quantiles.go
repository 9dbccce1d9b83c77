package fit

import (
	"github.com/DataDog/sketches-go/ddsketch"
)

// QuantileError is the largest relative error of a quantile: that of a sketch whose buckets grow by (1+e)/(1-e)
// (C. Masson, J. E. Rim, H. K. Lee, DDSketch: A fast and fully-mergeable quantile sketch with relative-error guarantees,
// PVLDB 12 (2019)).
const QuantileError = 0.005

// sketches are quantiles of the numbers of each part and column, by their places in data.PartNames and
// data.PartStatistics. They count rows, and take no account of weights.
type sketches [][]*ddsketch.DDSketch

// of returns the sketch of a column of a part.
func (s *sketches) of(part, column int) (*ddsketch.DDSketch, error) {
	for len(*s) <= part {
		*s = append(*s, nil)
	}
	columns := &(*s)[part]
	for len(*columns) <= column {
		one, err := ddsketch.NewDefaultDDSketch(QuantileError)
		if err != nil {
			return nil, err
		}
		*columns = append(*columns, one)
	}
	return (*columns)[column], nil
}

// add counts a number. One beyond what a sketch can count, about 1e308, counts as that.
func (s *sketches) add(part, column int, v float64) error {
	one, err := s.of(part, column)
	if err != nil {
		return err
	}
	most := one.MaxIndexableValue()
	return one.Add(max(-most, min(most, v)))
}

// encode returns the sketches for encoding/gob.
func (s sketches) encode() [][][]byte {
	all := make([][][]byte, len(s))
	for part, columns := range s {
		all[part] = make([][]byte, len(columns))
		for k, one := range columns {
			one.Encode(&all[part][k], false)
		}
	}
	return all
}

// merge adds encoded sketches.
func (s *sketches) merge(from [][][]byte) error {
	for part, columns := range from {
		for k, text := range columns {
			one, err := s.of(part, k)
			if err != nil {
				return err
			}
			if err := one.DecodeAndMergeWith(text); err != nil {
				return err
			}
		}
	}
	return nil
}
