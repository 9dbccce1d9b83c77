package shard

import (
	"cmp"
	"context"
	"slices"

	"github.com/tskgraph/tskgraph/beam/files"
)

// Plan divides files, in their order, which is that of the rows. It reads them one after the other; [Create] does so on all workers.
func Plan(ctx context.Context, in []files.Info, o Options) ([]Shard, error) {
	var shards []Shard
	for _, f := range filesOf(in) {
		all, err := o.divide(ctx, f)
		if err != nil {
			return nil, err
		}
		for i := range all {
			if all[i], err = o.count(ctx, all[i]); err != nil {
				return nil, err
			}
		}
		shards = append(shards, merge(all)...)
	}
	if o.Rows {
		number(shards)
	}
	return shards, nil
}

// number sorts the shards of all files and numbers their rows.
func number(shards []Shard) {
	slices.SortFunc(shards, func(a, b Shard) int { return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.Index, b.Index)) })
	rows := int64(0)
	for i := range shards {
		shards[i].FirstRow = rows
		rows += shards[i].Rows
	}
}
