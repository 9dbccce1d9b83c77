package workbench

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/tskgraph/tskgraph/data/table/csv"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// heatingRow is a row of the table of the guides.
const heatingRow = `{"outside": "-3", "wind": "5", "sun": "0", "hour": "7", "day": "workday"}`

// TestPredict predicts rows and a table of a run, then with its model alone.
func TestPredict(t *testing.T) {
	b := bench(t)
	done, _ := ask[trained](t, b, "train", `{"table": "heating.csv", "set": {"train.iterations": 2, "train.race": [], "model.init": "tree",
		"data.calibration": 0.2}}`)
	run := func(name, more string) string { return `{"run": "` + name + `"` + more + `}` }
	row := func(name, cells string) predicted {
		p, _ := ask[predicted](t, b, "predict", run(name, `, "row": `+cells))
		return p
	}
	f, _ := ask[form](t, b, "form", run(done.Run, ""))
	start := map[string]string{}
	for _, c := range f.Columns {
		start[c.Name] = c.Start
	}
	table, err := os.ReadFile("../../../docs/heating.csv")
	testenv.OK(t, err)
	testenv.Equal(t, strings.Contains(string(table), strings.Join([]string{start["outside"], start["wind"], start["sun"], start["hour"],
		start["day"]}, ",")), true, "%v is no row of the table", start)
	if f.Rows == 0 || f.Level != 0.9 || f.Columns[4].Levels[1] != "workday" || !f.Columns[3].Whole || f.Columns[3].Max != 23 {
		t.Errorf("%+v", f)
	}

	p := row(done.Run, heatingRow)
	if v := p.Values[0]; len(p.Flags) > 0 || len(p.Rules) != 1 || !(*v.Low < v.Value && v.Value < *v.High) {
		t.Errorf("%+v", p)
	}
	if d := p.Rules[0]; !strings.HasPrefix(d.Sentence, "IF ") || !strings.Contains(d.Place, " training row") ||
		!strings.Contains(d.Place, "The middle half of these rows has heating from ") {
		t.Errorf("%+v", d)
	}
	odd := row(done.Run, `{"outside": "-40", "sun": "", "wind": "5", "hour": "7", "day": "holiday"}`)
	var flags []string
	for _, f := range odd.Flags {
		flags = append(flags, f.String()+" | "+f.Text)
	}
	testenv.Equal(t, flags, []string{
		"outside: outside -40 | outside -40 is outside the training range, -7.9 to 30.3. There the model extrapolates.",
		"missing: sun | sun is missing: the training mean, 110.313, stands in.",
		"unknown: day holiday | No training row has this category of day: it counts as none of the known categories.",
		"limited | The prediction is kept within the limits of the target.",
	})

	score := run(done.Run, `, "table": "heating.csv", "flags": true, "interval": true, "firing": true, "explain": true`)
	s, _ := ask[scored](t, b, "score", score)
	testenv.Equal(t, s.Header[len(s.Header)-s.Added], "heating_predicted")
	testenv.Equal(t, len(s.Rows), firstRows)
	saved, _ := ask[file](t, b, "score", strings.TrimSuffix(score, "}")+`, "save": "csv"}`)
	text, err := base64.StdEncoding.DecodeString(saved.Base64)
	testenv.OK(t, err)
	if lines := strings.Split(string(text), "\n"); len(lines) != 902 || lines[0] != strings.Join(s.Header, ",") ||
		lines[30] != strings.Join(s.Rows[29], ",") || saved.Name != "heating-predicted.csv" {
		t.Errorf("%s: %d lines, %.300q", saved.Name, len(lines), lines[0])
	}

	model, err := os.ReadFile(filepath.Join(b.options.Runs, done.Run, "model.json"))
	testenv.OK(t, err)
	open := func() string {
		given, _ := json.Marshal(map[string]string{"name": "model.json", "model": string(model)})
		of, _ := ask[ofRun](t, b, "open", string(given))
		return of.Run
	}
	testenv.Equal(t, open(), done.Run, "the run that the model is of")
	ask[removed](t, b, "delete", run(done.Run, ""))
	testenv.Equal(t, open(), "heating-001")
	testenv.Equal(t, open(), "heating-001", "a second time")
	all, _ := ask[[]listed](t, b, "runs", "")
	if len(all) != 1 || !all[0].Opened || all[0].Target != "heating" || all[0].Rules == 0 {
		t.Errorf("%+v", all)
	}
	alone := row("heating-001", heatingRow)
	testenv.Equal(t, alone.Values, p.Values, "with the model alone")
	testenv.Equal(t, alone.Rules[0].Place, "")
	w, _ := ask[worded](t, b, "words", run("heating-001", ""))
	testenv.Equal(t, len(w.Rules) > 0, true)

	for _, refused := range [][2]string{
		{"predict", run("heating-001", `, "row": {"sum": "1"}`)}, {"predict", run("nothing-001", "")},
		{"score", run("heating-001", `, "table": "heating.csv", "explain": true`)},
		{"score", run("heating-001", `, "table": "heating.csv", "save": "exe"`)},
		{"score", run("heating-001", `, "table": "builtin:iris"`)},
	} {
		_, err := b.Call(context.Background(), refused[0], json.RawMessage(refused[1]), nil)
		if code, _ := message.ExitCode(err); code != message.ExitUsage {
			t.Errorf("%s: %v", refused, err)
		}
	}
	_ = testenv.Must(b.Upload("few.csv", strings.NewReader("outside,wind\n1,2\n")))
	_, err = b.Call(context.Background(), "score", json.RawMessage(run("heating-001", `, "table": "few.csv"`)), nil)
	testenv.Equal(t, err.Error(), `few.csv:1: a column of the model: the table has no column "sun" (its columns: "outside", "wind")`)
	_, err = b.Call(context.Background(), "open", json.RawMessage(`{"name": "x.json", "model": "{}"}`), nil)
	testenv.FailsWith(t, err, "x.json")
	ask[removed](t, b, "delete", run("heating-001", ""))
}

