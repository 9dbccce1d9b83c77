package workbench

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// TestCompare compares runs with the same test rows, with others, and on tables whose rows one of them had in training or not.
func TestCompare(t *testing.T) {
	testenv.SkipRace(t)
	b := bench(t)
	names := []string{""}
	for _, set := range []string{"", `, "model.rules": 3`, `, "data.split_seed": 5`} {
		done, _ := ask[trained](t, b, "train", `{"table": "heating.csv", "set": {"train.iterations": 40, "train.race": [], "model.init": "tree",
			"model.rules": 4`+set+`}}`)
		names = append(names, done.Run)
	}
	compare := func(i, j int, more string) (of comparison) {
		of, _ = ask[comparison](t, b, "compare", fmt.Sprintf(`{"runs": [%q, %q]%s}`, names[i], names[j], more))
		return of
	}

	same := compare(1, 1, "")
	for _, p := range same.Matched.Pairs {
		if len(p.Moved) > 0 || p.A.Name != p.B.Name || p.A.Rows != p.Both || p.Both == 0 {
			t.Errorf("%+v of a run and itself", p)
		}
	}
	if p := same.Compared.Picture; len(p.Largest) > 0 || math.Abs(*p.Correlation-1) > 1e-12 {
		t.Errorf("%+v of a run and itself", p)
	}

	other := compare(1, 2, "")
	testenv.Equal(t, other.Compared.Text, "Compared on 270 rows of the test part of both runs.", "rows")
	var squares [2]float64
	for _, q := range other.Compared.Quarters {
		a, b := q.A.(float64), q.B.(float64)
		squares[0] += float64(q.Rows) * a * a
		squares[1] += float64(q.Rows) * b * b
	}
	for i, want := range []any{other.Rows[0].A, other.Rows[0].B} {
		if got := math.Sqrt(squares[i] / 270); math.Abs(got-want.(float64)) > 1e-9 {
			t.Errorf("the quarters have RMSE %v, the test part %v", got, want)
		}
	}
	first := other.Compared.Picture.Largest[0]
	row, _ := ask[predicted](t, b, "predict", `{"run": "`+names[1]+`", "row": `+cellsAsRow(first.Cells)+`}`)
	if math.Abs(row.Values[0].Value-first.Values[0]) > 1e-9 || row.Rules[0].Name != first.Rules[0] {
		t.Errorf("%+v, predict says %+v", first, row)
	}
	whole, rows := map[string]int{}, 0
	for _, p := range other.Matched.Pairs {
		if p.A != nil {
			whole["a "+p.A.Name]++
			rows += p.A.Rows
		}
		if p.B != nil {
			whole["b "+p.B.Name]++
		}
		if p.A != nil && p.B != nil && (2*p.Both < p.A.Rows || len(p.Moved) == 0) {
			t.Errorf("%+v", p)
		}
	}
	if len(whole) != 7 || rows != 270 {
		t.Errorf("%v decide %d rows", whole, rows)
	}

	apart := compare(1, 3, "")
	moved := apart.Matched.Pairs[0].Moved
	testenv.Equal(t, moved[:4], []difference{{What: "IF outside", A: "at least 14.3", B: "at least 14.125"},
		{What: "THEN", A: "heating is about 0.6", B: "heating is about 1.0"}, {What: "constant", A: "3.89", B: "5.82"},
		{What: "term of outside", A: "- 0.188", B: "- 0.286"}}, "what moved")
	seen := " had rows with the cells of 191 of them in training. Errors are of the 79 others."
	testenv.Equal(t, apart.Compared.Text, "Compared on 270 rows of the test part of "+names[1]+". "+names[3]+seen, "rows")

	lines := strings.SplitAfter(string(read(t, "../../../docs/heating.csv")), "\n")
	for name, text := range map[string]string{"few.csv": strings.Join(lines[:11], ""), "wrong.csv": "outside,heating\n1,2\n"} {
		_, err := b.Upload(name, strings.NewReader(text))
		testenv.OK(t, err)
	}
	few, wrong := compare(1, 2, `, "table": "few.csv"`), compare(1, 2, `, "table": "wrong.csv"`)
	if on := few.Compared; !strings.HasPrefix(on.Refused, "Errors are not compared: only 6 of these rows are new to both runs") ||
		len(on.Quarters) > 0 || on.Picture.Rows != 10 {
		t.Errorf("%+v", on)
	}
	if wrong.Compared != nil || wrong.Matched == nil ||
		!strings.HasPrefix(wrong.Without, `The runs cannot be compared on wrong.csv: a column of the model: the table has no column "wind"`) {
		t.Errorf("%+v", wrong)
	}
	fault(t, b, "compare", `{"runs": ["`+names[1]+`", "`+names[2]+`"], "table": "builtin:iris"}`, "usage", "built in")

	for _, file := range []string{"train.csv", "test.csv"} {
		testenv.OK(t, os.Remove(filepath.Join(b.options.Runs, names[1], file)))
	}
	vague := compare(1, 2, "").Compared.Text
	testenv.Equal(t, vague, "Compared on 270 rows of the test part of "+names[2]+". Whether "+names[1]+
		" was trained on some of them is not known: not all of its training rows are here.", "rows")
	testenv.OK(t, os.Remove(filepath.Join(b.options.Runs, names[2], "test.csv")))
	if alone := compare(1, 1, ""); alone.Compared != nil || alone.Matched.Pairs[3].A.Rows != -1 || alone.Without == "" {
		t.Errorf("%+v", alone)
	}
}

