package study

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/beam/files"
	"github.com/tskgraph/tskgraph/beam/state"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/study"
)

// Driver runs the pipeline of one study.
type Driver struct {
	Cluster *cluster.Options
	State   state.Place // of what workers read and write
	Out     io.Writer   // of what cluster.Options.Run prints

	Counters cluster.Counters // of the pipeline

	fetched map[string][]byte // result files that workers have written and the store of the study lacks
}

// Plan returns what a study does.
func (d *Driver) Plan(p study.Plan) cluster.Plan {
	var sets, algorithms []string
	for _, s := range p.Sets {
		sets = append(sets, s.Name)
	}
	for _, a := range p.Algorithms {
		algorithms = append(algorithms, a.Name)
	}
	lines := [][2]string{
		{"data sets", strings.Join(sets, ", ")},
		{"algorithms", strings.Join(algorithms, ", ")},
		{"membership", strings.Join(p.Memberships, ", ")},
		{"repeats", fmt.Sprint(p.Repeats)},
		{"groups", fmt.Sprintf("%d at most, one for each data set, membership function and repeat", len(p.Sets)*len(p.Memberships)*p.Repeats)},
		{"results", p.Store},
		{"state", d.State.Words()},
	}
	return cluster.Plan{Job: "experiment", Lines: lines}
}

// Attach has the groups of a plan computed by workers. results is the directory of tables and figures.
func (d *Driver) Attach(ctx context.Context, p *study.Plan, results string) error {
	place, store := d.State.In(results), p.Store
	if err := d.fetch(ctx, place, store); err != nil {
		return err
	}
	p.Fetch = func(name string) ([]byte, error) { return d.fetched[name], nil }
	plan := *p
	p.Spread = func(ctx context.Context, groups []study.Group, tables map[string]*data.Dataset) error {
		j, err := send(ctx, place, plan, groups, tables)
		if err != nil {
			return fmt.Errorf("the data for the workers: %w", err)
		}
		d.Counters, err = d.Cluster.Run(ctx, pipelineOf(d.Cluster, j), cluster.Plan{Job: "experiment"}, d.Out)
		return errors.Join(err, d.fetch(context.WithoutCancel(ctx), place, store))
	}
	return nil
}

// fetch reads the results that workers have written and that a store lacks.
func (d *Driver) fetch(ctx context.Context, place, store string) error {
	found, err := files.List(ctx, files.Join(resultsIn(place), "*.json"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	d.fetched = map[string][]byte{}
	var mu sync.Mutex // of the map
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(16)
	for _, file := range found {
		name := path.Base(filepath.ToSlash(file.Path))
		if _, err := os.Lstat(filepath.Join(store, name)); err == nil {
			continue
		}
		group.Go(func() error {
			content, err := state.Read(ctx, file.Path)
			mu.Lock()
			defer mu.Unlock()
			d.fetched[name] = content
			return err
		})
	}
	return group.Wait()
}
