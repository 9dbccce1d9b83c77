package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// again yields a head, then a text repeatedly, up to 10 GiB, and counts the bytes.
type again struct {
	head, text string
	at         int
	given      int64
}

func (a *again) Read(p []byte) (int, error) {
	n := copy(p, a.head)
	a.head = a.head[n:]
	for n < len(p) {
		k := copy(p[n:], a.text[a.at:])
		n, a.at = n+k, (a.at+k)%len(a.text)
	}
	if a.given += int64(n); a.given > 10<<30 {
		return 0, io.EOF
	}
	return n, nil
}

// Reading an endless file fails early.
func TestEndlessFiles(t *testing.T) {
	file := string(encode(t, small()))
	for _, c := range []struct {
		name, head, text, want string
	}{
		{"blanks", "", " ", "more than 64 KiB of white space"},
		{"lines", "", "\r\n", "more than 64 KiB of white space"},
		{"blanks within", `{"format":`, "\t", "more than 64 KiB of white space"},
		{"blanks behind", file, " \n", "unexpected data after the JSON value"},
		{"models", file, file, "unexpected data after the JSON value"},
		{"NUL", "", "\x00", "invalid character"},
		{"lists", "", "[", "exceeded max depth"},
		{"objects", "", `{"a":`, "exceeded max depth"},
		{"members", `{"content":`, `{"members":[`, "exceeded max depth"},
	} {
		in := &again{head: c.head, text: c.text}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Decode(in)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; in.given > 1<<20 || grown > 4<<20 {
			t.Errorf("%s: %d bytes read, %d allocated", c.name, in.given, grown)
		}
	}
	if n, err := io.Copy(io.Discard, &bounded{in: &again{text: strings.Repeat("x", maxBlanks)}}); err == nil || n > maxFile+maxBlanks {
		t.Errorf("%d bytes read, %v", n, err)
	}
}

// Decoding a file, valid or not, allocates less than 128 times its size in total.
func TestMemory(t *testing.T) {
	testenv.SkipRace(t)
	const size = 64 << 10
	list := func(item string) json.RawMessage {
		return json.RawMessage("[" + strings.TrimSuffix(strings.Repeat(item+",", size/len(item)), ",") + "]")
	}
	names := func(item string) json.RawMessage {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, ","+item, i)
		}
		return json.RawMessage("{" + b.String()[1:] + "}")
	}
	text := func(v any) string {
		b := testenv.Must(json.Marshal(v))
		return string(b)
	}
	for _, c := range []struct {
		path string
		text json.RawMessage
	}{
		{"consequents", list("[]")},
		{"consequents.0", list("0")},
		{"tie", list("[]")},
		{"splits", list(`{"feature":0,"below":[0],"above":[]}`)},
		{"splits", list(`{"feature":0,"not":[[],[]],"below":[],"above":[]}`)},
		{"merge_weights", list("1")},
		{"antecedents", names(`"%x":[]`)},
		{"antecedents.c", list("[]")},
		{"rules", list(`{"share":0,"samples":0}`)},
		{"features", list(`{"name":"","mean":0,"sd":0,"min":0,"max":0}`)},
		{"components", list(`{"loadings":[],"sd":0,"min":0,"max":0}`)},
		{"schema.columns", list(`{"name":"","encoding":""}`)},
		{"schema.columns", list("{}")},
		{"schema.columns.0.levels", list(`""`)},
		{"schema.classes", list(`"c"`)},
		{"schema.others", list(`{"name":"z"}`)},
		{"schema.others", list("{}")},
		{"schema.target", json.RawMessage(`"` + strings.Repeat("y", size) + `"`)},
		{"training.metrics", names(`"%x":0`)},
		{"training.options", names(`"%x":""`)},
		{"calibration", json.RawMessage(`{"samples":1,"residuals":` + string(list("0")) + `}`)},
		{"membership", json.RawMessage(`"` + strings.Repeat("f", size) + `"`)},
		{"formula", json.RawMessage(`{"name":"gaussian","expr":"x","params":` + string(list(`{"name":"","init":""}`)) + `}`)},
		{"formula", json.RawMessage(`{"name":"gaussian","expr":"` + strings.Repeat("(", size) + `","params":[{"name":"c","init":"1"}]}`)},
		{"knots", list("[]")},
		{"knots", json.RawMessage("[" + string(list("0")) + "]")},
		{"curves", list("[]")},
		{"curves", list("[0]")},
		{"members", list(text(tree(t, small())))},
		{"members", list("{}")},
		{"members", list("null")},
		{"neighbours.rows", list("[1]")},
		{"neighbours.targets", list("0")},
		{"neighbours", json.RawMessage(`{"k":1,"power":1,"weight":1,"sensitivity":[1],"leave_one_out":0,"without":0,"rows":` +
			string(list("[1]")) + `,"targets":` + string(list("100")) + `}`)},
		{"note", list("0")},
	} {
		content := tree(t, small())
		if c.path == "members" {
			content = tree(t, smallCommittee(t))
		}
		if strings.HasPrefix(c.path, "neighbours") {
			content = tree(t, smallNear(t))
		}
		put(t, content, c.path, c.text)
		file := seal(t, content)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Decode(bytes.NewReader(file))
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 128*uint64(len(file)) {
			t.Errorf("%s: %d bytes make %d: %.150v", c.path, len(file), grown, err)
		}
	}
}

