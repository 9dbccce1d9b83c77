package fis

import (
	"bytes"
	"errors"
	"math"
	"math/big"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/byhand"
)

func read(t *testing.T, name string) *byhand.Rulebook {
	t.Helper()
	b, err := byhand.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// floats returns the parameters of a term.
func floats(p []*big.Rat) []float64 {
	var all []float64
	for _, v := range p {
		all = append(all, nearest(v))
	}
	return all
}

func TestRead(t *testing.T) {
	b := read(t, "tip.fis")
	if b.Shape.Name() != "gauss2" || b.TNorm != "product" || len(b.Rules) != 3 || len(b.Terms) != 5 {
		t.Errorf("%+v", b)
	}
	var terms [][]float64
	for _, term := range b.Terms {
		terms = append(terms, floats(term.Params))
	}
	if want := [][]float64{{1.5, 0, 1.5, 0}, {1.5, 5, 1.5, 5}, {1.5, 10, 1, 11}, {2, 1, 2, 1}, {2, 9, 2, 9}}; !reflect.DeepEqual(terms, want) {
		t.Errorf("%v", terms)
	}
	average := b.Rules[1]
	if want := []byhand.Condition{{Column: "service", Term: "good", Line: 39}}; !reflect.DeepEqual(average.If, want) {
		t.Errorf("%+v", average.If)
	}
	f := average.Then[0]
	if f.Intercept.Cmp(big.NewRat(25, 2)) != 0 || len(f.Slopes) != 1 || f.Slopes[0].Column != "service" ||
		f.Slopes[0].Value.Cmp(big.NewRat(1, 2)) != 0 {
		t.Errorf("%+v", f)
	}
	if c := b.Columns[1]; c.Name != "food" || *c.Range != [2]float64{0, 10} || len(b.Columns) != 2 {
		t.Errorf("%+v", b.Columns)
	}
	if y := b.Targets[0]; y.Name != "tip" || *y.Range != [2]float64{0, 30} || y.Mean != nil || f.Output != "" {
		t.Errorf("%+v", b.Targets)
	}
}

// Equal weights are one; rules of weight zero are left out, and so is their membership function of
// another shape. A vertical edge at an end of the range gets a leg outside it.
func TestReadOctave(t *testing.T) {
	b := read(t, "octave.fis")
	if b.Shape.Name() != "trapezoid" || b.TNorm != "minimum" || len(b.Rules) != 2 || len(b.Terms) != 2 || len(b.Targets) != 2 {
		t.Fatalf("%+v", b)
	}
	if low, high := floats(b.Terms[0].Params), floats(b.Terms[1].Params); !reflect.DeepEqual(low, []float64{-5.00001, -5, -5, 1}) ||
		!reflect.DeepEqual(high, []float64{-1, 4, 5, 5.00001}) {
		t.Errorf("%v %v", low, high)
	}
	if b.Targets[0].Range != nil || b.Rules[1].Then[1].Output != "z" || b.Rules[1].Then[1].Slopes != nil {
		t.Errorf("%+v", b.Rules[1])
	}
}

func TestReadLatin1(t *testing.T) {
	b := read(t, "latin1.fis")
	if b.Shape.Name() != "gbell" || b.Columns[0].Name != "draußen" || b.Targets[0].Name != "wärme" ||
		b.Rules[0].Then[0].Intercept.Cmp(big.NewRat(30, 1)) != 0 {
		t.Errorf("%+v", b)
	}
}

// The shape of a file has the grades of MATLAB's definitions, and is the simplest of all functions.
func TestShapes(t *testing.T) {
	s := func(u float64) float64 { return 1 / (1 + math.Exp(-u)) }
	leg := func(x, foot, shoulder float64) float64 {
		return max(0, min(1, (x-foot)/(shoulder-foot)))
	}
	smooth := func(u float64) float64 {
		if u <= 0.5 {
			return 2 * u * u
		}
		return 1 - 2*(1-u)*(1-u)
	}
	gauss := func(x, sigma, c float64) float64 { return math.Exp(-(x - c) * (x - c) / (2 * sigma * sigma)) }
	half := func(x, sigma, c float64, on bool) float64 {
		if on {
			return gauss(x, sigma, c)
		}
		return 1
	}
	for _, c := range []struct {
		shape, functions string
		grade            []func(x float64) float64
	}{
		{"gaussian", "'gaussmf',[-2 1]", []func(x float64) float64{func(x float64) float64 { return gauss(x, 2, 1) }}},
		{"gauss2", "'gauss2mf',[2 1 0.5 3];'gaussmf',[1 0]", []func(x float64) float64{
			func(x float64) float64 { return half(x, 2, 1, x < 1) * half(x, 0.5, 3, x > 3) }, func(x float64) float64 { return gauss(x, 1, 0) },
		}},
		{"cauchy", "'gbellmf',[2 1 3]", []func(x float64) float64{func(x float64) float64 { return 1 / (1 + (x-3)*(x-3)/4) }}},
		{"gbell", "'gbellmf',[2 1 3];'gbellmf',[2 1.5 3]", []func(x float64) float64{
			func(x float64) float64 { return 1 / (1 + (x-3)*(x-3)/4) }, func(x float64) float64 { return 1 / (1 + math.Pow(math.Abs((x-3)/2), 3)) },
		}},
		{"triangular", "'trimf',[-1 0 4]", []func(x float64) float64{func(x float64) float64 { return min(leg(x, -1, 0), leg(x, 4, 0)) }}},
		{"trapezoid", "'trimf',[-1 0 4];'trapmf',[-1 0 2 4];'linsmf',[1 2];'linzmf',[1 2];'trapmf',[-Inf -inf 2 3]", []func(x float64) float64{
			func(x float64) float64 { return min(leg(x, -1, 0), leg(x, 4, 0)) }, func(x float64) float64 { return min(leg(x, -1, 0), leg(x, 4, 2)) },
			func(x float64) float64 { return leg(x, 1, 2) }, func(x float64) float64 { return leg(x, 2, 1) },
			func(x float64) float64 { return leg(x, 3, 2) },
		}},
		{"pi", "'pimf',[-1 0 2 4];'smf',[1 2];'zmf',[1 2]", []func(x float64) float64{
			func(x float64) float64 { return smooth(min(leg(x, -1, 0), leg(x, 4, 2))) }, func(x float64) float64 { return smooth(leg(x, 1, 2)) },
			func(x float64) float64 { return smooth(leg(x, 2, 1)) },
		}},
		{"psigmoid", "'psigmf',[2 1 -3 4];'sigmf',[-1 2]", []func(x float64) float64{
			func(x float64) float64 { return s(2*(x-1)) * s(-3*(x-4)) }, func(x float64) float64 { return s(-(x - 2)) },
		}},
		{"psigmoid", "'psigmf',[2 1 3 4]", []func(x float64) float64{func(x float64) float64 { return s(2*(x-1)) * s(3*(x-4)) }}},
		{"dsigmoid", "'dsigmf',[2 1 3 4];'sigmf',[-1 2]", []func(x float64) float64{
			func(x float64) float64 { return math.Abs(s(2*(x-1)) - s(3*(x-4))) }, func(x float64) float64 { return s(-(x - 2)) },
		}},
		{"sigmoid", "'psigmf',[2 1 -4 3];'tsksigmoidmf',[1 0.5 3 0.25]", []func(x float64) float64{
			func(x float64) float64 { return s(2*(x-1)) * s(-4*(x-3)) }, func(x float64) float64 { return s(2*(x-1)) * s(-4*(x-3)) },
		}},
		{"laplace", "'tsklaplacemf',[1 2]", []func(x float64) float64{func(x float64) float64 { return math.Exp(-math.Abs(x-1) / 2) }}},
	} {
		b, err := Read(strings.NewReader(withFunctions(c.functions)), "a.fis")
		if err != nil {
			t.Errorf("%s: %v", c.functions, err)
			continue
		}
		if b.Shape.Name() != c.shape || len(b.Terms) != len(c.grade) {
			t.Errorf("%s: %s of %d terms", c.functions, b.Shape.Name(), len(b.Terms))
			continue
		}
		m, err := b.Model(nil)
		if err != nil {
			t.Errorf("%s: %v", c.functions, err)
			continue
		}
		p, scale := make([]float64, len(b.Shape.Params())), m.Features[0]
		for i, want := range c.grade {
			for x := -5.0; x <= 6; x += 0.37 {
				got := []float64{(x - scale.Mean) / scale.SD}
				b.Shape.Grades(got, got, m.RuleBase.Function(p, i, 0))
				if !(math.Abs(got[0]-want(x)) <= 1e-13) {
					t.Errorf("%s, function %d at %v: %v, want %v", c.functions, i+1, x, got[0], want(x))
					break
				}
			}
		}
	}
}

// withFunctions returns a file of one input with these functions, each in a rule of its own.
func withFunctions(functions string) string {
	all := strings.Split(functions, ";")
	var b strings.Builder
	b.WriteString("[System]\nType='sugeno'\nAndMethod='prod'\n[Input1]\nName='x'\nRange=[-5 6]\n")
	for i, f := range all {
		b.WriteString("MF" + string(rune('1'+i)) + "='f':" + f + "\n")
	}
	b.WriteString("[Output1]\nName='y'\nRange=[0 1]\nMF1='one':'constant',[1]\n[Rules]\n")
	for i := range all {
		b.WriteString(string(rune('1'+i)) + ", 1 (1) : 1\n")
	}
	return b.String()
}

// What a model cannot have is refused with its line.
func TestRefuses(t *testing.T) {
	text, err := os.ReadFile("testdata/tip.fis")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"[System]\n", "", "a.fis:1: not a .fis file: want [System] first"},
		{"Type='sugeno'", "Type='mamdani'", `a.fis:3: Type="mamdani"`},
		{"AndMethod='prod'", "AndMethod='hamacher_product'", `a.fis:8: AndMethod="hamacher_product": want prod or min`},
		{"AndMethod='prod'\n", "", "a.fis:1: [System] has no AndMethod"},
		{"'wtaver'", "'wtsum'", `a.fis:12: DefuzzMethod="wtsum"`},
		{"NumRules=3", "NumRules=4", "a.fis:7: NumRules=4, and the file has 3"},
		{"NumRules=3", "NumRules=three", `a.fis:7: NumRules="three": want a whole number`},
		{"Version=2.0", "Verson=2.0", `a.fis:4: unknown key "Verson"; did you mean "Version"?`},
		{"Version=2.0", "TypeReductionMethod='karnikmendel'", "a.fis:4: TypeReductionMethod: a system of type 2"},
		{"Version=2.0", "Version", `a.fis:4: "Version": want key=value`},
		{"[Input2]", "[Input3]", "a.fis:22: unexpected section [Input3]"},
		{"NumMFs=2", "NumMFs=3", "a.fis:22: NumMFs of [Input2] is 3, and it has 2"},
		{"Name='food'", "Name='service'", `a.fis:22: two inputs have the name "service"`},
		{"Range=[0 30]", "Range=[30 0]", `a.fis:31: Range="[30 0]": want [low high]`},
		{"Range=[0 30]\n", "", "a.fis:29: [Output1] has no Range"},
		{"Name='tip'\nRange", "Range", "a.fis:29: [Output1] has no Name"},
		{"MF2='good'", "MF3='good'", "a.fis:19: MF3: want MF2 next"},
		{"MF2='good'", "MF2U='good'", "a.fis:19: MF2U: a membership function of type 2"},
		{"'gaussmf',[2 1]", "'gaussmf'", "a.fis:26: MF1="},
		{"'gaussmf',[2 1]", "'gaussmf',[2 NaN]", "a.fis:26: the parameters [2 NaN] of \"rancid\" are not numbers"},
		{"'gaussmf',[2 1]", "'gaussmf',[2 1e9999999999]", "are not numbers"},
		{"'gaussmf',[2 1]", "'gaussmf',[2 1e400]", "are not numbers"},
		{"'gaussmf',[2 1]", "'gaussmf',[2 1 3]", `a.fis:26: "rancid" of "food" has 3 parameters: gaussmf has 2`},
		{"'gaussmf',[2 1]", "'gaussmf',[0 1]", `a.fis:26: "rancid" of "food": its standard deviation`},
		{"'gaussmf',[2 1]", "'gbellmf',[2 1 3]",
			`a.fis:26: "rancid" of "food" is a gbellmf, and "poor" of "service", on line 18, ` +
				`a gaussmf: a model has membership functions of one shape`},
		{"'gaussmf',[2 1]", "'mine',[2 1]", `a.fis:26: "rancid" of "food" is a mine, whose formula the file does not have`},
		{"'linear',[0.5 0 12.5]", "'linear',[0.5 12.5]", `a.fis:34: "average" of "tip" is linear with 2 numbers`},
		{"'constant',[5]", "'constant',[5 6]", `a.fis:33: "cheap" of "tip" is a constant of 2 numbers`},
		{"'constant',[5]", "'trimf',[5 6 7]", `a.fis:33: "cheap" of "tip" is a trimf: want constant or linear`},
		{"1 1, 1 (1) : 1", "1 1, 1 (1) : 2", "a.fis:38: the rule joins its conditions by OR"},
		{"1 1, 1 (1) : 1", "1 -1, 1 (1) : 1", `a.fis:38: "food" is negated (NOT)`},
		{"1 1, 1 (1) : 1", "1 1.2, 1 (1) : 1", `a.fis:38: "food" has a hedge`},
		{"1 1, 1 (1) : 1", "1 3, 1 (1) : 1", `a.fis:38: "food" has no MF3: it has 2`},
		{"1 1, 1 (1) : 1", "1, 1 (1) : 1", `a.fis:38: "1": want 2 numbers of functions`},
		{"1 1, 1 (1) : 1", "1 1, 0 (1) : 1", `a.fis:38: the rule says nothing of "tip"`},
		{"1 1, 1 (1) : 1", "1 1, 1 (0.5) : 1", "a.fis:39: the weight of the rule is 1, and that of the rule on line 38 is 0.5"},
		{"1 1, 1 (1) : 1", "1 1, 1 (-1) : 1", `a.fis:38: weight "-1"`},
		{"1 1, 1 (1) : 1", "1 1 1 (1) : 1", "a.fis:38: not a rule"},
		{"1 1, 1 (1) : 1\n2 0, 2 (1) : 1\n3 2, 3 (1) : 1\n", "1 1, 1 (0) : 1\n1 1, 1 (0) : 1\n1 1, 1 (0) : 1\n", "a.fis: no rule fires"},
		{"[Input2]", ColumnComment + "{\n[Input2]", "a.fis:22: not the column"},
		{"[Input2]", ColumnComment + `{"name":"day","levels":["a","b"],"level":"c"}` + "\n[Input2]",
			`a.fis:23: the comment of "food" says that it is one for "c"`},
	} {
		changed := strings.Replace(string(text), c.old, c.new, 1)
		if changed == string(text) {
			t.Fatalf("%q does not occur", c.old)
		}
		_, err := Read(strings.NewReader(changed), "a.fis")
		var place *byhand.Error
		if !errors.As(err, &place) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.new, err, c.want)
		}
	}
}

