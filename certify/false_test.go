package certify

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/model"
)

// mutant is a certificate that was true, made false; it changes the certificate or the model, and says how.
type mutant func(rng *rand.Rand, c *Certificate, m *model.Model) (what string, ok bool)

// mutants make certificates false: each returns false where the certificate has nothing of its kind.
var mutants = []mutant{movedBorder, droppedBox, doubledBox, movedDepth, swappedBounds, narrowedBounds, turnedDirection, otherCover,
	shrunkDomain, droppedLevel, changedCoefficient, movedStep, droppedStep, strayRow, openedRefutation, boldShare, unknownPoint,
	boldRounding, otherBits, neverMissing, lostMissing}

// claimOf returns a random claim of some kinds that is proved, with bounds or a cover.
func claimOf(rng *rand.Rand, c *Certificate, status Status, kinds ...string) *Claim {
	for _, i := range rng.Perm(len(c.Claims)) {
		for _, kind := range kinds {
			if c.Claims[i].Kind == kind && c.Claims[i].Status == status {
				return &c.Claims[i]
			}
		}
	}
	return nil
}

// coverOf returns a random cover with several boxes.
func coverOf(rng *rand.Rand, c *Certificate) []Box {
	for _, i := range rng.Perm(len(c.Covers)) {
		if len(c.Covers[i]) > 1 {
			return c.Covers[i]
		}
	}
	return nil
}

func movedBorder(rng *rand.Rand, c *Certificate, _ *model.Model) (string, bool) {
	cover := coverOf(rng, c)
	for _, i := range rng.Perm(len(cover)) {
		if n := cover[i].Numbers; len(n) > 0 {
			at := n[rng.IntN(len(n))]
			end := 1 + rng.IntN(2)
			at[end] += float64((rng.Float64() - 0.5) * 0.5 * (at[2] - at[1] + math.Abs(at[end])*1e-3 + 1e-6))
			return "a moved border", true
		}
	}
	return "", false
}

func droppedBox(rng *rand.Rand, c *Certificate, _ *model.Model) (string, bool) {
	for _, i := range rng.Perm(len(c.Covers)) {
		if boxes := c.Covers[i]; len(boxes) > 0 {
			at := rng.IntN(len(boxes))
			c.Covers[i] = append(boxes[:at:at], boxes[at+1:]...)
			return "a dropped box", true
		}
	}
	return "", false
}

func doubledBox(rng *rand.Rand, c *Certificate, _ *model.Model) (string, bool) {
	i := rng.IntN(len(c.Covers))
	c.Covers[i] = append(c.Covers[i], c.Covers[i][rng.IntN(len(c.Covers[i]))])
	return "a doubled box", true
}

func movedDepth(rng *rand.Rand, c *Certificate, _ *model.Model) (string, bool) {
	cover := coverOf(rng, c)
	if cover == nil {
		return "", false
	}
	cover[rng.IntN(len(cover))].Depth += 1 - 2*rng.IntN(2)
	return "a moved depth", true
}

func swappedBounds(rng *rand.Rand, c *Certificate, _ *model.Model) (string, bool) {
	one := claimOf(rng, c, Proved, Range, Slope, Jump)
	if one == nil || *one.Low == *one.High {
		return "", false
	}
	one.Low, one.High = one.High, one.Low
	return "swapped bounds", true
}

func narrowedBounds(rng *rand.Rand, c *Certificate, _ *model.Model) (string, bool) {
	one := claimOf(rng, c, Proved, Range, Slope, Jump)
	if one == nil || *one.High-*one.Low < 1e-6 {
		return "", false
	}
	low, high := *one.Low, *one.High
	middle := low + float64((0.3+0.4*rng.Float64())*(high-low))
	if one.Attained != nil { // false, not only unproved
		middle = one.Attained[0] + float64(0.9*rng.Float64()*(one.Attained[1]-one.Attained[0]))
	}
	one.High = &middle
	return "a narrowed bound", middle >= low && middle < high
}

func turnedDirection(rng *rand.Rand, c *Certificate, _ *model.Model) (string, bool) {
	one := claimOf(rng, c, Proved, Monotone)
	if one == nil {
		return "", false
	}
	for _, s := range c.Claims { // of a column that moves predictions
		if s.Kind == Slope && s.Column == one.Column && s.Output == one.Output && s.Attained[1]-s.Attained[0] > 1e-6 {
			one.Direction = map[string]string{Increasing: Decreasing, Decreasing: Increasing}[one.Direction]
			return "a turned direction", true
		}
	}
	return "", false
}

