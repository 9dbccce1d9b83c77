package scoring

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/model"
)

// options are those of tests: rules are described without a table.
func options(log io.Writer) Options {
	return Options{Version: "test", Level: 0.9, Log: slog.New(slog.NewJSONHandler(log, nil)),
		Describe: func(_ context.Context, m *model.Model, _ string) (words.Description, error) {
			return words.Model(m), nil
		}}
}

// saved writes a model to a file.
func saved(t testing.TB, m *model.Model) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.json")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// serve returns a server of models.
func serve(t testing.TB, o Options, sources ...Source) *Server {
	t.Helper()
	s, err := New(t.Context(), sources, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ask sends a request to a handler.
func ask(h http.Handler, method, path, kind, body string) (status int, answer string) {
	q := httptest.NewRequest(method, path, strings.NewReader(body))
	q.Host = "localhost:8080"
	q.Header.Set("Content-Type", kind)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, q)
	return w.Code, w.Body.String()
}

// ok is ask of a request that is answered.
func ok(t testing.TB, h http.Handler, method, path, kind, body string, into any) {
	t.Helper()
	status, text := ask(h, method, path, kind, body)
	if status != http.StatusOK {
		t.Fatalf("%s %s: %d %s", method, path, status, text)
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%s %s: %v in %s", method, path, err, text)
	}
}

// inferred is an answer of the protocol.
type inferred struct {
	ID      string
	Outputs []struct {
		Name, Datatype string
		Shape          []int
		Data           []any
	}
}

// predicted is an answer in the plain form.
type predicted struct {
	Rows []struct {
		Prediction               any
		Probabilities, Quantiles map[string]float64
		Lower, Upper             any
		Rule, Because            any
		Flags                    []string
	}
}

// asRows writes cells as rows of JSON.
func asRows(header []string, cells [][]string) string {
	var rows []map[string]any
	for _, row := range cells {
		of := map[string]any{}
		for i, name := range header {
			of[name] = row[i]
			if _, err := strconv.ParseFloat(row[i], 64); err == nil && json.Valid([]byte(row[i])) {
				of[name] = json.Number(row[i])
			}
		}
		rows = append(rows, of)
	}
	text, _ := json.Marshal(rows)
	return string(text)
}

// asTable writes cells as a table.
func asTable(header []string, cells [][]string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.WriteAll(append([][]string{header}, cells...))
	return b.String()
}

// asTensors writes cells as a request of the protocol: one matrix, or a tensor of each column.
func asTensors(header []string, cells [][]string, matrix bool) string {
	type tensor struct {
		Name     string `json:"name"`
		Datatype string `json:"datatype"`
		Shape    []int  `json:"shape"`
		Data     any    `json:"data"`
	}
	all := []tensor{{"all of them", "BYTES", []int{len(cells), len(header)}, cells}}
	if !matrix {
		all = nil
		for i, name := range header {
			var column []string
			for _, row := range cells {
				column = append(column, row[i])
			}
			all = append(all, tensor{name, "BYTES", []int{len(cells)}, column})
		}
	}
	text, _ := json.Marshal(map[string]any{"id": "7", "inputs": all})
	return string(text)
}

// TestBits: in each form, the predictions of each kind of model have the bits of predict, and the rules that decide are those of the model.
func TestBits(t *testing.T) {
	exporttest.Each(t, func(t *testing.T, _ exporttest.Case, m *model.Model, table *exporttest.Table) {
		h := serve(t, options(io.Discard), Source{"m", "1", saved(t, m)}).routes()
		table.Cells = table.Cells[:min(len(table.Cells), 1000)] // a request has at most 10,000 rows and takes 10 s
		text := asTable(table.Header, table.Cells)
		var b bytes.Buffer
		if _, err := m.PredictTable(t.Context(), data.Input{Name: "t", Reader: strings.NewReader(text)}, model.TableOptions{}, &b); err != nil {
			t.Fatal(err)
		}
		want, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		names := model.PredictedColumns(m)
		for _, matrix := range []bool{false, true} {
			var got inferred
			ok(t, h, "POST", "/v2/models/m/infer", jsonType, asTensors(table.Header, table.Cells, matrix), &got)
			for n := range table.Cells {
				compareCells(t, n, want[n+1][len(table.Header):], names, rowOf(got, n))
			}
		}
		for kind, body := range map[string]string{jsonType: asRows(table.Header, table.Cells), csvType: text} {
			var got predicted
			ok(t, h, "POST", "/predict", kind, body, &got)
			for n, row := range got.Rows {
				compareCells(t, n, want[n+1][len(table.Header):], names, plainly(m, row.Prediction, row.Probabilities, row.Quantiles))
			}
		}
	})
}

// rowOf returns the values of a row of an answer of the protocol in the order of predict.
func rowOf(got inferred, n int) (all []any) {
	for _, o := range got.Outputs {
		width := 1
		if len(o.Shape) > 1 {
			width = o.Shape[1]
		}
		switch o.Name {
		case "prediction", "probability", "quantiles":
			all = append(all, o.Data[n*width:(n+1)*width]...)
		}
	}
	return all
}

// plainly returns the values of a row of the plain form in the order of predict.
func plainly(m *model.Model, prediction any, probabilities, quantiles map[string]float64) (all []any) {
	if several, is := prediction.(map[string]any); is {
		for _, name := range m.Schema.Targets() {
			all = append(all, several[name])
		}
		return all
	}
	all = append(all, prediction)
	for _, v := range m.Values() {
		if p, there := probabilities[v.Choice()]; there {
			all = append(all, p)
		}
		if q, there := quantiles[v.Choice()]; there {
			all = append(all, q)
		}
	}
	return all
}

func compareCells(t *testing.T, n int, want, names []string, got []any) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("row %d: %d values, want %d: %v", n, len(got), len(want), names)
	}
	for j, cell := range want {
		v, number := got[j].(float64)
		var w float64
		if number {
			_, _ = fmt.Sscan(cell, &w)
		}
		if number && math.Float64bits(v) != math.Float64bits(w) || !number && got[j] != cell {
			t.Fatalf("row %d: %s is %v, predict says %s", n, names[j], got[j], cell)
		}
	}
}

