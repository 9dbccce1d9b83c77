package scoring

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/model"
)

// asked returns the model that a request names in its path or, in the plain form, its query.
func (s *Server) asked(q *http.Request) (*served, error) {
	if name := q.PathValue("name"); name != "" {
		return s.find(name, q.PathValue("version"))
	}
	if q.URL.RawQuery == "" {
		return s.find("", "")
	}
	query, err := url.ParseQuery(q.URL.RawQuery)
	if err != nil { // of which the default model is not to answer the rest
		return nil, refusal(http.StatusBadRequest, "the query: %s", err)
	}
	for key, values := range query {
		if key != "model" && key != "version" || len(values) > 1 {
			return nil, refusal(http.StatusBadRequest, "the query has the key %s: want model and version, once each", escape.Quote(key))
		}
	}
	return s.find(query.Get("model"), query.Get("version"))
}

const csvType = "text/csv"

// eachBatch reads the rows of a request in the plain form, and calls do with them.
func (s *Server) eachBatch(a *answer, q *http.Request, m *served, do func(ctx context.Context, b batch) error) error {
	body, kind, err := s.read(a, q, jsonType, csvType)
	if err != nil {
		return err
	}
	ctx, leave, err := s.enter(q)
	if err != nil {
		return err
	}
	defer leave()
	read := s.readRows
	if kind == csvType {
		read = s.readTable
	}
	return read(m, body, func(b batch) error { return do(ctx, b) })
}

// predict answers in the plain form.
func (s *Server) predict(a *answer, q *http.Request) error {
	m, err := s.asked(q)
	if err != nil {
		return err
	}
	a.out = append(a.out, m.head...)
	err = s.eachBatch(a, q, m, func(ctx context.Context, b batch) error {
		scores, err := m.score(ctx, b, true)
		if err != nil {
			return err
		}
		for n := range scores.n {
			if a.rows++; a.rows > 1 {
				a.out = append(a.out, ',')
			}
			a.out = scores.appendRow(a.out, n)
		}
		return nil
	})
	if err != nil {
		return err
	}
	a.out = append(a.out, "]}\n"...)
	return a.send(http.StatusOK, jsonType, a.out)
}

// explain answers with Shapley values and the parts of the rules, as tskgraph explain --json does.
func (s *Server) explain(a *answer, q *http.Request) error {
	m, err := s.asked(q)
	if err != nil {
		return err
	}
	if m.train == nil {
		return refusal(http.StatusNotFound, "the model %s has no training part to compare with: serve the directory of a run with its %s",
			m.Name, trainFile)
	}
	all := []any{}
	err = s.eachBatch(a, q, m, func(ctx context.Context, b batch) error {
		if len(all)+len(b.x) > s.limits.Explained {
			return refusal(http.StatusRequestEntityTooLarge, "more than %d rows to explain: divide the request", s.limits.Explained)
		}
		for _, x := range m.Fill(&data.Dataset{X: b.x, Missing: data.Missing{Policy: "mean"}}).X {
			if err := ctx.Err(); err != nil {
				return err
			}
			one, err := m.explainRow(x)
			var fault *model.SampleError
			if errors.As(err, &fault) {
				return refusal(http.StatusBadRequest, "row %d: %s", len(all)+1, fault.Message)
			}
			if err != nil {
				return err
			}
			all = append(all, one)
		}
		return nil
	})
	if err != nil {
		return err
	}
	a.rows = len(all)
	return a.sendJSON(map[string]any{"model": m.Name, "version": m.Version, "rows": all})
}

func (m *served) explainRow(x []float64) (any, error) {
	if m.Number() {
		return words.Explain(m.Model, x, m.shapley, m.train)
	}
	return words.ExplainResponse(m.Model, x, m.train, m.train)
}

// sendJSON answers with a value.
func (a *answer) sendJSON(v any) error {
	var b bytes.Buffer
	if err := escape.PrintJSON(&b, v); err != nil {
		return err
	}
	return a.send(http.StatusOK, jsonType, b.Bytes())
}

// rules answers with the rules as tskgraph show prints them, as text or, if JSON is accepted, as JSON.
func (s *Server) rules(a *answer, q *http.Request) error {
	m, err := s.asked(q)
	if err != nil {
		return err
	}
	if strings.Contains(q.Header.Get("Accept"), jsonType) {
		return a.sendJSON(words.Worded(m.description))
	}
	return a.send(http.StatusOK, "text/plain; charset=utf-8", []byte(m.description.Sentences().Text))
}

// viewPolicy is of the page, which runs what is written into it, with an origin of its own, and connects to nothing.
const viewPolicy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; " +
	"form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts allow-downloads"

// viewer answers with the page on the model or, without one, its rules.
func (s *Server) viewer(a *answer, q *http.Request) error {
	m, err := s.asked(q)
	if err != nil {
		return err
	}
	ctx, leave, err := s.enter(q)
	if err != nil {
		return err
	}
	defer leave()
	m.viewing.Lock()
	defer m.viewing.Unlock()
	if m.viewed == nil && s.options.Viewer != nil {
		if m.viewed, err = s.options.Viewer(ctx, m.Model, m.Path); err != nil {
			return err
		}
	}
	if m.viewed == nil {
		return s.rules(a, q)
	}
	a.Header().Set("Content-Security-Policy", viewPolicy)
	return a.send(http.StatusOK, "text/html; charset=utf-8", m.viewed)
}

func (s *Server) nothing(*answer, *http.Request) error {
	var paths []string
	for _, r := range routes[:len(routes)-1] {
		paths = append(paths, strings.TrimSuffix(r.path, "{$}"))
	}
	return refusal(http.StatusNotFound, "no such address: there are %s", strings.Join(paths, ", "))
}
