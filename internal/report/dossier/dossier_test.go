package dossier

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/certify"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/tune"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// rows returns n samples with a column of numbers, one of categories, and weights 1 and 2.
func rows(n int, seed uint64) *data.Dataset {
	rng := rand.New(rand.NewPCG(seed, 1))
	d := &data.Dataset{Missing: data.Missing{Policy: "error"}, Schema: data.Schema{Target: "y", TargetUnit: "kW", Columns: []data.Column{
		{Name: "x|1", Unit: "m", Encoding: data.Numeric}, {Name: "<kind>", Encoding: data.OneHot, Levels: []string{"a", "**4.1** b"}}}}}
	for i := range n {
		x := []float64{10 * rng.Float64(), float64(i % 2), float64(1 - i%2)}
		d.X, d.Y, d.Rows = append(d.X, x), append(d.Y, 2*x[0]+x[1]+rng.NormFloat64()), append(d.Rows, i+1)
		d.Weights = append(d.Weights, float64(1+i%2))
	}
	return d
}

// input returns the input of a dossier on a calibrated model of three rules.
func input(t testing.TB) Input {
	t.Helper()
	ctx, in := context.Background(), Input{Train: rows(60, 1), Calibration: rows(40, 2), Test: rows(50, 3)}
	prep := testenv.Must(model.Fit(ctx, in.Train))
	rb := rules.New(membership.Gaussian{}, &rules.Clusters{Centers: [][]float64{{-1, 1, -1}, {0, -1, 1}, {1, 0, 0}},
		Spreads: [][]float64{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, Targets: []float64{-6, 1, 5}})
	x := testenv.Must(prep.Scale(in.Train.X))
	in.Model = testenv.Must(model.New(ctx, prep, rb, x, in.Train.Weights, model.Training{Samples: 60, Seed: 1,
		Versions: map[string]string{"tskgraph": "1.2.3"}, Metrics: map[string]float64{"rmse_test": 7}}))
	testenv.OK(t, in.Model.Calibrate(ctx, in.Calibration, nil))
	in.Described = testenv.Must(words.ModelOn(in.Model, in.Train))
	in.Answers = map[string]string{"owner": "J.  Doe\n2"}
	in.Files, in.Program = []File{{"model.json", strings.Repeat("fedcba9876543210", 4)}}, [][2]string{{"go", "go1.2"}}
	in.Summary = &report.Summary{RunDir: "runs/a b", Page: &words.Tried{Lines: []string{"found in 3 of 20 samples"}}}
	in.Stability = &report.Stability{Part: "test", Dependence: &tune.Dependence{Seeds: []uint64{1, 2}, Samples: 50, Metric: "RMSE", Loss: 1.5,
		Rules: &tune.Matched{Share: 0.5, Least: 0.5}, Curves: []tune.Curve{{Feature: "x|1", Range: 3, Spread: 1}}}}
	return in
}

// forms are the ways to write a document.
func forms(d *Document) map[string]func(io.Writer) error {
	return map[string]func(io.Writer) error{"d.md": d.WriteMarkdown, "d.html": d.WriteHTML}
}

// TestCheckFindsEveryFigure changes each figure of a written dossier in turn: the check names its line and no other.
func TestCheckFindsEveryFigure(t *testing.T) {
	d := testenv.Must(New(t.Context(), input(t)))
	for name, write := range forms(d) {
		var b bytes.Buffer
		testenv.OK(t, write(&b))
		lines := strings.Split(b.String(), "\n")
		same, differences, err := d.Check(name, []byte(strings.ReplaceAll(b.String(), "\n", "\r\n")))
		if err != nil || len(differences) > 0 || same < 150 {
			t.Fatalf("%s: %d figures agree, %v, %v", name, same, differences, err)
		}
		tried := 0
		computed := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "2.1") && places.MatchString(line) })
		for i := computed; i < len(lines); i++ {
			text := places.ReplaceAllString(lines[i], "")
			if strings.HasPrefix(text, "<h2>") || strings.HasPrefix(text, "<section") || strings.HasPrefix(text, "## ") {
				continue
			}
			prefix := lines[i][:len(lines[i])-len(text)]
			for at := range figures.FindAllStringIndex(text, -1) {
				place := figures.FindAllStringIndex(text, -1)[at][1] - 1
				if text[place] == '%' {
					place--
				}
				if c := text[place]; c < '0' || c > '9' {
					continue // a hash
				}
				changed := slices.Clone(lines)
				changed[i] = prefix + text[:place] + string('0'+(text[place]-'0'+1)%10) + text[place+1:]
				_, differences, err := d.Check(name, []byte(strings.Join(changed, "\n")))
				if err != nil || len(differences) != 1 || differences[0].Line != i+1 {
					t.Errorf("%s: line %d is now %s: %v, %v", name, i+1, changed[i], differences, err)
				}
				tried++
			}
		}
		if tried < 150 {
			t.Errorf("%s: only %d figures were changed", name, tried)
		}
	}
}

