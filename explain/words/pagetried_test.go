package words

import (
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/page"
)

// TestTried: what training tried beside a page is said by the page's own rules, borders and units.
func TestTried(t *testing.T) {
	p := samplePage()
	m := &model.Model{Pages: []*page.Page{p}}
	if TriedFor(m) != nil || TriedFor(&model.Model{}) != nil {
		t.Error("something is known of a page that was never tried")
	}
	p.Moved = 0.25
	p.Rules[0].Again = &page.Again{Samples: 20, Found: 17, Borders: [][2]float64{{43, 47}}}
	p.Rules[1].Conditions[1].AtMost = &page.Border{At: 60, From: 60, To: 60}
	p.Rules[1].Again = &page.Again{Samples: 20, Found: 9, Borders: [][2]float64{{43, 47}, {60, 60}}}
	p.Rules[2].Again = &page.Again{Samples: 20, Found: 10, Borders: [][2]float64{{30, 30}}}
	p.Rules[3].Again = &page.Again{Samples: 20}
	n := p.Numbers()
	p.Sizes = []page.Size{{Numbers: 1, Rules: 1, RMSE: 900, SE: 9},
		{Numbers: n, Rules: 4, RMSE: 530, SE: 8}, {Numbers: n + 9, Rules: 5, RMSE: 500, SE: 7}}
	testenv.Equal(t, strings.Join(TriedFor(m).Lines, "\n"), strings.TrimSpace(`
Rule 1: found again in 17 of 20 samples; its border of age between 43 and 47 years
Rule 2: found again in 9 of 20 samples; its borders: age between 43 and 47 years, age at 60 years
Rule 3: found again in 10 of 20 samples; its border of bmi at 30
Rule 4: found again in 0 of 20 samples
With other rows, predictions move by 0.25 standard deviations of the target.
Rules 2 and 4 depend on the rows that were drawn: fewer than half of the samples have them.
This page of 37 numbers errs 6% more in cross-validation than the best page, of 46 (RMSE 530 and 500).
Least error by limit of numbers: 20: 900, 40: 530, 46: 500.
Pages of other sizes were compared without ramps, which may lower their errors, too.`))
	p.Sizes = p.Sizes[:2]
	lines := TriedFor(m).Lines
	testenv.Equal(t, lines[len(lines)-3], "Of the pages compared in cross-validation, this one of 37 numbers errs least (RMSE 530).")
	p.Sizes = []page.Size{{Numbers: n + 1, Rules: 4, RMSE: 530}}
	testenv.Equal(t, len(TriedFor(m).Lines), 6) // the page is none of the sizes
}
