package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gorgonia.org/tensor"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/pages"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/page"
)

// changing has rows of two rules that change over from one to the other between t = 3 and 7, with a category and a table.
func changing(n int) *data.Dataset {
	rng := rand.New(rand.NewPCG(5, 6))
	d := &data.Dataset{Schema: data.Schema{Target: "y", Columns: []data.Column{{Name: "t", Encoding: data.Numeric},
		{Name: "z", Encoding: data.Numeric}, {Name: "kind", Encoding: data.OneHot, Levels: []string{"a", "b"}}}}}
	for range n {
		t, z, kind := 10*rng.Float64(), rng.NormFloat64(), float64(rng.IntN(2))
		g := min(max((t-3)/4, 0), 1)
		d.X = append(d.X, []float64{t, z, 1 - kind, kind})
		d.Y = append(d.Y, g*(20+3*z)+(1-g)*(10-2*z)+kind+0.3*rng.NormFloat64())
	}
	return d
}

// rampedPage has every kind of number, and two ramps.
const rampedPage = `y is the value of the one rule whose IF holds, or of several in proportion, plus the entries of the tables.
Rule 1 IF t is at most 5, from 4 to 6 in proportion THEN about 10 at z 0.1, without the tables
- 2 per z up to 1
+ 0.2 if kind is a, - 0.3 if not
Rule 2 IF t is above 5, from 4 to 6 in proportion, at most 8, from 7.5 to 8.5 in proportion THEN about 20 at z 0, without the tables
+ 3 per z
Rule 3 IF t is above 8, from 7.5 to 8.5 in proportion THEN about 21, without the tables
Table z (between entries in proportion) -2: +1, 0.3: +0.2, 2: -1
For all rules: + 0.1 per t, counted from 5
In formulas and tables, z counts as at least -2 and at most 2; t counts as at least 0 and at most 10.`

// factorPage has a factor of a category and of a number beside its ramp.
const factorPage = `y is the value of the one rule whose IF holds, or of several in proportion, times the factors of the tables.
Rule 1 IF t is at most 5, from 4 to 6 in proportion THEN about 10 at z 0.1, without the tables - 2 per z
Rule 2 IF t is above 5, from 4 to 6 in proportion THEN about 20, without the tables
Table z (between entries in proportion) -2: x1.1, 0.3: x0.9, 2: x1.3
Table kind
a: x1.2, all others: x0.9
In formulas and tables, z counts as at least -2 and at most 2.`

// read returns a page with its columns for a data set.
func read(t *testing.T, text string) *page.Page {
	pg := testenv.Must(page.Parse(text))
	for i := range pg.Columns {
		if pg.Columns[i].Name == "kind" {
			pg.Columns[i].Levels = []string{"a", "b"}
		}
	}
	return pg
}

// wrong returns the largest relative difference of the gradient of the graph by theta from differences of the loss of what the pages
// predict by hand; change changes the graph before.
func wrong(t *testing.T, set *TrainingSet, text, engine string, change func(*pageGraph)) (most float64) {
	N, prep := len(set.x), set.prep
	g := testenv.Must(newPageGraph(prep, []*page.Page{read(t, text)}, graph.Options{Engine: engine, Batch: N}))
	defer g.Close()
	change(g)
	x, weight := slices.Concat(set.x...), make([]float64, N)
	for n := range weight {
		weight[n] = 1 + float64(n%3)
	}
	_, _, _, err := g.Evaluate(x, set.y, slices.Repeat([]float64{1}, N*g.RuleBase().Rules()), weight)
	testenv.OK(t, err)
	value := func() (sum float64) {
		for n, row := range set.data.X {
			v := testenv.Must(g.pages[0].Predict(func(column string) (float64, string, bool) {
				switch column {
				case "t":
					return row[0], "", true
				case "z":
					return row[1], "", true
				}
				return 0, []string{"a", "b"}[int(row[3])], true
			}))
			e := (v - set.data.Y[n]) / prep.Target.Scaling()
			sum += weight[n] * e * e / 2
		}
		return sum
	}
	for k := range g.numbers {
		n := &g.numbers[k]
		const h = 1e-5
		was := *n.at
		*n.at = was + h*n.unit
		up := value()
		*n.at = was - h*n.unit
		down := value()
		*n.at = was
		want := (up - down) / (2 * h)
		most = max(most, math.Abs(*n.gradient-want)/math.Max(1, math.Abs(want)))
	}
	return most
}