// TestCheckFindsWords: so it does an item that is missing or added, and a changed word, but nothing that people write in the first
// section.
func TestCheckFindsWords(t *testing.T) {
	d := testenv.Must(New(t.Context(), input(t)))
	for name, write := range forms(d) {
		var b bytes.Buffer
		testenv.OK(t, write(&b))
		text := b.String()
		for _, c := range []struct{ from, to, want string }{
			{"J. Doe 2", "someone else", ""},
			{"To be filled in: write misuse: TEXT to purpose.yaml in the directory of the run.", "Nothing", ""},
			{"Rows of the test part that no rule covers", "Rows of the training part that no rule covers", "8.3: Rows of the training part"},
			{"found in 3 of 20 samples", "found in 13 of 20 samples", "5.5, figure 1: 13, recomputed 3"},
			{"found in 3 of 20 samples\n", "", "5.5: "},
			{"found in 3 of 20 samples\n", "found in 3 of 20 samples\nand 4 more\n", "5.5: "},
			{"**8.3** ", "", "8.3: missing: "},
			{`" id="i8.3">`, `" id="i8">`, "8.3: missing: "},
			{"**8.4** ", "**8.9** It is safe.\n\n**8.4** ", "8.9: not computed: It is safe"},
			{"## 8. Limits\n", "## 8. Limits\n\nIt is safe.\n", "8: not computed: It is safe"},
			{"For the validation", "After the validation", "0: After"},
			{"</style>", ".n::after { content: \"%\"; }</style>", "0: "},
			{"**8.4** ", "**8.3** It is safe.\n\n**8.4** ", "8.3: not computed: It is safe"},
		} {
			changed := strings.Replace(text, c.from, c.to, 1)
			if changed == text {
				if strings.ContainsAny(c.from[:1], "*#") == (name == "d.md") && c.from != "</style>" {
					t.Errorf("%s has no %q", name, c.from)
				}
				continue
			}
			_, differences, err := d.Check(name, []byte(changed))
			found := slices.ContainsFunc(differences, func(d Difference) bool { return strings.Contains(d.String(), c.want) })
			if err != nil || found != (c.want != "") || len(differences) > 0 != (c.want != "") {
				t.Errorf("%s: %q for %q: %v, %v; want %q", name, c.to, c.from, differences, err, c.want)
			}
		}
	}
	if _, _, err := d.Check("x.md", []byte("# Dossier\n")); err == nil || err.Error() != "x.md: no dossier of tskgraph" {
		t.Error(err)
	}
}

// items returns the items of a document whose text contains a part.
func items(t *testing.T, d *Document, part string) (all []Item) {
	t.Helper()
	for _, s := range d.Sections {
		for _, i := range s.Items {
			if strings.Contains(i.Text, part) {
				all = append(all, i)
			}
		}
	}
	if all == nil {
		t.Errorf("no item contains %q", part)
	}
	return all
}

// TestGroups: quarters, categories and rules divide the test part, and the errors and coverages of the groups make up those of all rows.
func TestGroups(t *testing.T) {
	in := input(t)
	d := testenv.Must(New(t.Context(), in))
	e := testenv.Must(in.Model.Evaluate(t.Context(), in.Test))
	covered, _, err := in.Model.Coverage(t.Context(), in.Test, words.UsualLevel, model.BothSides)
	testenv.OK(t, err)
	weights := map[string]float64{} // of groups, by name
	for n, y := range in.Test.Y {
		for _, i := range append(items(t, d, "Errors by quarter"), items(t, d, "Errors by category")...) {
			for _, row := range i.Rows {
				var low, high float64
				_, err := fmt.Sscanf(row[0], "from %g to %g", &low, &high)
				if err == nil && numericWithin(y, low, high) || err != nil && row[0] == []string{"**4.1** b", "a"}[int(in.Test.X[n][1])] {
					weights[row[0]] += in.Test.Weights[n]
				}
			}
		}
	}
	for _, i := range append(items(t, d, "Errors by quarter"), items(t, d, "Errors by category")...) {
		at := func(row []string, head string) float64 {
			return testenv.Must(strconv.ParseFloat(strings.TrimSuffix(row[slices.Index(i.Head, head)], "%"), 64))
		}
		rows, total, squares, inside := 0.0, 0.0, 0.0, 0.0
		for _, row := range i.Rows {
			w := weights[row[0]]
			rows, total = rows+at(row, "rows"), total+w
			squares += w * at(row, "RMSE") * at(row, "RMSE")
			inside += w * at(row, "in their intervals") / 100
		}
		if rows != 50 || total != 75 || math.Abs(math.Sqrt(squares/total)-e.RMSE) > 1e-4*e.RMSE || math.Abs(inside/total-covered) > 1e-3 {
			t.Errorf("%s: %v rows of weight %v, RMSE %v, want %v, coverage %v, want %v", i.Text, rows, total, math.Sqrt(squares/total), e.RMSE,
				inside/total, covered)
		}
	}
	rows := 0
	for _, row := range items(t, d, "Coverage by the rule")[0].Rows {
		rows += testenv.Must(strconv.Atoi(row[1]))
	}
	testenv.Equal(t, rows, 50, "rows by rule")
}

