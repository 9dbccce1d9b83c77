package workbench

import (
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/runs"
)

// removed is the result of delete and forget.
type removed struct {
	Kept []string `json:"kept"` // files that are not of tskgraph, in directories of runs that stay with them, and tables that were changed
}

// answerDelete removes a run of the list: another directory with a config.yaml is not one of tskgraph.
func answerDelete(c call) (any, error) {
	run, path, err := namedRun(c)
	if err != nil {
		return nil, err
	}
	if _, err := listRun(c.Bench, run); err != nil {
		return nil, message.Usagef("run: %q is not a complete run, remove its directory yourself: %w", run, err)
	}
	kept, err := runs.Remove(path, "report.html")
	return removed{append([]string{}, kept...)}, err
}

// answerForget removes the uploaded tables and, of a private workbench, the runs.
func answerForget(c call) (any, error) {
	if err := c.decode(&struct{}{}); err != nil {
		return nil, err
	}
	result := removed{Kept: []string{}}
	switch u, err := openUploaded(c.Bench, false); {
	case err == nil:
		defer u.Close()
		kept, err := u.forget()
		if result.Kept = append(result.Kept, kept...); err != nil {
			return nil, err
		}
	case unlessMissing(err) != nil:
		return nil, err
	}
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