func otherCover(rng *rand.Rand, c *Certificate, _ *model.Model) (string, bool) {
	one := claimOf(rng, c, Proved, Range, Slope, Coverage, Monotone)
	if one == nil {
		return "", false
	}
	one.Cover = len(c.Covers) + rng.IntN(3)
	return "a cover that is none", true
}

func shrunkDomain(rng *rand.Rand, c *Certificate, _ *model.Model) (string, bool) {
	for _, i := range rng.Perm(len(c.Domain.Columns)) {
		if r := c.Domain.Columns[i].Range; r != nil {
			r[1] -= float64(0.1 * (r[1] - r[0]))
			return "a shrunk domain", true
		}
	}
	return "", false
}

func droppedLevel(_ *rand.Rand, c *Certificate, _ *model.Model) (string, bool) {
	for i := range c.Domain.Columns {
		if c.Domain.Columns[i].Unseen {
			c.Domain.Columns[i].Unseen = false
			return "no unseen level", true
		}
	}
	return "", false
}

func changedCoefficient(rng *rand.Rand, _ *Certificate, m *model.Model) (string, bool) {
	for m.Committee() {
		m = m.Members[rng.IntN(len(m.Members))]
	}
	w := m.RuleBase.Consequents[rng.IntN(m.RuleBase.Rules())]
	w[rng.IntN(len(w))] += 1e-9
	return "a changed coefficient", m.Pages == nil // pages refuse it before
}

func movedStep(rng *rand.Rand, c *Certificate, _ *model.Model) (string, bool) {
	one := claimOf(rng, c, Proved, Jump)
	if one == nil {
		return "", false
	}
	one.Steps[rng.IntN(len(one.Steps))].At += 1e-3
	return "a moved step", true
}

func droppedStep(rng *rand.Rand, c *Certificate, _ *model.Model) (string, bool) {
	one := claimOf(rng, c, Proved, Jump)
	if one == nil {
		return "", false
	}
	one.Steps = one.Steps[1:]
	return "a dropped step", true
}

func strayRow(rng *rand.Rand, c *Certificate, _ *model.Model) (string, bool) {
	one := claimOf(rng, c, Refuted, Monotone)
	if one == nil {
		return "", false
	}
	one.Rows[0], one.Rows[1] = one.Rows[1], one.Rows[0]
	return "rows in another order", true
}

func openedRefutation(rng *rand.Rand, c *Certificate, _ *model.Model) (string, bool) {
	one, other := claimOf(rng, c, Refuted, Monotone), claimOf(rng, c, Proved, Coverage)
	if one == nil || other == nil {
		return "", false
	}
	one.Status, one.Cover, one.Rows = Proved, other.Cover, nil
	return "a refuted claim that is called proved", true
}

func boldShare(rng *rand.Rand, c *Certificate, _ *model.Model) (string, bool) {
	one := claimOf(rng, c, Proved, Decides)
	if one == nil {
		return "", false
	}
	one.Shares[rng.IntN(len(one.Shares))] = 1.5
	return "a share beyond one", true
}

func unknownPoint(rng *rand.Rand, c *Certificate, _ *model.Model) (string, bool) {
	for i, column := range c.Domain.Columns {
		if column.Range == nil {
			cover := c.Covers[rng.IntN(len(c.Covers))]
			cover[rng.IntN(len(cover))].Points = [][]int{{i, column.points()}}
			return "a point that is none", true
		}
	}
	return "", false
}

func boldRounding(rng *rand.Rand, c *Certificate, _ *model.Model) (string, bool) {
	one := claimOf(rng, c, Proved, Rounding)
	if one == nil {
		return "", false
	}
	*one.High *= 0.4 * rng.Float64()
	return "a small error", true
}

func otherBits(rng *rand.Rand, c *Certificate, _ *model.Model) (string, bool) {
	one := claimOf(rng, c, Proved, Rounding)
	if one == nil {
		return "", false
	}
	one.Bits -= 32
	return "fewer bits", true
}

// ownColumn returns the first column of numbers that may be missing, or -1.
func ownColumn(c *Certificate) int {
	return slices.IndexFunc(c.Domain.Columns, func(of Column) bool { return of.Missing && of.Range != nil })
}

