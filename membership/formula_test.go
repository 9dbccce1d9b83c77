package membership

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tskgraph/tskgraph/internal/base/rowterms"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

func least(v float64) *float64 { return &v }

// mine is the built-in Cauchy shape as a formula.
var mine = Formula{
	Name: "mine", Expr: "1 / (1 + ((x-c)/s)^2)", LogExpr: "-log(1 + ((x-c)/s)^2)",
	Params: []FormulaParam{{Name: "c", Init: "center"}, {Name: "s", Init: "spread", Min: least(0.05)}},
}

func shapeOf(t testing.TB, f Formula) Function {
	t.Helper()
	s := testenv.Must(f.Shape())
	return s
}

// TestFormulasAgree compares the values of an expression on numbers and on terms, and
// both with the logarithm.
func TestFormulasAgree(t *testing.T) {
	for _, f := range []Formula{
		mine,
		{Name: "tent", Expr: "relu(1 - abs(x-c)/s)", Params: []FormulaParam{{Name: "c", Init: "center"}, {Name: "s", Init: "10*spread"}}},
		{Name: "box", Expr: "clamp((x-a)/(b-a), 0, 1) * min(1, max(0, (d-x)/(d-b)))",
			Params: []FormulaParam{{Name: "a", Init: "center - 9*spread"}, {Name: "b", Init: "center"}, {Name: "d", Init: "center + 9*spread"}}},
		{Name: "steps", Expr: "sigmoid((x-c)/s+2)*(1-sigmoid((x-c)/s-2))",
			Params: []FormulaParam{{Name: "c", Init: "center"}, {Name: "s", Init: "spread/2"}}},
		{Name: "waves", Expr: "exp(-((x-c)/s)^2) * (0.5+0.5*cos(x-c)) * (1 - 0.1*tanh(x)^4)",
			Params: []FormulaParam{{Name: "c", Init: "center"}, {Name: "s", Init: "2*spread"}}},
		{Name: "bell", Expr: "1/(1+sqrt(((x-c)/s)^2 + 1e-6)^(2*b))",
			Params: []FormulaParam{{Name: "c", Init: "center"}, {Name: "s", Init: "spread"}, {Name: "b", Init: "1.5", Min: least(0.5)}}},
	} {
		s := shapeOf(t, f)
		t.Run(f.Name, rapid.MakeCheck(func(t *rapid.T) {
			center, spread := rapid.Float64Range(-5, 5).Draw(t, "center"), rapid.Float64Range(0.05, 5).Draw(t, "spread")
			p, x := s.Place(center, spread), center+spread*rapid.Float64Range(-12, 12).Draw(t, "x")
			g := []float64{x}
			s.Grades(g, g, p)
			if e := Evaluate(s, x, p); !(math.Abs(e-g[0]) <= 1e-13) || !(g[0] >= 0 && g[0] <= 1) {
				t.Fatalf("at %v: Expr gives %v, Grades %v (p = %v)", x, e, g[0], p)
			}
			l, ok := s.(LogFunction)
			if !ok {
				return
			}
			z := []float64{x}
			l.LogGrades(z, z, p)
			if e := EvaluateLog(l, x, p); !(math.Abs(e-z[0]) <= 1e-12*math.Abs(z[0])) || !(math.Abs(math.Exp(z[0])-g[0]) <= 1e-13) {
				t.Fatalf("at %v: LogExpr gives %v, LogGrades %v, Grades %v (p = %v)", x, e, z[0], g[0], p)
			}
		}))
	}
}

func TestFormulaValues(t *testing.T) {
	for _, c := range []struct {
		expr string
		want float64 // at x = 3, c = 2
	}{
		{"x + c*2", 7}, {"(x+c)*2", 10}, {"-x^2 + 0*c", -9}, {"2^3^2 + 0*x*c", 512}, {"x^-1*c", 2.0 / 3}, {"x - c - 1", 0}, {"12/x/c", 2},
		{"x^0.5*c", 2 * math.Sqrt(3)}, {"x^c", 9}, {"x^3 + c", 29}, {"x^0 + 0*c", 1}, {"min(x, c)", 2}, {"max(x, c)", 3}, {"clamp(x, 0, c)", 2},
		{"relu(c - x)", 0}, {"abs(c - x)", 1}, {"exp(log(x)) + 0*c", 3}, {"cos(pi) + 0*x*c", -1}, {"log(e) + 0*x*c", 1},
		{"+x - -c", 5}, {"sigmoid(0*x*c)", 0.5}, {"tanh(0*x*c)", 0}, {"sqrt(c*8)+0*x", 4}, {" 1.5e1 + 0*x*c ", 15}, {"1/2*x*c", 3},
	} {
		f := Formula{Name: "f", Expr: c.expr, Params: []FormulaParam{{Name: "c", Init: "center"}}}
		got := []float64{3}
		shapeOf(t, f).Grades(got, got, []float64{2})
		if math.Abs(got[0]-c.want) > 1e-12 {
			t.Errorf("%s = %v, want %v", c.expr, got[0], c.want)
		}
	}
}

