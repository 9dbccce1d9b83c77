package scoring

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/model"
)

// TestRefused: each malformed request is refused with its reason, in the form of the protocol.
func TestRefused(t *testing.T) {
	m := exporttest.Case{Shape: "ramp", Response: "number", Page: true}.Model(t)
	table := exporttest.NewTable(t, m, 2)
	o := options(io.Discard)
	o.Limits.Rows = 10
	h := serve(t, o, Source{"m", "1", saved(t, m)}).routes()
	names := table.Header
	number := slices.IndexFunc(m.Schema.Columns, func(c data.Column) bool { return c.Numbers() && !c.Unused })
	name := quoted(names[number])
	row := func(change func(of map[string]any)) string {
		of := map[string]any{}
		for i, cell := range table.Cells[0] {
			of[names[i]] = cell
		}
		change(of)
		text, _ := json.Marshal(of)
		return string(text)
	}
	tensors := func(old, changed string) string {
		text := asTensors(names, table.Cells, false)
		if !strings.Contains(text, old) {
			t.Fatalf("no %s in %s", old, text)
		}
		return strings.Replace(text, old, changed, 1)
	}
	infer, plain, sound := "/v2/models/m/infer", "/predict", row(func(map[string]any) {})
	for _, c := range []struct {
		path, kind, body string
		status           int
		says             string
	}{
		{plain, jsonType, "", 400, "the body is not JSON: unexpected end"},
		{plain, jsonType, `{"a": NaN}`, 400, "invalid character 'N'"},
		{plain, jsonType, `{"a": Infinity}`, 400, "invalid character 'I'"},
		{plain, jsonType, strings.Repeat("[", 20_000), 400, "exceeded max depth"},
		{plain, jsonType, `[]`, 400, "no row"},
		{plain, jsonType, `[1]`, 400, "row 1: want an object"},
		{plain, jsonType, `null`, 400, "row 1: want an object"},
		{plain, jsonType, row(func(of map[string]any) { of["colour"] = 1 }), 400, `no column \"colour\"`},
		{plain, jsonType, row(func(of map[string]any) { delete(of, names[number]) }), 400, "is missing: give it a value, or null"},
		{plain, jsonType, row(func(of map[string]any) { of[names[number]] = []int{1} }), 400, "want a number, a text or null"},
		{plain, jsonType, row(func(of map[string]any) { of[names[number]] = true }), 400, `\"true\" is not a plain decimal number`},
		{plain, jsonType, row(func(of map[string]any) { of[names[number]] = "inf" }), 400, `\"inf\" is not finite`},
		{plain, jsonType, row(func(of map[string]any) { of[names[number]] = "cold" }), 400, "correct it, or leave it blank if it is not known"},
		{plain, jsonType, row(func(of map[string]any) { of[names[number]] = json.Number("1e400") }), 400, "beyond the range"},
		{plain, jsonType, row(func(of map[string]any) { of[names[number]] = json.Number("1e300") }), 400, "standard deviations or more"},
		{plain, jsonType, `[` + sound + `, {` + name + `:1,` + name + `:2}]`, 400, "row 2: column " + escaped(name) + " is given twice"},
		{plain, jsonType, "[" + strings.Repeat(sound+",", 10) + sound + "]", 413, "more than 10 rows"},
		{plain, "text/plain", "{}", 415, "want application/json or text/csv"},
		{plain, csvType, "", 400, "header"},
		{plain, csvType, "\x1f\x8b\x08", 400, "not delimited text"},
		{plain, csvType, asTable(names, nil), 400, "no row"},
		{plain, csvType, asTable(names[1:], nil), 400, "a column of the model: the table has no column"},
		{plain, csvType, asTable(append(slices.Clone(names), "colour"), nil), 400, `no column \"colour\"`},
		{plain, csvType, "a,a\n", 400, "line 1: columns 1 and 2 have the same name"},
		{plain + "?model=x", jsonType, "{}", 404, `no model \"x\"`},
		{plain + "?model=%zz", jsonType, "{}", 400, "the query: invalid URL escape"},
		{plain + "?model=x;version=2", jsonType, "{}", 400, "the query: invalid semicolon"},
		{plain + "?model=m&model=x", jsonType, "{}", 400, `the query has the key \"model\"`},
		{plain + "?rows=1", jsonType, "{}", 400, `the query has the key \"rows\"`},
		{"/v2/models/m/versions/9/infer", jsonType, "{}", 404, `of version \"9\"`},
		{infer, jsonType, `[]`, 400, "the body: want an object with inputs"},
		{infer, jsonType, `{}`, 400, "inputs: want at least one tensor"},
		{infer, jsonType, `{"inputs":{}}`, 400, "inputs: want an array"},
		{infer, jsonType, `{"inputs":[7]}`, 400, "inputs[0]: want an object"},
		{infer, jsonType, `{"input":[]}`, 400, `the key \"input\"`},
		{infer, jsonType, tensors(`"BYTES"`, `"FP128"`), 400, `datatype \"FP128\": want one of`},
		{infer, jsonType, tensors(`"BYTES"`, `"FP64"`), 400, "value 1 of data is no FP64"},
		{infer, jsonType, tensors(`"shape":[2]`, `"shape":[3]`), 400, "2 values in data, want 3"},
		{infer, jsonType, tensors(`"shape":[2]`, `"shape":[1]`), 400, "does not have the shape [1]"},
		{infer, jsonType, tensors(`"shape":[2]`, `"shape":[2,2]`), 400, "shape [2 2]: want [N] or [N,1]"},
		{infer, jsonType, tensors(`"shape":[2]`, `"shape":[-2]`), 400, "at most two whole numbers"},
		{infer, jsonType, tensors(`"shape":[2]`, `"shape":[9999999999]`), 413, "more than 10 rows"},
		{infer, jsonType, tensors(`"shape":[2]`, `"shape":[2],"parameters":{"binary_data_size":8}`), 400, "binary_data_size"},
		{infer, jsonType, tensors(`"id"`, `"outputs":[{"name":"colour"}],"id"`), 400, `no output \"colour\"`},
		{infer, jsonType, strings.Replace(asTensors(names, table.Cells, true), "],[", ",", 1), 400, "an array of 10 values, want 5"},
		{"/v3", jsonType, "", 404, "no such address: there are /predict"},
		{"/rules", jsonType, "", 405, "want GET"},
	} {
		status, text := ask(h, "POST", c.path, c.kind, c.body)
		var said struct{ Error string }
		if err := json.Unmarshal([]byte(text), &said); status != c.status || err != nil || !strings.Contains(text, c.says) ||
			strings.Contains(text, "data.") { // a key of training, which a client cannot set
			t.Errorf("%s %.200s: %d %s, want %d %s", c.path, c.body, status, text, c.status, c.says)
		}
	}
}

