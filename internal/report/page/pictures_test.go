package page

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/model"
)

// houses returns a table with an outlier, a correlated pair, hours, and many levels of long names.
func houses(n int) *data.Dataset {
	rng := rand.New(rand.NewPCG(7, 8))
	regions := data.Column{Name: "region", Encoding: data.OneHot}
	for k := range 30 {
		regions.Levels = append(regions.Levels, fmt.Sprintf("Metropolitan council number %d of Victoria", k))
	}
	d := &data.Dataset{Missing: data.Missing{Policy: "error"}, Schema: data.Schema{Target: "price", Columns: []data.Column{
		{Name: "area", Encoding: data.Numeric}, {Name: "rooms", Encoding: data.Numeric}, {Name: "hour", Encoding: data.Numeric}, regions}}}
	for i := range n {
		area := 100 + 400*rng.Float64()
		row := make([]float64, 3+len(regions.Levels))
		row[0], row[1], row[2], row[3+i%30] = area, area+20*rng.NormFloat64(), float64(i%24), 1
		if i == 0 {
			row[0] = 433014
		}
		d.X, d.Y = append(d.X, row), append(d.Y, 2e6+1000*area+row[2])
	}
	return d
}

// TestPictures: axes end before outliers, hours have bins of their own, the typical values are a row, surfaces end where no row is near,
// and no two labels of an axis overlap.
func TestPictures(t *testing.T) {
	d := houses(720)
	s := subject{"houses", untrained(t, lookup(t, "gaussian"), d, 3, func(p *model.Preprocessing) {
		p.Features[0].Mean, p.Features[0].SD = 300, 115 // without the outlier
	}), d}
	for m := 3; m < len(d.X[0]); m++ { // no rule asks for the region
		for r := range 3 {
			s.model.RuleBase.Flatten(r, m)
		}
	}
	p, _ := mustNew(t, Input{Model: s.model, Data: Part{"test.csv", d}})
	area, hour := p.content.Features[0].Histogram, p.content.Features[2].Histogram
	if area.To > 1000 || area.Above != 1 || area.Most != 433014 {
		t.Errorf("the axis of area: %+v", area)
	}
	if len(hour.Counts) != 24 || slices.Min(hour.Counts) != 30 || slices.Max(hour.Counts) != 30 {
		t.Errorf("the bins of hours: %+v", hour)
	}
	if row := p.content.typical(); !slices.Equal(row, d.X[p.content.Typical.Row-1]) {
		t.Errorf("typical values %v are not those of row %d", row, p.content.Typical.Row)
	}
	page := opened(t, nil, s)
	for _, width := range testenv.Draw([]int64{390, 1280}, 2, 2, 1) {
		page.Look(width, "light")
		var over []string
		page.Evaluate(overlaps, &over)
		if len(over) > 0 {
			t.Errorf("%d pixels wide: labels overlap: %q", width, over)
		}
	}
	page.Run(`const select = document.querySelector("#surface-controls select");
		select.value = [...select.options].find((o) => o.text === "area and rooms").value;
		select.dispatchEvent(new Event("change"));`)
	page.Await(`(() => { // between 30 and 95 % of the picture are clear
		const texts = document.querySelector("#surface").innerText, n = 41;
		const canvas = Object.assign(document.createElement("canvas"), { width: n, height: n }), context = canvas.getContext("2d");
		context.drawImage(document.querySelector("#surface image"), 0, 0, n, n);
		const clear = context.getImageData(0, 0, n, n).data.filter((v, i) => i % 4 === 3 && v === 0).length / (n * n);
		return texts.includes("area") && texts.includes("rooms") && clear > 0.3 && clear < 0.95;
	})()`)
	var text string
	if page.Evaluate(`document.querySelector("#responses").innerText`, &text); !strings.Contains(text, "1 row to 433,014") {
		t.Errorf("nothing says what lies beyond: %q", text)
	}
	sound(t, page, "houses")
}

// overlaps is a script: the labels of axes that overlap another one of their chart.
const overlaps = `[...document.querySelectorAll(".axes")].flatMap((axes) => {
	const texts = [...axes.querySelectorAll("text:not(.axis)")].filter((t) => t.textContent);
	const boxes = texts.map((t) => [t.textContent, t.getBoundingClientRect()]);
	return boxes.filter(([, a], i) => boxes.some(([, b], k) => k < i && a.left < b.right - 1 && b.left < a.right - 1 &&
		a.top < b.bottom - 3 && b.top < a.bottom - 3)).map(([text]) => text);
})`

// TestTogether: columns act together by the conditions of rules, and not in one formula.
func TestTogether(t *testing.T) {
	d := table(60)
	m, ranked := untrained(t, lookup(t, "gaussian"), d, 4, nil), []Importance{{Column: 0}, {Column: 1}, {Column: 2}}
	if pairs := testenv.Must(Together(m, d, ranked)); len(pairs) != 3 {
		t.Errorf("%v act together", pairs)
	}
	for r := range 4 {
		for c := range m.RuleBase.Features() {
			m.RuleBase.Flatten(r, c)
		}
	}
	if pairs := testenv.Must(Together(m, d, ranked)); pairs != nil {
		t.Errorf("%v act together in one formula", pairs)
	}
}