// cellsAsRow returns the cells of rowText as the arguments of predict have them.
func cellsAsRow(cells string) string {
	var all []string
	for _, cell := range strings.Split(cells, ", ") {
		column, value, _ := strings.Cut(cell, " ")
		all = append(all, fmt.Sprintf("%q: %q", column, value))
	}
	return "{" + strings.Join(all, ", ") + "}"
}

// TestCompareKinds compares runs of other kinds: of classes, several targets, several quantiles, a committee, and of other targets.
func TestCompareKinds(t *testing.T) {
	testenv.SkipRace(t)
	b := bench(t)
	for name, c := range map[string]struct {
		args          string
		groups, rules int // in the errors, and rules matched
	}{
		"classes":   {`"target": ["day"], "set": {"train.iterations": 9%s}`, 2, 1},
		"targets":   {`"target": ["heating", "wind"], "set": {"train.iterations": 9%s}`, 8, 1},
		"quantiles": {`"set": {"train.iterations": 9, "train.loss": "quantile", "train.quantiles": [0.1, 0.9]%s}`, 4, 1},
		"committee": {`"set": {"train.iterations": 9, "train.members": 2%s}`, 4, 0},
	} {
		var runs [2]trained
		for i, more := range []string{"", `, "train.seed": 2`} {
			runs[i], _ = ask[trained](t, b, "train", `{"table": "heating.csv", "preset": "paper", `+fmt.Sprintf(c.args, more)+`}`)
		}
		got, _ := ask[comparison](t, b, "compare", `{"runs": ["`+runs[0].Run+`", "`+runs[1].Run+`"]}`)
		if got.Compared == nil || len(got.Compared.Quarters) != c.groups || got.Compared.Picture == nil || len(got.Matched.Pairs) < c.rules ||
			c.rules == 0 && len(got.Matched.Pairs) > 0 {
			t.Errorf("%s: %+v, %+v", name, got.Matched, got.Compared)
		}
	}
	list, _ := ask[[]listed](t, b, "runs", "{}")
	other := ""
	for _, r := range list {
		if fmt.Sprint(r.Target) != fmt.Sprint(list[0].Target) {
			other = r.Run
		}
	}
	got, _ := ask[comparison](t, b, "compare", `{"runs": ["`+list[0].Run+`", "`+other+`"]}`)
	if got.Matched != nil || got.Compared != nil || !strings.HasPrefix(got.Without, "The runs predict different things") {
		t.Errorf("%+v", got)
	}
}