// TestPageGradient: the gradient of theta is that of the plain forward pass of the page, with both engines; wrong entries of the Jacobian
// are found.
func TestPageGradient(t *testing.T) {
	r := testenv.Must(recipe.Readable().Resolve())
	set := testenv.Must(PrepareSubset(t.Context(), changing(60), testRows(60), r))
	for _, engine := range []string{"fused", "autodiff"} {
		for _, text := range []string{rampedPage, factorPage} {
			if e := wrong(t, set, text, engine, func(*pageGraph) {}); !(e < 1e-5) {
				t.Errorf("%s: the gradient is wrong by %g:\n%s", engine, e, text)
			}
		}
	}
	for name, change := range map[string]func(*pageGraph){
		"a number without a change of the rules":        func(g *pageGraph) { g.numbers[5].by = nil },
		"a ramp of which one side moves":                func(g *pageGraph) { n := &g.numbers[0]; n.by = n.by[1:] },
		"an end in units of the column":                 func(g *pageGraph) { g.numbers[1].by[0].slope *= set.prep.Features[0].SD },
		"a number with the change of the one before it": func(g *pageGraph) { g.numbers[6].by = g.numbers[5].by },
	} {
		if e := wrong(t, set, rampedPage, "fused", change); !(e > 1e-3) {
			t.Errorf("%s: not found, %g", name, e)
		}
	}
}

func testRows(n int) (rows []int) {
	for i := range n {
		rows = append(rows, i)
	}
	return rows
}

// TestPageProject: theta moves the numbers of the page and the parameters of the rules alike; ends of ramps stay in the range of the
// column, apart, and off other borders of a rule.
func TestPageProject(t *testing.T) {
	r := testenv.Must(recipe.Readable().Resolve())
	set := testenv.Must(PrepareSubset(t.Context(), changing(60), testRows(60), r))
	g := testenv.Must(newPageGraph(set.prep, []*page.Page{read(t, rampedPage)}, graph.Options{Batch: 60}))
	defer g.Close()
	for _, move := range [][]float64{{-0.5, 0.3, 0.1, 0.4}, {0, 3, -1, 0}, {-50, 0, 0, 50}, {2, -2, 0, 0},
		{-90, -80, 80, 90}, {90, 80, -80, -90}, {6, 9, 0, 0}} {
		for k := range g.numbers {
			*g.numbers[k].of = 0.1 * float64(k)
		}
		copy(g.groups[0].value.Float64s(), move)
		g.Project()
		a, b := g.ramps[0], g.ramps[1]
		if !(a.From < a.To && a.To <= b.From && b.From < b.To && a.From >= 0 && b.To <= 10) {
			t.Errorf("%v: ramps %+v and %+v", move, *a.Border, *b.Border)
		}
		for i, p := range g.Network.Params() {
			want := tensorsOf(testenv.Must(set.prep.PageRules(g.rounded()[0])))[i]
			for j, v := range p.Value().(*tensor.Dense).Float64s() {
				if limit := 0.2; math.Abs(v-want[j]) > limit {
					t.Fatalf("%v: parameter %d, element %d: %g, want %g", move, i, j, v, want[j])
				}
			}
		}
	}
}

// TestTrainOn: a ramp that is too narrow is widened, and the page with it kept; pages of steps are returned as they are.
func TestTrainOn(t *testing.T) {
	r := testenv.Must(recipe.Readable().Resolve())
	d := changing(600)
	set := testenv.Must(PrepareSubset(t.Context(), d, testRows(600), r))
	tr := testenv.Must(newTrainer(set, nil, Job{Recipe: r}))
	o := pageOptions(r)
	all := testenv.Must(pageOutputs(set.prep, d, r, o))
	fitted := func(rows []int, like []*page.Page) ([]*page.Page, error) { return pages.RefitEach(all, rows, like, o) }
	for half, kept := range map[float64]bool{0: false, 0.5: true} {
		text := fmt.Sprintf(`y is the value of the one rule whose IF holds.
Rule 1 IF t is at most 5, from %[1]v to %[2]v in proportion THEN about 10 at z 0 - 2 per z + 0.5 if kind is b, - 0.5 if not
Rule 2 IF t is above 5, from %[1]v to %[2]v in proportion THEN about 20 at z 0 + 3 per z + 0.5 if kind is b, - 0.5 if not`, 5-half, 5+half)
		if half == 0 {
			text = strings.ReplaceAll(text, ", from 5 to 5 in proportion", "")
		}
		from := testenv.Must(fitted(nil, []*page.Page{read(t, text)}))
		made, note, err := tr.trainOn(t.Context(), set.prep, from, all[0], o)
		testenv.OK(t, err)
		got := []bool{made[0] != from[0], strings.HasSuffix(note, ", kept"), note == ""}
		testenv.Equal(t, got, []bool{kept, kept, !kept}, "%v: %s", half, note)
		if ramp := made[0].Rules[0].Conditions[0].AtMost; kept && !(math.Abs(ramp.From-3) < 0.6 && math.Abs(ramp.To-7) < 0.6) {
			t.Errorf("the ramp is %+v, want about 3 to 7: %s", ramp, note)
		}
	}
}