func escaped(text string) string { return strings.ReplaceAll(text, `"`, `\"`) }

// TestMutants: requests with random faults are answered or refused, in JSON, while others are answered; nothing of one is in the answer to
// another.
func TestMutants(t *testing.T) {
	m := exporttest.Case{Shape: "ramp", Response: "number", ImputeMeans: true, Page: true}.Model(t)
	category := slices.IndexFunc(m.Schema.Columns, func(c data.Column) bool { return !c.Numbers() })
	var log bytes.Buffer
	h := serve(t, options(&log), Source{"m", "1", saved(t, m)}).routes()
	table := exporttest.NewTable(t, m, 3)
	marked := func(mark string) [][]string {
		var cells [][]string
		for _, row := range table.Cells {
			own := slices.Clone(row)
			own[category] = mark
			cells = append(cells, own)
		}
		return cells
	}
	bodies := func(mark string) []struct{ path, kind, body string } {
		cells := marked(mark)
		return []struct{ path, kind, body string }{{"/predict", jsonType, asRows(table.Header, cells)},
			{"/predict", csvType, asTable(table.Header, cells)}, {"/v2/models/m/infer", jsonType, asTensors(table.Header, cells, false)},
			{"/v2/models/m/infer", jsonType, asTensors(table.Header, cells, true)}}
	}
	mark := func(client int) string { return "mark" + string(rune('P'+client)) } // which no mutant turns into another
	refused, each := atomic.Int64{}, testenv.CaseNumber(150, 250, 25_000)
	var clients sync.WaitGroup
	for client := range 4 {
		clients.Go(func() {
			rng, own := rand.New(rand.NewPCG(uint64(client), 1)), mark(client)
			all := bodies(own)
			for i := range each {
				c := all[rng.IntN(len(all))]
				if i%3 > 0 {
					c.body = mutant(c.body, rng)
				}
				status, text := ask(h, "POST", c.path, c.kind, c.body)
				for other := range 4 {
					if other != client && strings.Contains(text, mark(other)) {
						t.Errorf("an answer to %s has a row of another: %s", own, text)
					}
				}
				switch {
				case !json.Valid([]byte(text)) || status != 200 && status != 400 && status != 413:
					t.Errorf("%d %s to %q", status, text, c.body)
				case i%3 == 0 && (status != 200 || strings.Count(text, own) != 3):
					t.Errorf("%d %s to a request without faults", status, text)
				case status != 200:
					refused.Add(1)
				}
			}
		})
	}
	clients.Wait()
	if n := refused.Load(); n < int64(4*each/3) {
		t.Errorf("only %d requests were refused", n)
	}
	if strings.Contains(log.String(), "mark") || strings.Contains(log.String(), "failed") {
		t.Errorf("logs: %s", log.String())
	}
}