func neverMissing(_ *rand.Rand, c *Certificate, _ *model.Model) (string, bool) {
	i := ownColumn(c)
	if i < 0 {
		return "", false
	}
	c.Domain.Columns[i].Missing = false
	return "no missing numbers", true
}

func lostMissing(rng *rand.Rand, c *Certificate, _ *model.Model) (string, bool) {
	i, cover := ownColumn(c), c.Covers[rng.IntN(len(c.Covers))]
	for _, k := range rng.Perm(len(cover)) {
		all := !slices.ContainsFunc(cover[k].Points, func(p []int) bool { return p[0] == i })
		if i >= 0 && all {
			cover[k].Points = append(cover[k].Points, []int{i})
			return "a box without missing numbers", true
		}
	}
	return "", false
}

// TestFalse makes 200 certificates false, which both checkers refuse.
func TestFalse(t *testing.T) {
	cases := []exporttest.Case{{Shape: "ramp", Response: "number", Page: true}, {Shape: "gaussian", Response: "number"},
		{Shape: "ramp", Response: "number", ImputeMeans: true, Page: true, Factors: true}, {Shape: "trapezoid", Response: "number"},
		{Shape: "ramp", Response: "number", ImputeMeans: true, Own: true, Page: true}}
	python := newChecker(t)
	rng, made, kinds := rand.New(rand.NewPCG(11, 12)), 0, map[string]bool{}
	for n := 0; made < 200 && n < 2000; n++ {
		of := cases[n/len(mutants)%len(cases)]
		m := of.Model(t)
		c := decoded(t, certificateOf(t, of))
		what, ok := mutants[n%len(mutants)](rng, c, m)
		if !ok {
			continue
		}
		made++
		kinds[what] = true
		if err := c.Check(m); err == nil {
			t.Errorf("%s: a certificate with %s is accepted", of.Name(), what)
		}
		if made%testenv.CaseNumber(20, 20, 1) > 0 {
			continue
		}
		if holds, said := python.check(t, m, c); holds || !strings.Contains(said, "certificate: ") {
			t.Errorf("%s: Python says of a certificate with %s: %s", of.Name(), what, said)
		}
	}
	if made < 200 || len(kinds) < len(mutants) {
		t.Errorf("%d certificates of %d kinds; want 200 of %d", made, len(kinds), len(mutants))
	}
}

var certificates = map[string][]byte{}

// certificateOf returns the bytes of a certificate of a case, which is proved once.
func certificateOf(t *testing.T, of exporttest.Case) []byte {
	t.Helper()
	if certificates[of.Name()] == nil {
		var file bytes.Buffer
		c := proved(t, of.Model(t), 40)
		if err := c.Encode(&file); err != nil {
			t.Fatal(err)
		}
		if err := decoded(t, file.Bytes()).Check(of.Model(t)); err != nil {
			t.Fatal(err)
		}
		certificates[of.Name()] = file.Bytes()
	}
	return certificates[of.Name()]
}

func decoded(t *testing.T, file []byte) *Certificate {
	t.Helper()
	c, err := Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestNamesBox says which box of a damaged certificate fails first.
func TestNamesBox(t *testing.T) {
	of := exporttest.Case{Shape: "ramp", Response: "number", Page: true}
	c := decoded(t, certificateOf(t, of))
	for i := range c.Covers {
		if n := len(c.Covers[i]); n > 1 {
			c.Covers[i] = c.Covers[i][:n-1]
			if err := c.Check(of.Model(t)); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("cover %d: box %d", i, n-1)) {
				t.Errorf("cover %d: %v", i, err)
			}
			return
		}
	}
	t.Fatal("no cover of several boxes")
}

// TestCommittedFiles keeps the checker in Python free of the program: it imports nothing of the package that reads exports.
func TestCommittedFiles(t *testing.T) {
	for _, name := range []string{"certificate", "_bounds", "_domain", "_enclosure", "_interval", "_membership"} {
		text, err := os.ReadFile(filepath.Join("..", "python", "tskgraph", name+".py"))
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range []string{"_program", "_form", "_member ", "_predictor"} {
			if strings.Contains(string(text), "from ."+other) {
				t.Errorf("%s.py imports %s", name, other)
			}
		}
	}
}
