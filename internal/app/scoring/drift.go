package scoring

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/drift"
)

// watch begins to compare the rows of a model that has a training part.
func (m *served) watch(rows int) error {
	if m.train == nil || rows == 0 {
		return nil
	}
	of, err := drift.New(m.Model, m.train, nil)
	if err == nil {
		m.window = drift.NewWindow(of, rows)
	}
	return err
}

// drift answers how the last rows differ from those of training, in words or, if JSON is accepted, as tskgraph watch --json does.
func (s *Server) drift(a *answer, q *http.Request) error {
	m, err := s.asked(q)
	if err != nil {
		return err
	}
	if m.window == nil {
		return refusal(http.StatusNotFound, "rows of the model %s are not compared: serve the directory of a run with its %s, and --window",
			m.Name, trainFile)
	}
	r, err := m.window.Compare(drift.Level)
	if err != nil {
		return refusal(http.StatusNotFound, "the model %s has had no rows yet", m.Name)
	}
	if strings.Contains(q.Header.Get("Accept"), jsonType) {
		return a.sendJSON(r)
	}
	var b bytes.Buffer
	for _, line := range append(r.Lead(), r.Changes...) {
		b.WriteString(line + "\n")
	}
	return a.send(http.StatusOK, "text/plain; charset=utf-8", b.Bytes())
}

// writeDrift writes the figures of the windows.
func (e *exposition) writeDrift(all []*served) {
	type compared struct {
		*served
		*drift.Report
	}
	var some []compared
	for _, m := range all {
		if m.window != nil {
			if r, err := m.window.Compare(drift.Level); err == nil {
				some = append(some, compared{m, r})
			}
		}
	}
	e.family("tskgraph_drift_changes", "gauge", "Changes of the last rows against those of training, at the level 0.01 for all together.")
	for _, c := range some {
		e.sample("", float64(len(c.Changes)), "model", c.Source.Name, "version", c.Version)
	}
	e.family("tskgraph_drift_stability_index", "gauge", "Population stability index of the last rows by column.")
	for _, c := range some {
		for _, column := range c.Report.Columns {
			e.sample("", column.Index, "model", c.Source.Name, "version", c.Version, "column", escape.Text(column.Name))
		}
	}
}
