package page

import (
	"fmt"
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/browser"
)

// TestContributions: in the page of every model, the contributions to each row sum to the
// page's own prediction.
func TestContributions(t *testing.T) {
	for _, s := range drawn(t, 12, "committee, calibrated", "missing values", "components") {
		p, err := New(Input{Model: s.model, Data: Part{"test.csv", s.data}})
		if err != nil {
			t.Fatal(err)
		}
		c := p.content.Contributions[0]
		if len(c.Rows) != s.data.Len() || c.Background != s.data.Len() || len(c.Columns) != len(p.Contributions) || c.Errors != nil {
			t.Fatalf("%s: %d rows, background %d, columns %v", s.name, len(c.Rows), c.Background, c.Columns)
		}
		want, err := s.model.Predict(append(s.data.X, p.content.typical()))
		if err != nil {
			t.Fatal(err)
		}
		for n, row := range append(c.Rows, c.Typical) {
			sum := c.Mean
			for _, v := range row {
				sum += v
			}
			if math.Abs(sum-want.Values[n]) > 1e-5*max(1, math.Abs(sum)) { // they have seven digits
				t.Errorf("%s: row %d: the parts sum to %v, want %v", s.name, n, sum, want.Values[n])
			}
		}
		for i, column := range p.Contributions {
			mean := 0.0
			for _, row := range c.Rows {
				mean += math.Abs(row[i]) / float64(len(c.Rows))
			}
			if math.Abs(column.Mean-mean) > 1e-5*max(1, mean) || i > 0 && column.Mean > p.Contributions[i-1].Mean {
				t.Errorf("%s: %+v, want the mean %v", s.name, column, mean)
			}
		}
	}
}

// TestContributionsDrawn: a bar for each column, a dot for each row and column, and steps for
// the current row, which go when it is changed.
func TestContributionsDrawn(t *testing.T) {
	s := subject{"gaussian", untrained(t, lookup(t, "gaussian"), table(60), 6, nil), table(60)}
	in := Input{Model: s.model, Data: Part{"test.csv", s.data}}
	page, err := New(in)
	if err != nil {
		t.Fatal(err)
	}
	rows, columns := s.data.Len(), len(page.Contributions)
	p := browser.Open(t, written(t, in))
	var drawn struct{ Bars, Dots int }
	p.Evaluate(`({bars: document.querySelectorAll("#contribution-bars .mark").length, dots: document.querySelectorAll("#contribution-swarm .swarm").length})`, &drawn)
	if drawn.Bars != columns || drawn.Dots != rows*columns {
		t.Errorf("%d bars and %d dots of %d rows and %d columns", drawn.Bars, drawn.Dots, rows, columns)
	}
	var sum, prediction float64
	p.Evaluate(`document.querySelector("button[aria-label='Next row']").click()`, nil)
	p.Evaluate(`Array.from(document.querySelectorAll("#row-contributions .step"), (e) => Number(e.dataset.value)).reduce((a, b) => a + b)`, &sum)
	p.Evaluate(`Number(document.querySelector("#prediction").dataset.value)`, &prediction)
	if mean := page.content.Contributions[0].Mean; math.Abs(mean+sum-prediction) > 1e-5*math.Abs(prediction) {
		t.Errorf("the steps from %v sum to %v, the prediction is %v", mean, sum, prediction)
	}
	for _, c := range []struct {
		script string
		hidden bool
	}{
		{`(() => { const r = document.querySelector("input[type=range]"); r.value = r.max; r.dispatchEvent(new Event("input")); })()`, true},
		{`document.querySelector("button[aria-label='Next row']").click()`, false},
	} {
		p.Evaluate(c.script, nil)
		p.Await(fmt.Sprintf(`document.querySelector("#row-contributions figure").hidden === %v`, c.hidden))
	}
}
