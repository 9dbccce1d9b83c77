package score

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// result is what a shard gave.
type result struct {
	File, Out string
	Order     int // of the file
	Index, Of int // of the shard in the file
	Bytes     int64
	Counts    model.TableCounts
	Marks     data.Marks // of a shard of several
}

// Scored is what was written for a file.
type Scored struct {
	File string   `json:"file"`
	Out  []string `json:"out"` // the output, or its pieces in their order
	model.TableCounts
}

// Report is what a job wrote. It is score.json beside the outputs.
type Report struct {
	model.TableCounts
	Bytes int64    `json:"bytes"` // of the files, compressed as they are
	Files []Scored `json:"files"` // in the order of their names
}

// report merges the results of all shards, in the order of the files and shards, so that it does not depend on that of the results.
func report(all []result) (*Report, error) {
	slices.SortFunc(all, func(a, b result) int { return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.Index, b.Index)) })
	all = slices.CompactFunc(all, func(a, b result) bool { return a.Order == b.Order && a.Index == b.Index })
	r := &Report{}
	for len(all) > 0 {
		n := all[0].Of
		if len(all) < n || all[n-1].Order != all[0].Order {
			return nil, fmt.Errorf("%s: results of some of its %d parts are missing", all[0].File, n)
		}
		f, err := scored(all[:n])
		if err != nil {
			return nil, err
		}
		for _, s := range all[:n] {
			r.Bytes += s.Bytes
		}
		add(&r.TableCounts, f.TableCounts)
		r.Files = append(r.Files, f)
		all = all[n:]
	}
	return r, nil
}

// scored merges the results of a file.
func scored(all []result) (Scored, error) {
	f := Scored{File: all[0].File, TableCounts: model.TableCounts{Commas: all[0].Counts.Commas}}
	var marks data.Marks
	for _, s := range all {
		add(&f.TableCounts, s.Counts)
		marks = marks.Add(s.Marks)
		f.Out = append(f.Out, s.Out)
	}
	if len(all) == 1 {
		return f, nil
	}
	var err error
	f.Commas, err = marks.Commas()
	var fault *data.Error
	if errors.As(err, &fault) {
		fault.Message += fmt.Sprintf("; only its parts together show this: remove %s and the other outputs of the file", f.Out[0])
	}
	return f, err
}

// add adds the counts of rows.
func add(sum *model.TableCounts, c model.TableCounts) {
	sum.Rows += c.Rows
	sum.OutOfRange += c.OutOfRange
	sum.Uncovered += c.Uncovered
	sum.Limited += c.Limited
	sum.Missing.Add(c.Missing)
}
