package model

import (
	"context"
	"fmt"

	"github.com/tskgraph/tskgraph/data"
)

// eachBlock calls do with the weighed samples of a data set, see [measurable]: with all of them or, if the data set is a sample
// of a Whole, with those of each bucket, whose weights are of mean one over the Whole. It ends with the error of ctx when that ends.
func eachBlock(ctx context.Context, p Preprocessing, d *data.Dataset, do func(block *data.Dataset) error) error {
	d, err := measurable(p, d)
	if err != nil {
		return err
	}
	if d.Whole == nil {
		return do(d)
	}
	unit := d.Whole.Weight() / float64(d.Whole.Len())
	for i := range d.Whole.Buckets() {
		if err := ctx.Err(); err != nil {
			return err
		}
		bucket, err := d.Whole.Bucket(i)
		if err != nil {
			return err
		}
		if bucket == nil {
			continue
		}
		block := *bucket
		block.Schema, block.Missing, block.Weights = d.Schema, d.Missing, scaledBy(bucket.Weights, unit)
		if err := block.Validate(); err != nil {
			return err
		}
		if err := do(&block); err != nil {
			return fmt.Errorf("bucket %d: %w", i+1, err)
		}
	}
	return nil
}

// scaledBy returns weights in a unit, not rounded as those that are trained with; nil for nil.
func scaledBy(weights []float64, unit float64) []float64 {
	var scaled []float64
	for _, w := range weights {
		scaled = append(scaled, w/unit)
	}
	return scaled
}