func TestFormulaPlacesAndProjects(t *testing.T) {
	f := Formula{Name: "f", Expr: "x+c+a+b+s+k", Params: []FormulaParam{
		{Name: "c", Init: "center"}, {Name: "a", Init: "center-spread"}, {Name: "b", Init: "center + 0.5*spread"},
		{Name: "s", Init: "spread/4", Min: least(2)}, {Name: "k", Init: "-3.5"},
	}}
	s := shapeOf(t, f)
	testenv.Equal(t, s.Place(10, 4), []float64{10, 6, 12, 2, -3.5}, "placed")
	var kinds []Kind
	for _, p := range s.Params() {
		kinds = append(kinds, p.Kind)
	}
	testenv.Equal(t, kinds, []Kind{Position, Position, Position, Spread, Number}, "kinds")
}

func TestFormulaFaults(t *testing.T) {
	with := func(change func(*Formula)) Formula {
		f := mine
		f.Params = slices.Clone(mine.Params)
		change(&f)
		return f
	}
	expr := func(text string) Formula { return with(func(f *Formula) { f.Expr = text }) }
	for _, c := range []struct {
		formula Formula
		column  int // of a FormulaError; 0: any, or another error
		want    string
	}{
		{expr("1 / (x - c) + q*s"), 15, "unknown name q"},
		{expr("1 / (x - c) + S"), 15, "did you mean s?"},
		{expr("sin(x) + c + s"), 1, "unknown function sin: want one of abs, clamp, cos"},
		{expr("exp(x, c) + s"), 1, "exp takes 1 argument, not 2"},
		{expr("exp + x + c + s"), 1, "exp is a function"},
		{expr("(x - c) / s +"), 13, "ends too early"},
		{expr("x ** c + s"), 3, "operator ** is not supported"},
		{expr("x + c + s < 1"), 11, "invalid character"},
		{expr("x + 'a' + c + s"), 5, "invalid character"},
		{expr("x.y + c + s"), 0, "not a numeric expression"},
		{expr("x in c + s"), 3, "operator in"},
		{expr("x .. c + s"), 3, "operator .."},
		{expr("not x + c + s"), 1, "operator not"},
		{expr("x^100 + c + s"), 2, "a whole power of 100"},
		{expr("let a = 1; x + c + s"), 7, "invalid character"},
		{expr("1e999*x + c + s"), 6, "out of range"},
		{expr("x + é + c + s"), 5, "invalid character"},
		{expr(""), 1, "empty"},
		{expr(strings.Repeat("(", 600) + "x+c+s" + strings.Repeat(")", 600)), 1000, "at most 1000"},
		{expr("x+c+s" + strings.Repeat("+x", 450)), 0, "too large"},
		{expr(strings.Repeat("abs(", 60) + "x+c+s" + strings.Repeat(")", 60)), 0, "too large"},
		{expr("x + c"), 0, "parameter s does not occur"},
		{expr("c + s"), 0, "x does not occur"},
		{with(func(f *Formula) { f.LogExpr = "log(z)" }), 5, "log_expr"},
		{with(func(f *Formula) { f.Params[0].Init = "middle" }), 1, "init of c"},
		{with(func(f *Formula) { f.Params[0].Init = "center*spread" }), 1, "sums and multiples"},
		{with(func(f *Formula) { f.Params[0].Init = "exp(center)" }), 1, "sums and multiples"},
		{with(func(f *Formula) { f.LogExpr = "((x-c)/s)^2" }), 0, "not the logarithm of expr"},
		{expr("x + c + s + log(-1)"), 13, "the value is NaN"},
		{with(func(f *Formula) { f.Name = "a b" }), 0, "name \"a b\""},
		{with(func(f *Formula) { f.Name = "" }), 0, "name"},
		{with(func(f *Formula) { f.Params[0].Name = "x" }), 0, "reserved"},
		{with(func(f *Formula) { f.Params[0].Name = "exp" }), 0, "reserved"},
		{with(func(f *Formula) { f.Params[0].Name = "pi" }), 0, "reserved"},
		{with(func(f *Formula) { f.Params[0].Name = "s" }), 0, "twice"},
		{with(func(f *Formula) { f.Params[0].Name = "1c" }), 0, "want letters"},
		{with(func(f *Formula) { f.Params = nil }), 0, "0 parameters"},
		{with(func(f *Formula) { f.Params[0].Min = least(math.NaN()) }), 0, "min NaN"},
	} {
		_, err := c.formula.Shape()
		if !errors.Is(err, ErrFormula) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: %v, want %q", c.formula.Expr, err, c.want)
			continue
		}
		var fault *FormulaError
		if isFault := errors.As(err, &fault); c.column > 0 && (!isFault || fault.Column != c.column) {
			t.Errorf("%.60q: %v, want column %d", c.formula.Expr, err, c.column)
		}
	}
}

