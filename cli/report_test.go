//go:build !race

// The race detector does not see what the page computes in the browser, whose packages take long to compile.

package cli

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/tskgraph/tskgraph/internal/test/browser"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// TestReport opens the page of a run from its file, moves sliders with the keyboard, and compares the prediction shown
// with that of predict. The page fetches nothing, logs no errors, and fits desktop and telephone.
func TestReport(t *testing.T) {
	type trial struct {
		name string
		set  []string
	}
	for _, c := range testenv.Share([]trial{
		{"robust", []string{"train.race=[]", "train.iterations=300", "data.validation=0.2"}},
		{"pruned trapezoids", []string{"preset=paper", "model.membership=trapezoid", "prune.rounds=2", "model.rules=12"}},
		{"committee with curves", []string{"preset=paper", "model.rules=4", "model.curves=own", "train.members=3", "train.iterations=100",
			"data.calibration=0.2"}},
		{"components", []string{"preset=paper", "data.pca=3", "model.rules=5"}},
	}, 4, 0) {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			args := []string{"train", "--set", "data.builtin=friedman1", "--set", "output.dir=" + dir}
			for _, set := range c.set {
				args = append(args, "--set", set)
			}
			tskgraphRun(t, args...)
			runs, err := filepath.Glob(dir + "/*")
			if err != nil || len(runs) != 1 {
				t.Fatal(runs, err)
			}
			page := tskgraphRun(t, "report", runs[0])
			if page != filepath.Join(runs[0], "report.html") {
				t.Errorf("it wrote %s", page)
			}
			p := browser.Open(t, page)
			first := shown(t, p)
			for column, keys := range map[string]string{"x1": kb.ArrowRight + kb.ArrowRight + kb.ArrowRight, "x4": kb.PageDown, "x2": kb.Home,
				"x10": kb.End + kb.ArrowLeft} {
				p.Press(fmt.Sprintf("input[type=range][data-column=%s]", column), keys)
			}
			moved := shown(t, p)
			if moved.value == first.value || moved.header == "" {
				t.Errorf("the sliders moved, and the prediction is still %v", moved.value)
			}
			p.Press("input[type=text][data-column=x3]", "9.5") // beyond the training range
			p.Press("input[type=text][data-column=x3]", kb.Enter)
			beyond := shown(t, p)
			p.Press("button[aria-label='Next row']", kb.Enter)
			for _, at := range []shownRow{first, moved, beyond, shown(t, p)} {
				if want := predictedRow(t, runs[0], at); math.Abs(at.value-want) > 1e-9*math.Max(1, math.Abs(want)) {
					t.Errorf("the page shows %v, predict says %v, for %s", at.value, want, at.row)
				}
			}
			looks(t, p, c.name)
			if faults := p.Faults(); len(faults) > 0 {
				t.Error(faults)
			}
		})
	}
}

// shownRow is what the rule viewer shows: the row, as a record of CSV, and the
// prediction.
type shownRow struct {
	header, row string
	value       float64
}

func shown(t *testing.T, p *browser.Page) shownRow {
	t.Helper()
	var fields []struct{ Column, Value string }
	p.Evaluate(`Array.from(document.querySelectorAll("#inputs input[type=text]"), (f) => ({Column: f.dataset.column, Value: f.dataset.value}))`, &fields)
	var s shownRow
	for i, f := range fields {
		comma := strings.Repeat(",", min(i, 1))
		s.header += comma + f.Column
		s.row += comma + f.Value
	}
	var value string
	p.Evaluate(`document.querySelector("#prediction").dataset.value`, &value)
	var err error
	if s.value, err = strconv.ParseFloat(value, 64); err != nil {
		t.Fatal(err)
	}
	return s
}

// predictedRow returns the prediction of the command predict.
func predictedRow(t *testing.T, model string, s shownRow) float64 {
	t.Helper()
	in := strings.NewReader(s.header + "\n" + s.row + "\n")
	var out strings.Builder
	if code := run(context.Background(), []string{"predict", "--model", model, "--data", "-"}, in, &out, io.Discard); code != 0 {
		t.Fatalf("predict: exit code %d", code)
	}
	records, err := csv.NewReader(strings.NewReader(out.String())).ReadAll()
	if err != nil || len(records) != 2 {
		t.Fatal(records, err)
	}
	value, err := strconv.ParseFloat(records[1][len(records[1])-1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// looks checks that nothing overflows at the side, at two widths, light and dark, and that the background is light or
// dark. It saves pictures to the directory TSKGRAPH_SCREENSHOTS, if set.
func looks(t *testing.T, p *browser.Page, name string) {
	t.Helper()
	for _, width := range []int64{1280, 390} {
		for _, colours := range []string{"light", "dark"} {
			p.Look(width, colours)
			p.Await(fmt.Sprintf("document.documentElement.scrollWidth <= %d", width))
			dir := os.Getenv("TSKGRAPH_SCREENSHOTS")
			take := p.Window
			if dir != "" {
				take = p.Screenshot
			}
			shot := take()
			image, err := png.Decode(bytes.NewReader(shot))
			if err != nil {
				t.Fatal(err)
			}
			if r, _, _, _ := image.At(1, 1).RGBA(); (r > 0x8000) != (colours == "light") {
				t.Errorf("%s: the corner has %#x of red", colours, r)
			}
			if dir != "" {
				path := filepath.Join(dir, fmt.Sprintf("%s-%d-%s.png", strings.ReplaceAll(name, " ", "-"), width, colours))
				if err := os.WriteFile(path, shot, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
