package certify

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/model"
)

// proved returns a certificate of few boxes.
func proved(t *testing.T, m *model.Model, boxes int) *Certificate {
	t.Helper()
	promises, err := Promises(m)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Prove(t.Context(), m, Options{Boxes: boxes, Samples: 256, Margin: 0.05, Promises: promises})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestKinds proves claims about models of all kinds, which hold by both checkers, at random rows and where a search goes uphill.
func TestKinds(t *testing.T) {
	python := newChecker(t)
	exporttest.Each(t, func(t *testing.T, _ exporttest.Case, m *model.Model, _ *exporttest.Table) { python.hold(t, m) })
}

// TestMissing proves claims about models whose rules ask whether a number is missing.
func TestMissing(t *testing.T) {
	python := newChecker(t)
	for _, of := range []exporttest.Case{
		{Shape: "ramp", Response: "number", ImputeMeans: true, Own: true, Page: true},
		{Shape: "gaussian", Response: "classes", ImputeMeans: true, Own: true, Committee: true, Components: true},
		{Shape: "trapezoid", Response: "targets", ImputeMeans: true, Own: true, Transform: true},
	} {
		t.Run(of.Name(), func(t *testing.T) { python.hold(t, of.Model(t)) })
	}
}

// TestShareMissing: what is missing has no share of the domain, even beside a single number.
func TestShareMissing(t *testing.T) {
	for _, r := range [][]float64{{5, 5}, {5, 6}} {
		d := Domain{Columns: []Column{{Range: r, Missing: true}}}
		known, missing := d.share(box{{r[0], r[1], nil}}), d.share(box{{1, 0, []int{0}}})
		if known != 1 || missing != 0 {
			t.Errorf("%v: shares %v and %v", r, known, missing)
		}
	}
}

// hold proves claims about a model, and checks and compares them.
func (p checker) hold(t *testing.T, m *model.Model) {
	t.Helper()
	c := proved(t, m, testenv.CaseNumber(8, 8, 60))
	var file bytes.Buffer
	if err := c.Encode(&file); err != nil {
		t.Fatal(err)
	}
	again, err := Decode(&file)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Check(m); err != nil {
		t.Fatal(err)
	}
	if holds, said := p.check(t, m, again); !holds {
		t.Error(said)
	}
	s, err := newSpace(m, func(f *export.Form) Domain { return newDomain(f, c.Domain.Margin) })
	if err != nil {
		t.Fatal(err)
	}
	holdAtRows(t, s, again)
}

// holdAtRows compares proved claims with predictions of random rows, of which some are adjacent or at a step.
func holdAtRows(t *testing.T, s *space, c *Certificate) {
	t.Helper()
	rng := rand.New(rand.NewPCG(8, 9))
	rows := testenv.CaseNumber(500, 500, 20_000)
	for range max(1, rows/5000) {
		var batch [][]float64
		for range min(rows, 5000) {
			batch = append(batch, s.draw(rng, s.domain.full()))
		}
		y := s.predict(batch...)
		s.holdRounding(t, c, batch, y)
		for _, claim := range c.Claims {
			if claim.Status != Proved {
				continue
			}
			j, column := s.output(claim.Output), s.column(claim.Column)
			switch claim.Kind {
			case Range:
				for n := range batch {
					if v := y[n][j]; v < *claim.Low || v > *claim.High {
						t.Fatalf("%s: %v is predicted as %v", claim, s.cells(batch[n]), v)
					}
				}
				s.holdUphill(t, rng, claim, batch, y, j)
			case Monotone:
				s.holdMonotone(t, rng, claim, batch, y, j, column)
			case Slope:
				s.holdSlope(t, rng, claim, batch, y, j, column)
			}
		}
	}
}

// holdUphill compares the bounds of a range with predictions where a search goes uphill and downhill, coordinate by coordinate, from the
// most extreme rows.
func (s *space) holdUphill(t *testing.T, rng *rand.Rand, c Claim, batch, y [][]float64, j int) {
	t.Helper()
	for start := range testenv.CaseNumber(4, 4, 250) {
		sign := float64(1 - 2*(start%2))
		at := rng.IntN(len(batch))
		for range 5 {
			if n := rng.IntN(len(batch)); sign*y[n][j] > sign*y[at][j] {
				at = n
			}
		}
		row, best := batch[at], y[at][j]
		for n := range 30 {
			var moves [][]float64
			for range 16 {
				move := append([]float64{}, row...)
				column := rng.IntN(len(row))
				if r := s.domain.Columns[column].Range; r != nil && move[column] >= r[0] {
					move[column] = max(r[0], min(r[1], move[column]+float64(rng.NormFloat64()*0.3*math.Pow(0.9, float64(n))*(r[1]-r[0]))))
				} else {
					move[column] = s.draw(rng, s.domain.full())[column]
				}
				moves = append(moves, move)
			}
			for k, v := range s.predict(moves...) {
				if sign*v[j] > sign*best {
					row, best = moves[k], v[j]
				}
			}
		}
		if best < *c.Low || best > *c.High {
			t.Fatalf("%s: %v is predicted as %v", c, s.cells(row), best)
		}
	}
}

// other returns rows with another number in a column, if the first has a number there.
func (s *space) other(rng *rand.Rand, batch [][]float64, column int, near float64) (others [][]float64) {
	r := s.domain.Columns[column].Range
	for _, row := range batch {
		o := append([]float64{}, row...)
		if _, mark := isPoint(row[column]); !mark {
			o[column] = max(r[0], min(r[1], row[column]+float64(rng.NormFloat64()*near*(r[1]-r[0]))))
		}
		others = append(others, o)
	}
	return others
}

func (s *space) holdMonotone(t *testing.T, rng *rand.Rand, c Claim, batch, y [][]float64, j, column int) {
	t.Helper()
	others := s.other(rng, batch, column, []float64{1, 0.01, 1e-9}[rng.IntN(3)])
	z := s.predict(others...)
	for n := range batch {
		rise := z[n][j] - y[n][j]
		if others[n][column] < batch[n][column] {
			rise = -rise
		}
		if c.Direction == Decreasing {
			rise = -rise
		}
		if rise < -2*c.Tolerance*float64(1+len(c.Steps)) {
			t.Fatalf("%s: it moves by %v from %v to %v", c, rise, s.cells(batch[n]), s.cells(others[n]))
		}
	}
}

func (s *space) holdSlope(t *testing.T, rng *rand.Rand, c Claim, batch, y [][]float64, j, column int) {
	t.Helper()
	others := s.other(rng, batch, column, 0.01)
	z := s.predict(others...)
	unit := math.Max(1, math.Max(math.Abs(*c.Low), math.Abs(*c.High)))
	for n := range batch {
		a, b := batch[n][column], others[n][column]
		if a == b || s.crosses(column, min(a, b), max(a, b)) {
			continue
		}
		slope := (z[n][j] - y[n][j]) / (b - a)
		slack := 1e-6*unit + 1e-10*math.Abs(y[n][j])/math.Abs(b-a)
		if slope < *c.Low-slack || slope > *c.High+slack {
			t.Fatalf("%s: %v from %v to %v", c, slope, s.cells(batch[n]), s.cells(others[n]))
		}
	}
}

// checker is the checker of the Python package, a process for all certificates of a test.
type checker struct{ *exporttest.Worker }

func newChecker(t *testing.T) checker {
	t.Helper()
	return checker{exporttest.Start(t, exporttest.Python(t, "numpy"), "testdata/check.py")}
}

// check checks a certificate of a model, and returns what the checker says.
func (p checker) check(t *testing.T, m *model.Model, c *Certificate) (holds bool, said string) {
	t.Helper()
	dir, file := t.TempDir(), bytes.Buffer{}
	testenv.OK(t, m.Save(filepath.Join(dir, model.FileName)))
	testenv.OK(t, c.Encode(&file))
	testenv.OK(t, os.WriteFile(filepath.Join(dir, FileName), file.Bytes(), 0o600))
	var refused int
	p.Ask(t, dir, &[]any{&refused, &said})
	return refused == 0, said
}

// TestOtherModel refuses a certificate of another model, and one with neighbours.
func TestOtherModel(t *testing.T) {
	m := exporttest.Case{Shape: "gaussian", Response: "number"}.Model(t)
	c := proved(t, m, 20)
	m.RuleBase.Consequents[0][0]++
	if err := c.Check(m); !errors.Is(err, ErrCertificate) || !strings.Contains(err.Error(), "another model") {
		t.Error(err)
	}
	m.Neighbours = &model.Neighbours{}
	if _, err := Prove(t.Context(), m, Options{}); err == nil || !strings.Contains(err.Error(), "neighbours") {
		t.Error(err)
	}
	if _, err := Prove(t.Context(), m, Options{Margin: math.NaN()}); !errors.Is(err, ErrOption) {
		t.Error(err)
	}
}

// TestBudget: what is not looked at within the budget is open, even if it has no share of the domain.
func TestBudget(t *testing.T) {
	of := exporttest.Case{Shape: "ramp", Response: "number", ImputeMeans: true, Page: true, Factors: true}
	for boxes := 1; boxes < 12; boxes++ {
		c := proved(t, of.Model(t), boxes)
		if err := c.Check(of.Model(t)); err != nil {
			t.Fatalf("%d boxes: %v", boxes, err)
		}
		if boxes == 1 && c.Claims[0].Status != Open {
			t.Errorf("one box: %s", c.Claims[0].Status)
		}
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	c, err := Prove(ended, of.Model(t), Options{})
	if err != nil || c.Check(of.Model(t)) != nil {
		t.Fatal(err)
	}
	for _, claim := range c.Claims {
		if claim.Status == Proved && claim.Kind != Range && claim.Kind != Decides && claim.Kind != Jump { // which limits bound
			t.Errorf("%s is proved after the end", claim)
		}
	}
}

// TestGaps refutes that some rule fires everywhere by a row for which none does, which both checkers confirm; a row that a rule covers does
// not refute it.
func TestGaps(t *testing.T) {
	m := exporttest.Case{Shape: "trapezoid", Response: "number"}.Model(t)
	for j, rows := range m.RuleBase.Antecedents {
		for r := range rows { // all rules end between 0.2 and 0.3 on the first input
			rows[r][0] = []float64{-4, -3, 0.2, 0.3}[j]
		}
	}
	c := proved(t, m, 200)
	one := &c.Claims[0]
	if one.Kind != Coverage || one.Status != Refuted || len(one.Rows) != 1 {
		t.Fatalf("%s, %s, %q", one, one.Status, one.Rows)
	}
	if err := c.Check(m); err != nil {
		t.Fatal(err)
	}
	python := newChecker(t)
	if holds, said := python.check(t, m, c); !holds {
		t.Error(said)
	}
	s, err := newSpace(m, func(f *export.Form) Domain { return newDomain(f, c.Domain.Margin) })
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		one.Rows[0] = s.cells(s.draw(rng, s.domain.full()))
		if b, err := s.readRow(one.Rows[0]); err == nil && s.levels(b).covered {
			if holds, said := python.check(t, m, c); c.Check(m) == nil || holds {
				t.Errorf("a row that rules cover refutes coverage: %s", said)
			}
			return
		}
	}
	t.Fatal("no row is covered")
}