// TestSettings: the settings of a configuration give it again, on the table that is given.
func TestSettings(t *testing.T) {
	b := bench(t)
	const config = "preset: robust\ndata:\n  path: /else/where.csv\n  target: wind\n  ignore: [day]\n" +
		"  units: {sun: W/m²}\n  split_seed: 7\n" +
		"model: {rules: 5}\noutput: {dir: elsewhere}\n"
	given := func(table string) string {
		args, _ := json.Marshal(map[string]string{"config": config, "table": table})
		return string(args)
	}
	of, _ := ask[configured](t, b, "settings", given(""))
	testenv.Equal(t, of.Table, "where.csv")
	of, _ = ask[configured](t, b, "settings", given("heating.csv"))
	testenv.Equal(t, of.Preset, "robust")
	testenv.Equal(t, of.Target, []string{"wind"})
	testenv.Equal(t, of.LeaveOut, []string{"day"})
	testenv.Equal(t, of.Units, map[string]string{"sun": "W/m²"})
	testenv.Equal(t, of.Set, map[string]any{"data.split_seed": 7.0, "model.rules": 5.0})
	set, _ := json.Marshal(map[string]any{"table": "heating.csv", "preset": of.Preset, "target": of.Target, "leave_out": of.LeaveOut,
		"units": of.Units, "set": of.Set})
	look, _ := ask[looked](t, b, "look", string(set))
	for _, line := range []string{"preset: robust", "split_seed: 7", "rules: 5", "sun: W/m²"} {
		if !strings.Contains(look.Config, line) {
			t.Errorf("the configuration has no line %q", line)
		}
	}
	for _, args := range []string{given("nothing.csv"), `{"config": "modle: {rules: 5}"}`} {
		if _, err := b.Call(context.Background(), "settings", json.RawMessage(args), nil); err == nil {
			t.Errorf("%s: no error", args)
		}
	}
}