// mutant changes, removes, repeats or inserts a part of a text.
func mutant(text string, rng *rand.Rand) string {
	for range 1 + rng.IntN(3) {
		from := rng.IntN(len(text) + 1)
		to := min(len(text), from+rng.IntN(12))
		parts := []string{"", text[from:to] + text[from:to], `"`, "{", "]", `\`, "\x00", "\xff", "null", "-", "1e999", "\n", `,"x":1`, "9", "[["}
		text = text[:from] + parts[rng.IntN(len(parts))] + text[to:]
		if text == "" {
			text = "x"
		}
	}
	return text
}

// live starts a server on a port of this machine; its end must be clean.
func live(t *testing.T, o Options, sources ...Source) (s *Server, address string) {
	t.Helper()
	s = serve(t, o, sources...)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return s, l.Addr().String()
}

// TestLimits: bodies that are too large or late, headers that flood, too many requests and connections get their error, and others are
// answered.
func TestLimits(t *testing.T) {
	m := exporttest.Case{Shape: "ramp", Response: "number", Page: true}.Model(t)
	table := exporttest.NewTable(t, m, 3)
	o := options(io.Discard)
	o.Limits = Limits{BodyBytes: 100_000, HeldBytes: 300_000, Header: time.Second, Body: 500 * time.Millisecond, Time: time.Second,
		Requests: 2, Connections: 64}
	s, address := live(t, o, Source{"m", "1", saved(t, m)})
	body := asRows(table.Header, table.Cells)
	begin := "POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
	var all sync.WaitGroup
	for _, c := range []struct{ text, want string }{
		{begin + "Content-Length: 1073741824\r\n\r\n[", "413"},
		{begin + "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat("2710\r\n"+strings.Repeat(" ", 10_000)+"\r\n", 11), "413"},
		{begin + "Content-Length: 10\r\n\r\n[", "408"},
		{begin + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", "408"},
		{begin + "X: " + strings.Repeat("x", 20_000) + "\r\n\r\n", "431"},
		{begin, ""},
		{begin + "Expect: nothing\r\n\r\n", "417"},
		{"GET /v2/health/ready HTTP/1.1\r\nHost: localhost\r\n\r\n", "200"},
		{"GET /v2/health/ready HTTP/1.1\r\nHost: evil.example\r\n\r\n", "421"},
		{fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", begin, len(body), body), "200"},
	} {
		all.Go(func() {
			if got := firstLine(t, address, c.text); !strings.Contains(got, c.want) || c.want == "" && got != "" {
				t.Errorf("%.150q: %q, want %s", c.text, got, c.want)
			}
		})
	}
	all.Wait()
	if held := s.held.Load(); held != 0 {
		t.Errorf("%d bytes are held after all requests", held)
	}
	for _, c := range []struct {
		full chan struct{}
		want int
	}{{s.work, 503}, {s.slots, 429}} {
		for range cap(c.full) {
			c.full <- struct{}{}
		}
		r, err := http.Post("http://"+address+"/predict", jsonType, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if r.Body.Close(); r.StatusCode != c.want || r.Header.Get("Retry-After") != "1" {
			t.Errorf("a busy server: %s, want %d", r.Status, c.want)
		}
		for range cap(c.full) {
			<-c.full
		}
	}
	for range 100 { // of which 64 are open at a time, and idle ones end
		c, err := net.Dial("tcp4", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	if got := firstLine(t, address, "GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"); !strings.Contains(got, "200") {
		t.Errorf("after many connections: %q", got)
	}
	if n := s.metrics.connections.Load(); n > 64 {
		t.Errorf("%d connections are open", n)
	}
}

// firstLine sends a text, and returns the first line of the answer.
func firstLine(t *testing.T, address, text string) string {
	t.Helper()
	c, err := net.Dial("tcp4", address)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	_, _ = io.WriteString(c, text) // the server may close before it has read all
	line, _ := bufio.NewReader(c).ReadString('\n')
	return line
}

// TestToken: who has none of the tokens gets nothing but whether the server lives; tokens are read again.
func TestToken(t *testing.T) {
	m := exporttest.Case{Shape: "ramp", Response: "number", Page: true}.Model(t)
	o := options(io.Discard)
	o.Tokens = filepath.Join(t.TempDir(), "tokens")
	writeText(t, o.Tokens, "first-token\nsecond-token\n")
	s := serve(t, o, Source{"m", "1", saved(t, m)})
	h := s.routes()
	status := func(path, authorization string) int {
		q := httptest.NewRequest("GET", path, nil)
		q.Header.Set("Authorization", authorization)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, q)
		return w.Code
	}
	for authorization, want := range map[string]int{"": 401, "Bearer": 401, "Bearer ": 401, "Bearer first-toke": 401, "Basic first-token": 401,
		"Bearer first-token second-token": 401, "Bearer first-token": 200, "bearer second-token": 200} {
		for _, r := range routes {
			if path := strings.NewReplacer("{$}", "", "{name}", "m", "{version}", "1").Replace(r.path); r.method == "GET" {
				want := want
				if path == "/drift" && want == 200 {
					want = 404 // no training part
				}
				if got := status(path, authorization); !r.open && got != want || r.open && got != 200 {
					t.Errorf("%s of %q: %d, want %d", path, authorization, got, want)
				}
			}
		}
	}
	writeText(t, o.Tokens, "third-token")
	s.Refresh(t.Context())
	if a, b := status("/rules", "Bearer first-token"), status("/rules", "Bearer third-token"); a != 401 || b != 200 {
		t.Errorf("after a change: %d and %d", a, b)
	}
	writeText(t, o.Tokens, " \n")
	s.Refresh(t.Context())
	if a, b := status("/rules", ""), status("/rules", "Bearer third-token"); a != 401 || b != 200 {
		t.Errorf("after the tokens were lost: %d and %d", a, b)
	}
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestReload: while models are exchanged, each request is answered, by one of them; a damaged model, and one that does not predict its
// training rows as recorded, are not served.
func TestReload(t *testing.T) {
	dir, m := trained(t)
	var log syncBuffer
	o := options(&log)
	o.Watch = 2 * time.Millisecond
	s, address := live(t, o, Source{"m", "1", dir})
	other := *m
	other.Preprocessing.Target.Min-- // of the model, not of its predictions
	table := exporttest.NewTable(t, m, 1)
	body := asRows(table.Header, table.Cells)
	var stop atomic.Bool
	var asked, lost atomic.Int64
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			for !stop.Load() {
				r, err := http.Post("http://"+address+"/predict", jsonType, strings.NewReader(body))
				if asked.Add(1); err != nil || r.StatusCode != 200 {
					lost.Add(1)
					continue
				}
				text, _ := io.ReadAll(r.Body)
				r.Body.Close()
				var got predicted
				if err := json.Unmarshal(text, &got); err != nil || got.Rows[0].Prediction != table.Want[0][0] {
					lost.Add(1)
				}
			}
		})
	}
	path := filepath.Join(dir, model.FileName)
	sum := func() string { return (*s.models.Load())[0].checksum }
	save := func(m *model.Model) {
		if err := m.Save(path); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 20 {
		before := sum()
		save([]*model.Model{&other, m}[i%2])
		await(t, "a reload", func() bool { return sum() != before })
	}
	kept := sum()
	wrong := *m
	wrong.Training.Metrics = map[string]float64{"rmse_train": 17}
	written := func() { // at once, as tskgraph writes models
		writeText(t, path+".new", "{")
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
	}
	for _, damage := range []func(){func() { save(&wrong) }, written, func() { os.Remove(path) }} {
		failed := s.metrics.reloads[1].Load()
		damage()
		await(t, "a failed reload", func() bool { return s.metrics.reloads[1].Load() > failed })
	}
	time.Sleep(20 * time.Millisecond)
	if n := s.metrics.reloads[1].Load(); n != 3 || sum() != kept {
		t.Errorf("%d failures, want one for each change; served %s, want %s", n, sum(), kept)
	}
	save(&other)
	await(t, "the model after the faults", func() bool { return sum() != kept })
	stop.Store(true)
	clients.Wait()
	if lost.Load() > 0 || asked.Load() < 20 {
		t.Errorf("%d of %d requests were lost", lost.Load(), asked.Load())
	}
	if !strings.Contains(log.String(), "the files are of two trainings") {
		t.Errorf("logs: %s", log.String())
	}
}

func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s has not come", what)
		}
	}
}

// TestSources: what names models.
func TestSources(t *testing.T) {
	for text, want := range map[string]Source{"runs/a-001": {"a-001", "1", "runs/a-001"}, "x/m.json": {"m", "1", "x/m.json"},
		"heat=runs/a b": {"heat", "1", "runs/a b"}, "heat:2024.1=r": {"heat", "2024.1", "r"}} {
		if got, err := ParseSource(text); got != want || err != nil {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"runs/a b", "=r", "a/b=r", "a=", "a:b:c=r", "..=r"} {
		if got, err := ParseSource(text); err == nil {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// syncBuffer is a buffer that several goroutines write.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