// trained writes the directory of a run: a page with its training part, calibrated, and the model.
func trained(t testing.TB) (dir string, m *model.Model) {
	t.Helper()
	dir = t.TempDir()
	c := exporttest.Case{Shape: "ramp", Response: "number", ImputeMeans: true, Page: true}
	m = c.Model(t)
	table := exporttest.NewTable(t, m, 120)
	text := strings.Split(strings.TrimSpace(asTable(table.Header, table.Cells)), "\n")
	text[0] += "," + m.Schema.Target
	for n := range table.Cells {
		text[n+1] += fmt.Sprintf(",%v", table.Want[n][0]+float64(n%7)-3)
	}
	path := filepath.Join(dir, trainFile)
	if err := os.WriteFile(path, []byte(strings.Join(text, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := data.ReadAs(path, m.Schema, data.Options{Delimiter: "auto", Lenient: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Calibrate(t.Context(), d, nil); err != nil {
		t.Fatal(err)
	}
	e, err := m.Evaluate(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	m.Training.Samples, m.Training.Metrics = d.Len(), map[string]float64{"rmse_train": e.RMSE}
	if err := m.Save(filepath.Join(dir, model.FileName)); err != nil {
		t.Fatal(err)
	}
	return dir, m
}

// TestAnswers: an answer says the interval, the rule that decides in words and what is doubtful; explanations add up.
func TestAnswers(t *testing.T) {
	dir, m := trained(t)
	h := serve(t, options(io.Discard), Source{"m", "1", dir}, Source{"m", "2", dir}, Source{"other", "1", saved(t, m)}).routes()
	table := exporttest.NewTable(t, m, 40)
	rows := asRows(table.Header, table.Cells)
	var got predicted
	ok(t, h, "POST", "/predict?model=m&version=1", jsonType, rows, &got)
	d, err := data.ReadAs(filepath.Join(dir, trainFile), m.Schema, data.Options{Delimiter: "auto", Lenient: true})
	if err != nil {
		t.Fatal(err)
	}
	decides, err := m.Decides(m.Fill(d).X[:1])
	if err != nil {
		t.Fatal(err)
	}
	doubtful := 0
	description := words.Model(m)
	for n, row := range got.Rows {
		low, high, p := row.Lower.(float64), row.Upper.(float64), row.Prediction.(float64)
		rule := int(row.Rule.(float64))
		says := description.Say(description.Rules[rule-1]).Sentence()
		if !(low <= p && p <= high) || row.Because != says || n == 0 && rule != decides[0][0]+1 {
			t.Errorf("row %d: %v in [%v, %v] by rule %d, %v; want %s", n, p, low, high, rule, row.Because, says)
		}
		doubtful += len(row.Flags)
	}
	if doubtful == 0 {
		t.Error("no row has a flag, though cells are missing, unknown and far outside")
	}
	var explained struct {
		Rows []struct {
			Prediction float64
			Background struct{ Mean float64 }
			Columns    []struct{ Contribution float64 }
		}
	}
	ok(t, h, "POST", "/explain", jsonType, rows, &explained)
	for n, e := range explained.Rows {
		sum := e.Background.Mean
		for _, c := range e.Columns {
			sum += c.Contribution
		}
		if p := got.Rows[n].Prediction.(float64); e.Prediction != p || math.Abs(sum-p) > 1e-9*(1+math.Abs(p)) {
			t.Errorf("row %d: %v explained as %v, predicted %v", n, sum, e.Prediction, p)
		}
	}
	if status, text := ask(h, "POST", "/explain?model=other", jsonType, rows); status != 404 || !strings.Contains(text, "no training part") {
		t.Errorf("without a training part: %d %s", status, text)
	}
}

var promLine = regexp.MustCompile(`^[a-z_]+(\{[a-z0-9_]+="([^"\\]|\\.)*"(,[a-z0-9_]+="([^"\\]|\\.)*")*\})? -?[0-9.e+-]+\n$`)

// TestDescribed: what programs read of the server: its models, their columns and counts.
func TestDescribed(t *testing.T) {
	dir, m := trained(t)
	o := options(io.Discard)
	o.Window = 80
	h := serve(t, o, Source{"m", "1", dir}, Source{"m", "2", dir}).routes()
	if status, text := ask(h, "GET", "/drift", "", ""); status != 404 || !strings.Contains(text, "no rows yet") {
		t.Errorf("/drift without rows: %d %s", status, text)
	}
	var meta struct {
		Versions        []string
		Inputs, Outputs []struct{ Name, Datatype string }
	}
	ok(t, h, "GET", "/v2/models/m/versions/1", "", "", &meta)
	var openAPI struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]map[string]any
				Required   []string
			}
		}
	}
	ok(t, h, "GET", "/openapi.json", "", "", &openAPI)
	row := openAPI.Components.Schemas["Row"]
	at := 0
	for _, c := range m.Schema.Columns {
		f := m.Features[at]
		at += c.Width()
		if c.Unused {
			continue
		}
		of, levels, in := row.Properties[c.Name], []any{}, meta.Inputs[0]
		meta.Inputs = meta.Inputs[1:]
		for _, level := range c.Levels {
			levels = append(levels, level)
		}
		want := map[string]any{"x-training-range": []any{f.Min, f.Max}, "x-unit": c.Unit, "type": "FP64"}
		if !c.Numbers() {
			want = map[string]any{"x-categories": levels, "type": "BYTES"}
		}
		for key, v := range want {
			if got := of[key]; key != "type" && v != "" && fmt.Sprint(got) != fmt.Sprint(v) {
				t.Errorf("%s: %s is %v, want %v", c.Name, key, got, v)
			}
		}
		if in.Name != c.Name || in.Datatype != want["type"] {
			t.Errorf("input %v of %s", in, c.Name)
		}
	}
	if len(row.Required) != len(row.Properties) || len(meta.Versions) != 2 || len(meta.Outputs) != 5 {
		t.Errorf("%d of %d columns required, versions %v, outputs %v", len(row.Required), len(row.Properties), meta.Versions, meta.Outputs)
	}
	table := exporttest.NewTable(t, m, 40)
	var got predicted
	ok(t, h, "POST", "/predict", jsonType, asRows(table.Header, table.Cells), &got)
	if status, text := ask(h, "GET", "/drift", "", ""); status != 200 || !strings.HasPrefix(text, "40 rows, compared with ") {
		t.Errorf("/drift: %d %s", status, text)
	}
	status, text := ask(h, "GET", "/metrics", "", "")
	for _, want := range []string{`tskgraph_requests_total{path="/predict",code="200"} 1`, `tskgraph_rows_total{model="m",version="2"} 40`,
		`tskgraph_request_duration_seconds_count{path="/predict"} 1`, `tskgraph_rows_total{model="m",version="1"} 0`,
		`tskgraph_drift_changes{model="m",version="2"} `} {
		if !strings.Contains(text, want+"\n") && !(strings.HasSuffix(want, " ") && strings.Contains(text, want)) || status != 200 {
			t.Errorf("metrics without %s", want)
		}
	}
	decided := 0
	for line := range strings.Lines(text) {
		var n int
		if strings.HasPrefix(line, `tskgraph_decisions_total{model="m",version="2",`) {
			_, _ = fmt.Sscan(line[strings.LastIndex(line, " "):], &n)
			decided += n
		}
		if !strings.HasPrefix(line, "# ") && !promLine.MatchString(line) {
			t.Errorf("metrics: %q", line)
		}
	}
	if decided != 40 {
		t.Errorf("rules decided %d rows, want 40", decided)
	}
	for path, want := range map[string]string{"/rules": words.Model(m).Sentences().Text, "/": words.Model(m).Sentences().Text} {
		if _, text := ask(h, "GET", path, "", ""); text != want {
			t.Errorf("%s: %s", path, text)
		}
	}
}
