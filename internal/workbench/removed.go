package workbench

import (
	"errors"

	"github.com/tskgraph/tskgraph/internal/runs"
	"github.com/tskgraph/tskgraph/internal/safefile"
)

// removed is the result of delete and forget.
type removed struct {
	Kept []string `json:"kept"` // files in directories of runs that are not of tskgraph, with which the directory stays
}

// answerDelete removes a run.
func answerDelete(c call) (any, error) {
	_, path, err := namedRun(c)
	if err != nil {
		return nil, err
	}
	kept, err := runs.Remove(path, "report.html")
	return removed{append([]string{}, kept...)}, err
}

// answerForget removes the uploaded tables and, of a private workbench, the runs.
func answerForget(c call) (any, error) {
	if err := c.decode(&struct{}{}); err != nil {
		return nil, err
	}
	c.uploads.Lock()
	defer c.uploads.Unlock()
	tables, err := tablesOf(c.Bench)
	if err != nil {
		return nil, err
	}
	if len(tables) > 0 {
		d, err := safefile.OpenDir(directory(c.options.Tables))
		if err != nil {
			return nil, err
		}
		defer d.Close()
		for _, name := range tables {
			err = errors.Join(err, d.Remove(name))
		}
		if err != nil {
			return nil, err
		}
	}
	result := removed{Kept: []string{}}
	if !c.options.Private {
		return result, nil
	}
	all, err := runsOf(c.Bench)
	if err != nil {
		return nil, err
	}
	for _, name := range all {
		path, err := runPath(c.Bench, name)
		if err != nil {
			continue // not a run
		}
		kept, err := runs.Remove(path, "report.html")
		if result.Kept = append(result.Kept, kept...); err != nil {
			return nil, err
		}
	}
	return result, nil
}