// TestFormulaPieces: the pieces of a formula change at its kinks and nowhere else.
func TestFormulaPieces(t *testing.T) {
	f := Formula{Name: "f", Expr: "abs(x-c) + relu(x+c) + min(x, 2*c) + max(-3, x) + exp(x)",
		Params: []FormulaParam{{Name: "c", Init: "center"}}}
	piece := shapeOf(t, f).(Piecewise).Piece
	kinks := []float64{-3, -0.7, 0.7, 1.4}
	for x := -4.05; x < 2; x += 0.1 {
		passed := slices.ContainsFunc(kinks, func(k float64) bool { return x < k && k < x+0.1 })
		testenv.Equal(t, piece(x, []float64{0.7}) != piece(x+0.1, []float64{0.7}), passed, "from %v to %v: the piece changes", x, x+0.1)
	}
	if piece(1, []float64{0.9}) == piece(1, []float64{1.1}) {
		t.Error("a parameter moved a kink across x without a change of the piece")
	}
}

func TestWritten(t *testing.T) {
	for _, log := range []string{"", mine.LogExpr} {
		f := mine
		f.LogExpr = log
		s := shapeOf(t, f)
		if got, ok := AsFormula(s); !ok || got.Expr != f.Expr || got.LogExpr != log {
			t.Errorf("%+v, %v", got, ok)
		}
		if _, isLog := s.(LogFunction); isLog != (log != "") {
			t.Errorf("log_expr %q: a LogFunction: %v", log, isLog)
		}
	}
	if _, ok := AsFormula(Gaussian{}); ok {
		t.Error("AsFormula returned a formula for a built-in shape")
	}
}

// FuzzFormula: parsing any text gives a shape that can be evaluated, or an error with a
// column within the text.
func FuzzFormula(f *testing.F) {
	for _, seed := range []string{mine.Expr, "x^c", "min(x,c)", "1/(", "((((x))))+c", "x;c", "é", "x^-2+c", "clamp(x,0,c)", "\x00",
		"0x10+x+c", "1_0+x+c"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Formula{Name: "f", Expr: text, Params: []FormulaParam{{Name: "c", Init: "center"}}}.Shape()
		var fault *FormulaError
		switch {
		case errors.As(err, &fault):
			if fault.Column < 1 || fault.Column > max(len([]rune(text))+1, maxLength) {
				t.Errorf("column %d of %q", fault.Column, text)
			}
		case err == nil:
			g := []float64{0.5}
			s.Grades(g, g, []float64{0.25})
		case !errors.Is(err, ErrFormula):
			t.Error(err)
		}
	})
}

// TestWholePowerAgrees: wholePower and buildWholePower agree to the bit.
func TestWholePowerAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, n := rapid.Float64Range(-3, 3).Draw(t, "a"), rapid.IntRange(-9, 9).Draw(t, "n")
		got := rowterms.Sum(buildWholePower(rowterms.Builder{}, rowterms.Number(a), n))
		if want := wholePower(a, n); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%v^%d = %v and %v", a, n, got, want)
		}
	})
}