// TestPredictKinds predicts the typical row of models of each kind of response, with pages and without.
func TestPredictKinds(t *testing.T) {
	testenv.SkipRace(t) // the search of a page is raced in package pages
	b := bench(t)
	claims := "age,years,claims\n"
	for i := range 80 {
		claims += fmt.Sprintf("%d,%d,%d\n", 20+i%17, 1+i%3, i%5/3+i%3)
	}
	_ = testenv.Must(b.Upload("claims.csv", strings.NewReader(claims)))
	const brief = `"train.iterations": 2, "train.race": [], "model.init": "tree", "model.rules": 3, "data.calibration": 0.2`
	for name, c := range map[string]struct {
		args          string
		values, rules int
	}{
		"class pages": {`"table": "builtin:iris", "preset": "readable", "set": {"data.calibration": 0.3}`, 3, 1},
		"classes":     {`"table": "builtin:iris", "set": {` + brief + `}`, 3, 1},
		"targets":     {`"table": "heating.csv", "target": ["heating", "wind"], "set": {` + brief + `}`, 2, 1},
		"quantiles":   {`"table": "heating.csv", "set": {"train.loss": "quantile", "train.quantiles": [0.1, 0.5, 0.9], ` + brief + `}`, 3, 1},
		"committee":   {`"table": "heating.csv", "set": {"train.members": 2, ` + brief + `}`, 1, 0},
		"rate": {`"table": "claims.csv", "set": {"train.loss": "poisson", "data.offset": "years", ` +
			strings.ReplaceAll(brief, "0.2", "0") + `}`, 1, 1},
	} {
		done, _ := ask[trained](t, b, "train", "{"+c.args+"}")
		f, _ := ask[form](t, b, "form", `{"run": "`+done.Run+`"}`)
		w, _ := ask[worded](t, b, "words", `{"run": "`+done.Run+`"}`)
		row, idle := map[string]string{}, ""
		for _, c := range f.Columns {
			row[c.Name] = c.Start
			testenv.Equal(t, c.Idle, w.Page != "" && !strings.Contains(w.Page, c.Name), "%s: %s", name, c.Name)
			if c.Idle {
				idle = c.Name
			}
		}
		args, _ := json.Marshal(map[string]any{"run": done.Run, "row": row})
		p, _ := ask[predicted](t, b, "predict", string(args))
		if len(p.Values) != c.values || len(p.Rules) != c.rules || len(p.Flags) > 0 || (p.Level == 0.9) == (name == "rate") ||
			f.Committee != (c.rules == 0) {
			t.Errorf("%s: %+v", name, p)
		}
		bounds := 0
		for _, v := range p.Values {
			if v.Low != nil && v.High != nil {
				bounds++
			}
		}
		if classes := p.Class != ""; classes != strings.Contains(name, "class") || classes != (len(p.Set) > 0) ||
			bounds > 0 == (classes || name == "rate") {
			t.Errorf("%s: %+v", name, p)
		}
		if name == "class pages" {
			row[idle] = "99"
			args, _ := json.Marshal(map[string]any{"run": done.Run, "row": row})
			odd, _ := ask[predicted](t, b, "predict", string(args))
			testenv.Equal(t, odd.Values, p.Values, "with another %s", idle)
			testenv.Equal(t, strings.HasSuffix(odd.Flags[0].Text, ". No rule mentions it."), true, "%+v", odd.Flags)
		}
		if name == "rate" {
			row["years"] = "2"
			args, _ := json.Marshal(map[string]any{"run": done.Run, "row": row})
			twice, _ := ask[predicted](t, b, "predict", string(args))
			testenv.Equal(t, twice.Values[0].Value, 2*p.Values[0].Value, "with twice the exposure")
		}
	}
}
