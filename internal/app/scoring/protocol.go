package scoring

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// infer answers in the form of the Open Inference Protocol.
func (s *Server) infer(a *answer, q *http.Request) error {
	m, err := s.asked(q)
	if err != nil {
		return err
	}
	body, _, err := s.read(a, q, jsonType)
	if err != nil {
		return err
	}
	if q.Header.Get("Inference-Header-Content-Length") != "" {
		return refusal(http.StatusBadRequest, "tensors in binary form are not supported: send their data as JSON")
	}
	ctx, leave, err := s.enter(q)
	if err != nil {
		return err
	}
	defer leave()
	w, err := newWalk(body)
	if err != nil {
		return refusal(http.StatusBadRequest, "%s", err)
	}
	r, err := readInference(w)
	if err != nil {
		return err
	}
	outputs, err := m.chosen(r.outputs)
	if err != nil {
		return err
	}
	sc, err := m.borrow()
	if err != nil {
		return err
	}
	defer m.release(sc)
	sc.cells.Reset(w.text)
	if err := s.readTensors(m, w, r, sc); err != nil {
		return err
	}
	if err := rowFault(sc.cells.Read()); err != nil {
		return err
	}
	flagged := slices.ContainsFunc(outputs, func(o output) bool { return o.name == flagsOutput })
	scores, err := m.score(ctx, batch{sc.cells.X, sc.cells.Exposed, sc.cells.Cell, sc.cells.Missing}, flagged)
	if err != nil {
		return err
	}
	a.rows, a.out = scores.n, scores.appendInference(a.out, r, outputs)
	return a.send(http.StatusOK, jsonType, a.out)
}

// chosen returns the outputs of these names, or all without names.
func (m *served) chosen(names []string) (some []output, err error) {
	if names == nil {
		return m.outputs, nil
	}
	for _, name := range names {
		at := slices.IndexFunc(m.outputs, func(o output) bool { return o.name == name })
		if at < 0 {
			return nil, refusal(http.StatusBadRequest, "the model has no output %s: GET /v2/models/%s lists them", escape.Quote(name), m.Name)
		}
		some = append(some, m.outputs[at])
	}
	return some, nil
}

// output is an output of inferences.
type output struct {
	name, datatype string
	width          int // 0: the shape is [N], else [N,width]
	cell           func(out []byte, s *scores, n, j int) []byte
}

const flagsOutput = "flags"

// outputsOf returns the outputs of a model.
func outputsOf(m *served) (all []output) {
	numbers := func(name string, width int, value func(s *scores, n, j int) float64) {
		all = append(all, output{name, "FP64", width, func(out []byte, s *scores, n, j int) []byte {
			return appendNumber(out, value(s, n, j))
		}})
	}
	texts := func(name string, text func(s *scores, n int) string) {
		all = append(all, output{name, "BYTES", 0, func(out []byte, s *scores, n, _ int) []byte { return append(out, quoted(text(s, n))...) }})
	}
	targets := 0
	if m.Schema.Others != nil {
		targets = 1 + len(m.Schema.Others)
	}
	values := func(s *scores, n, j int) float64 { return s.all[j][n] }
	switch J := len(m.Values()); {
	case m.Schema.Classes != nil:
		texts("prediction", func(s *scores, n int) string { return s.class(n) })
		numbers("probability", J, values)
	case targets > 0:
		numbers("prediction", targets, values)
	default:
		numbers("prediction", 0, func(s *scores, n, _ int) float64 { return s.p.Values[n] })
		if J > 1 {
			numbers("quantiles", J, values)
		}
	}
	if m.level != 0 && m.Schema.Classes != nil {
		texts("set", func(s *scores, n int) string { return strings.Join(s.set(n), "|") })
	} else if m.level != 0 {
		numbers("lower", targets, func(s *scores, n, j int) float64 { return s.low[j][n] })
		numbers("upper", targets, func(s *scores, n, j int) float64 { return s.high[j][n] })
	}
	if !m.Committee() {
		width := 0
		if len(m.Pages) > 1 {
			width = len(m.Pages)
		}
		all = append(all, output{"rule", "INT64", width, func(out []byte, s *scores, n, j int) []byte {
			return strconv.AppendInt(out, int64(s.decides[j][n]+1), 10)
		}})
	}
	texts(flagsOutput, func(s *scores, n int) string { return flagText(s.flags[n]) })
	return all
}

// appendInference appends the answer to a request.
func (s *scores) appendInference(out []byte, q inference, outputs []output) []byte {
	m := s.m
	out = append(append(append(append(out, `{"model_name":"`...), m.Name...), `","model_version":"`...), m.Version...)
	if q.id != "" {
		out = append(append(out, `","id":`...), quoted(q.id)...)
	} else {
		out = append(out, '"')
	}
	out = append(out, `,"outputs":[`...)
	for i, o := range outputs {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(append(out, `{"name":"`...), o.name...), `","datatype":"`...), o.datatype...)
		out = strconv.AppendInt(append(out, `","shape":[`...), int64(s.n), 10)
		if o.width > 0 {
			out = strconv.AppendInt(append(out, ','), int64(o.width), 10)
		}
		out = append(out, `],"data":[`...)
		for n := range s.n {
			for j := range max(1, o.width) {
				if n+j > 0 {
					out = append(out, ',')
				}
				out = o.cell(out, s, n, j)
			}
		}
		out = append(out, "]}"...)
	}
	return append(out, "]}"...)
}

// about answers what the server is, and which models it has.
func (s *Server) about(a *answer, _ *http.Request) error {
	models := []map[string]string{}
	for _, m := range *s.models.Load() {
		models = append(models, map[string]string{"name": m.Name, "version": m.Version, "target": m.Schema.Target})
	}
	return a.sendJSON(map[string]any{"name": "tskgraph", "version": s.options.Version, "extensions": []string{}, "models": models})
}

// metadata answers with the inputs and outputs of a model.
func (s *Server) metadata(a *answer, q *http.Request) error {
	m, err := s.asked(q)
	if err != nil {
		return err
	}
	type tensor struct {
		Name     string `json:"name"`
		Datatype string `json:"datatype"`
		Shape    []int  `json:"shape"`
	}
	var versions []string
	for _, other := range *s.models.Load() {
		if other.Name == m.Name {
			versions = append(versions, other.Version)
		}
	}
	var inputs, outputs []tensor
	for at, name := range m.names {
		kind := "BYTES"
		if m.numbers[at] {
			kind = "FP64"
		}
		inputs = append(inputs, tensor{name, kind, []int{-1}})
	}
	for _, o := range m.outputs {
		shape := []int{-1}
		if o.width > 0 {
			shape = append(shape, o.width)
		}
		outputs = append(outputs, tensor{o.name, o.datatype, shape})
	}
	return a.sendJSON(map[string]any{"name": m.Name, "versions": versions, "platform": "tskgraph", "inputs": inputs, "outputs": outputs})
}

func (s *Server) modelReady(a *answer, q *http.Request) error {
	m, err := s.asked(q)
	if err != nil {
		return err
	}
	return a.sendJSON(map[string]any{"name": m.Name, "ready": true})
}

func (s *Server) live(a *answer, _ *http.Request) error {
	return a.sendJSON(map[string]bool{"live": true})
}

func (s *Server) isReady(a *answer, _ *http.Request) error {
	if !s.ready.Load() {
		return refusal(http.StatusServiceUnavailable, "the server is ending")
	}
	return a.sendJSON(map[string]bool{"ready": true})
}