// numericWithin reports whether a value lies in a range whose ends are rounded to five digits.
func numericWithin(v, low, high float64) bool { return v > low-5e-4 && v < high+5e-4 }

// TestWarnings: a dossier says that the model was recorded with other errors, that there is no test part, and what was not measured.
func TestWarnings(t *testing.T) {
	in := input(t)
	d := testenv.Must(New(t.Context(), in))
	if i := items(t, d, "records other errors")[0]; !i.Warning || !strings.Contains(i.Text, "RMSE 7, now ") {
		t.Error(i)
	}
	in.Test, in.Stability, in.Summary, in.Model.Calibration = nil, nil, nil, nil
	d = testenv.Must(New(t.Context(), in))
	if i := items(t, d, "no test part")[0]; !i.Warning {
		t.Error(i)
	}
	items(t, d, "not measured")
	items(t, d, "no prediction intervals")
	if _, err := New(t.Context(), Input{Model: in.Model}); err == nil {
		t.Error("a dossier without a training part")
	}
}

// TestPromises: the claims of a certificate are listed after a check of their proofs; a changed one, and one of another model, are refused.
func TestPromises(t *testing.T) {
	in := input(t)
	items(t, testenv.Must(New(t.Context(), in)), "Nothing is proved: the run has no certificate.json")
	uncertain := *in.Model
	uncertain.Neighbours = &model.Neighbours{}
	of := &builder{ctx: t.Context(), Input: Input{Model: &uncertain}, m: &uncertain, Document: &Document{Sections: []Section{{}}}}
	testenv.OK(t, of.promises())
	items(t, of.Document, "Nothing is proved: the model has no certificate (certify: the model corrects")
	in.Options = [][2]string{{"model.monotone", "{x: increasing}"}}
	made := testenv.Must(certify.Prove(t.Context(), in.Model, certify.Options{Boxes: 50, Samples: 64}))
	var b bytes.Buffer
	testenv.OK(t, made.Encode(&b))
	in.Certificate = b.Bytes()
	d := testenv.Must(New(t.Context(), in))
	items(t, d, "The configuration asks for model.monotone: {x: increasing}.")
	i := items(t, d, fmt.Sprintf("%d of %d claims are proved", made.Summary().Proved, len(made.Claims)))[0]
	if len(i.Rows) != len(made.Claims) || made.Summary().Proved == 0 {
		t.Errorf("%d rows of %d claims, %d proved", len(i.Rows), len(made.Claims), made.Summary().Proved)
	}
	other := input(t)
	other.Model.RuleBase.Consequents[0][0]++
	damaged := in
	damaged.Certificate = b.Bytes()[:b.Len()/2]
	for _, refused := range []Input{damaged, {Model: other.Model, Train: in.Train, Described: in.Described, Certificate: in.Certificate}} {
		if i := items(t, testenv.Must(New(t.Context(), refused)), "certificate.json is refused"); !i[0].Warning {
			t.Error(i)
		}
	}
}

// TestCommands: every item with a figure of the model names a command.
func TestCommands(t *testing.T) {
	d := testenv.Must(New(t.Context(), input(t)))
	for _, s := range d.Sections[1:] {
		for _, i := range s.Items {
			text := regexp.MustCompile("section [0-9]|above 0|below 1").ReplaceAllString(i.Text, "")
			if i.Command == "" && (figures.MatchString(text) || i.Rows != nil || i.Printed != "") {
				t.Errorf("%s names no command: %s", i.Place, i.Text)
			}
		}
	}
}

func TestAnswers(t *testing.T) {
	got := testenv.Must(ReadAnswers("p.yaml", []byte("owner: a\nusers: >\n  b\n  c\n"), []string{"owner=J=D"}))
	testenv.Equal(t, fmt.Sprint(got), "map[owner:J=D users:b c\n]", "answers")
	for _, c := range []struct{ yaml, more, want string }{
		{"ownr: a", "", `p.yaml:1: unknown key "ownr"; did you mean owner?`},
		{"- a", "", "p.yaml:1: want keys with a text each, such as owner: J. Doe"},
		{"owner: [a]", "", "p.yaml:1: owner: want a text"},
		{"owner: a\nowner: b", "", "p.yaml:2: owner occurs twice"},
		{"owner: 'a", "", "p.yaml:1:"},
		{"", "owner", `--answer "owner": want KEY=TEXT, such as owner="J. Doe"`},
		{"", "zzzzzz=1", `--answer: unknown key "zzzzzz": choose purpose, owner,`},
	} {
		var more []string
		if c.more != "" {
			more = []string{c.more}
		}
		_, err := ReadAnswers("p.yaml", []byte(c.yaml), more)
		testenv.FailsWith(t, err, c.want, "%v", c)
	}
}
