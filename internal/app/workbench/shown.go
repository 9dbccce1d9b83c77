package workbench

import (
	"bytes"

	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/report/page"
	"github.com/tskgraph/tskgraph/model"
)

// ofRun are the arguments of a method on a run.
type ofRun struct {
	Run string `json:"run"`
}

// namedRun returns the run that the arguments of a method on a run name, and its directory.
func namedRun(c call) (run, path string, err error) {
	var args ofRun
	if err := c.decode(&args); err != nil {
		return "", "", err
	}
	path, err = runPath(c.Bench, args.Run)
	return args.Run, path, err
}

// load reads the model of the run that the arguments name.
func load(c call, run string) (path string, m *model.Model, err error) {
	if path, err = runPath(c.Bench, run); err != nil {
		return "", nil, err
	}
	m, err = model.Load(path)
	return path, m, err
}

func answerReport(c call) (any, error) {
	var args ofRun
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	html, err := pageOn(c, args.Run)
	return struct {
		HTML string `json:"html"`
	}{string(html)}, err
}

// page returns the page on a run.
func pageOn(c call, run string) ([]byte, error) {
	path, m, err := load(c, run)
	if err != nil {
		return nil, err
	}
	in, err := lenient().Run(c.ctx, m, path, true)
	switch {
	case err != nil:
		return nil, err
	case in.Data.Dataset == nil && in.Train == nil:
		return nil, message.Usagef("run: %q has no tables (output.tables is false, or they were removed), which a report needs", run)
	case in.Data.Dataset == nil:
		in.Data = *in.Train
	}
	p, err := page.New(in)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = p.Write(&b)
	return b.Bytes(), err
}
