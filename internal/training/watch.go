package training

import (
	"context"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/config"
	"github.com/tskgraph/tskgraph/data"
)

// CheckWatch checks the data sets to watch: NAME=TABLE, a table of its own with the columns of the training table, or the name of
// a part of the run: train, validation or test.
func CheckWatch(sets []string) error {
	var names []string
	for _, set := range sets {
		name, table, separate := strings.Cut(set, "=")
		switch {
		case name == "" || separate && table == "" || !separate && !slices.Contains([]string{"train", "validation", "test"}, name):
			return watchError(set, "want NAME=TABLE, train, validation or test")
		case slices.Contains(names, name):
			return watchError(set, "the name is used twice")
		}
		names = append(names, name)
	}
	return nil
}

func watchError(set, fault string) error {
	return &config.Error{Where: "--watch", Key: set, Message: fault}
}

// watch returns the data sets to watch, see CheckWatch, and the tables that were read for it, which the caller closes, even after an
// error. They are read as the table of a test part.
func watch(ctx context.Context, sets []string, s data.Source, parts *data.Parts) (watched []tskgraph.Watched, read []*data.Parts, err error) {
	for _, set := range sets {
		name, table, separate := strings.Cut(set, "=")
		d := map[string]*data.Dataset{"train": parts.Train, "validation": parts.Validation, "test": parts.Test}[name]
		if separate {
			p, err := data.LoadAs(ctx, table, parts.Train.Schema, data.Options{Delimiter: s.Delimiter, Missing: s.Missing, Lenient: true, Memory: s.Memory, Scratch: s.Scratch})
			if err != nil {
				return nil, read, err
			}
			read, d = append(read, p), p.Test
		}
		if d == nil {
			return nil, read, watchError(set, "the run has no such part")
		}
		watched = append(watched, tskgraph.Watched{Name: name, Data: d})
	}
	return watched, read, nil
}