// A formula is arithmetic on its parameters: anything else in a file is rejected.
func TestNothingIsRun(t *testing.T) {
	for _, expr := range []string{
		"exec(x - c/s)", "print(x*c*s)", "x.Close(c, s)", "env.HOME + x*c*s", `x + c + s + "$(id)"`, "let f = x; f*c*s",
		"map(1..9999999, x*c*s)", "x*c*s; 1", "x ?? c*s",
		strings.Repeat("(", 400) + "x*c*s" + strings.Repeat(")", 400) + "+1.5.5", strings.Repeat("-", 60) + "x*c*s",
		"x*c*s" + strings.Repeat("+x", 300), "x*c*s" + strings.Repeat(" ", 1000),
	} {
		content := tree(t, smallWritten(t))
		put(t, content, "formula.expr", expr)
		refused(t, expr, seal(t, content), "content: expr: ")
	}
	content := tree(t, smallWritten(t))
	put(t, content, "formula.params.0.init", "exec(center)")
	refused(t, "init", seal(t, content), "init of c: column 1")
	put(t, content, "formula.params.0.name", "../c")
	refused(t, "name", seal(t, content), "membership: formula")
	put(t, content, "formula.name", "../../evil")
	refused(t, "shape", seal(t, content), `formula.name: "../../evil"; membership is "mine"`)
	delete(content, "formula")
	refused(t, "no formula", seal(t, content), "a shape of another module is registered by the program that loads the model")
}

// Any bytes, as a file or as a content with a valid checksum, give an ErrFile or a valid
// model that predicts and is encoded as it was read; never a panic.
func FuzzDecode(f *testing.F) {
	for _, m := range everything(f) {
		var b bytes.Buffer
		noError(m.Encode(&b))
		var e envelope
		noError(json.Unmarshal(b.Bytes(), &e))
		f.Add(b.Bytes())
		f.Add([]byte(e.Content))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		sound(t, b)
		var dense bytes.Buffer
		if json.Compact(&dense, b) == nil {
			sound(t, seal(t, dense.Bytes()))
		}
	})
}

func sound(t *testing.T, file []byte) {
	m, err := Decode(bytes.NewReader(file))
	if err != nil {
		if !errors.Is(err, ErrFile) {
			t.Fatalf("%T: %v", err, err)
		}
		return
	}
	if !m.Committee() {
		noError(m.RuleBase.Validate())
	}
	again := encode(t, m)
	if !bytes.Equal(encode(t, decode(t, again)), again) {
		t.Fatal("encoded differently from what was read")
	}
	row := make([]float64, len(m.Features))
	for i, f := range m.Features {
		row[i] = f.Mean
	}
	p := predict(t, m, [][]float64{row})
	if !numeric.Finite(p.Values...) || !numeric.Finite(p.Spread...) || !numeric.Finite(slices.Concat(p.Outputs...)...) {
		t.Fatalf("predicted %v with spread %v", p.Values, p.Spread)
	}
	for _, level := range []float64{1e-9, 0.5, 0.9, 1 - 1e-9} {
		if half, err := m.HalfWidth(level); err == nil && (!numeric.Finite(half) || half < 0) {
			t.Fatalf("half width %v", half)
		}
	}
}

// TestWrongInferenceInFiles: unknown names are refused.
func TestWrongInferenceInFiles(t *testing.T) {
	m := small()
	m.RuleBase.TNorm, m.RuleBase.Defuzzification = inference.Minimum{}, inference.HTSK{}
	c := newContent(m)
	c.TNorm = "maximum"
	if _, err := c.model(); err == nil ||
		err.Error() != `tnorm: inference: unknown t-norm "maximum": choose one of lukasiewicz, minimum, product; did you mean minimum?` {
		t.Error(err)
	}
	c.TNorm, c.Defuzzification = "", "centroid"
	if _, err := c.model(); err == nil ||
		err.Error() != `defuzzification: inference: unknown defuzzification "centroid": choose one of htsk, logtsk, tsk` {
		t.Error(err)
	}
}