// Borders are in order, and vertical edges at the ends of the range.
func TestRefusesBorders(t *testing.T) {
	for functions, want := range map[string]string{
		"'trimf',[1 1 4]":                                     `a.fis:7: "f" of "x" has a vertical edge at 1, within its range`,
		"'smf',[4 4]":                                         "vertical edge at 4, within",
		"'trapmf',[1 2 4 3]":                                  "not in ascending order",
		"'pimf',[1 3 2 4]":                                    "not in ascending order",
		"'gbellmf',[1 0.2 3]":                                 "its steepness of the flanks must be at least 0.5",
		"'tsktrapezoidmf',[1 2 4 4]":                          "not in ascending order",
		"'tskyjmf',[1 0 0 0 1 0 1]":                           `a.fis:4: "x" has functions with a transform`,
		"'tskyjmf',[1 0 1 0 1 0]":                             `"f" of "x" has 1 parameters`,
		"'tskyjmf',[1 0]":                                     "whose formula the file does not have",
		"'tskzwavesmf',[1 0 1 0]":                             "whose formula the file does not have",
		"'trapmf',[-4 -4 2 3]":                                "vertical edge at -4, within",
		"'gaussmf',[1 0];'trimf',[0 1 2]":                     `a.fis:8: "f_" of "x" is a trimf, and "f" of "x", on line 7, a gaussmf`,
		"'tskyjmf',[1 0 1 0 1 0 1];'tskyjmf',[1 0 2 0 1 0 1]": `a.fis:8: "f_" of "x" has another transform`,
		"'tskyjmf',[1 0 1 0 1 0 1];'gaussmf',[0 1]":           "all must have it",
	} {
		if _, err := Read(strings.NewReader(withFunctions(functions)), "a.fis"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", functions, err, want)
		}
	}
}

// A file that is not text of rules is an error, never a panic.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"tip.fis", "octave.fis", "latin1.fis"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(withFunctions("'trapmf',[-1e300 -9e299 9e299 1e300];'tskyjmf',[1 0 1 0 1 0 1];'sigmf',[1 0]")))
	f.Fuzz(func(t *testing.T, text []byte) {
		b, err := Read(bytes.NewReader(text), "a.fis")
		if err != nil {
			if b != nil {
				t.Errorf("%v and %+v", err, b)
			}
			return
		}
		for _, term := range b.Terms {
			if len(term.Params) != len(b.Shape.Params()) {
				t.Errorf("%+v", term)
			}
		}
		for _, r := range b.Rules {
			if len(r.Then) != len(b.Targets) {
				t.Errorf("%+v", r)
			}
		}
	})
}
