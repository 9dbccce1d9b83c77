package page

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// TestReader compares the value of pages with what a program in Python makes of their text, which knows the grammar alone.
func TestReader(t *testing.T) {
	testenv.OnlyCI(t)
	if lines := bytes.Count(testenv.Must(os.ReadFile("testdata/reader.py")), []byte("\n")); lines > 100 {
		t.Errorf("%d lines, want at most 100", lines)
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Fatal(err)
	}
	type asked struct {
		Text string           `json:"text"`
		Rows []map[string]any `json:"rows"`
	}
	var all []asked
	var want [][]float64
	for seed := range 400 {
		rng := rand.New(rand.NewPCG(5, uint64(seed)))
		p := random(rng)
		if seed == 0 {
			p = testenv.Must(Parse(ofMissing))
		}
		text := p.String()
		if strings.Contains(text, `\xff`) || !utf8.ValidString(text) { // no text in Python
			continue
		}
		one, values := asked{Text: text}, []float64{}
		for range 25 {
			at := randomRow(rng, p)
			cells := map[string]any{}
			for _, c := range p.Columns {
				if v, level, ok := at(c.Name); !ok {
					cells[c.Name] = nil
				} else if c.Levels == nil {
					cells[c.Name] = v
				} else {
					cells[c.Name] = level
				}
			}
			one.Rows, values = append(one.Rows, cells), append(values, testenv.Must(p.Predict(at)))
		}
		all, want = append(all, one), append(want, values)
	}
	cmd := exec.CommandContext(t.Context(), python, "testdata/reader.py")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(testenv.Must(json.Marshal(all))), os.Stderr
	out, err := cmd.Output()
	testenv.OK(t, err)
	var got [][]float64
	testenv.OK(t, json.Unmarshal(out, &got))
	testenv.Equal(t, len(got), len(want))
	most, inside := 0.0, 0
	for i, values := range got {
		for n, v := range values {
			if math.Abs(v) < 1e4 {
				inside++
			}
			scale := 1.0
			for _, other := range want[i] {
				scale = max(scale, math.Abs(other))
			}
			if most = max(most, math.Abs(v-want[i][n])/scale); !(math.Abs(v-want[i][n]) <= 1e-9*scale) {
				t.Fatalf("%v, want %v, for %v of\n%s", v, want[i][n], all[i].Rows[n], all[i].Text)
			}
		}
	}
	if len(all) < 200 || inside < 1000 {
		t.Errorf("only %d pages, %d values within their limits", len(all), inside)
	}
	t.Logf("%d pages, largest difference %.1e", len(all), most)
}

// TestReserved: the program in Python ends names at the words of this package, of which + and - are marks.
func TestReserved(t *testing.T) {
	text := string(testenv.Must(os.ReadFile("testdata/reader.py")))
	_, text, _ = strings.Cut(text, `RESERVED = set("`)
	text, _, _ = strings.Cut(text, `"`)
	words := strings.Fields(text + " + -")
	slices.Sort(words)
	testenv.Equal(t, words, slices.Sorted(maps.Keys(reserved)))
}
