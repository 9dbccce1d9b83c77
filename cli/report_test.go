//go:build !race

// The race detector does not see what the page computes in the browser, whose packages take long to compile.

package cli

import (
	"context"
	"fmt"
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
// with that of predict. The page fetches nothing, logs no errors, and fits desktop and telephone. Other models are those of package page.
func TestReport(t *testing.T) {
	testenv.OnlyCI(t)
	dir := trained(t, t.TempDir())
	p := browser.Open(t, tskgraphRun(t, "report", dir))
	same := func() (value float64) {
		t.Helper()
		var header, row []string
		p.Evaluate(`Array.from(document.querySelectorAll("#inputs input[type=text]"), (f) => f.dataset.column)`, &header)
		p.Evaluate(`Array.from(document.querySelectorAll("#inputs input[type=text]"), (f) => f.dataset.value)`, &row)
		p.Evaluate(`parseFloat(document.querySelector("#prediction").dataset.value)`, &value)
		in, out := strings.NewReader(strings.Join(header, ",")+"\n"+strings.Join(row, ",")+"\n"), new(strings.Builder)
		if code := run(context.Background(), []string{"predict", "--model", dir, "--data", "-"}, in, out, io.Discard); code != 0 {
			t.Fatalf("predict: exit code %d", code)
		}
		cells := strings.Split(strings.TrimSpace(out.String()), ",")
		want, err := strconv.ParseFloat(cells[len(cells)-1], 64)
		if err != nil || math.Abs(value-want) > 1e-9*math.Max(1, math.Abs(want)) {
			t.Errorf("the page shows %v, predict says %v, for %s: %v", value, want, row, err)
		}
		return value
	}
	first := same()
	for column, keys := range map[string]string{"x1": kb.ArrowRight + kb.ArrowRight + kb.ArrowRight, "x4": kb.PageDown, "x2": kb.Home,
		"x10": kb.End + kb.ArrowLeft} {
		p.Press(fmt.Sprintf("input[type=range][data-column=%s]", column), keys)
	}
	if same() == first {
		t.Errorf("the sliders moved, and the prediction is still %v", first)
	}
	p.Press("input[type=text][data-column=x3]", "9.5") // beyond the training range
	p.Press("input[type=text][data-column=x3]", kb.Enter)
	same()
	p.Press("button[aria-label='Next row']", kb.Enter)
	same()
	for _, width := range []int64{1280, 390} {
		for _, colours := range []string{"light", "dark"} {
			p.Look(width, colours)
			p.Await(fmt.Sprintf("document.documentElement.scrollWidth <= %d", width))
			if dir := os.Getenv("TSKGRAPH_SCREENSHOTS"); dir != "" {
				if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("report-%d-%s.png", width, colours)), p.Screenshot(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if faults := p.Faults(); len(faults) > 0 {
		t.Error(faults)
	}
}

// TestDossierPage opens the page of a dossier: it fetches nothing, logs no errors, and fits desktop and telephone.
func TestDossierPage(t *testing.T) {
	testenv.OnlyCI(t)
	dir := trained(t, t.TempDir())
	tskgraphRun(t, "dossier", dir)
	p := browser.Open(t, filepath.Join(dir, "dossier.html"))
	for _, look := range browser.AxeLooks {
		p.Look(look.Width, look.Colours)
		p.Await(fmt.Sprintf("document.documentElement.scrollWidth <= %d", look.Width))
	}
	sections := 0
	if p.Evaluate(`document.querySelectorAll("section h2").length`, &sections); sections != 10 {
		t.Errorf("%d sections", sections)
	}
	if faults := p.Faults(); len(faults) > 0 {
		t.Error(faults)
	}
}
