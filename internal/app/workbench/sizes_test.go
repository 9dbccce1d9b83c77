package workbench

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/model"
)

// TestOtherSizes: a page has what other sizes err, and another page is trained as its run was, apart from the numbers;
// what is not like a run is refused.
func TestOtherSizes(t *testing.T) {
	testenv.SkipRace(t)
	b := bench(t)
	done, _ := ask[trained](t, b, "train", `{"table": "heating.csv", "preset": "readable", "set": {"data.split_seed": 3, "model.page": 20, `+
		`"data.features": ["outside", "hour"]}}`)
	w, _ := ask[worded](t, b, "words", `{"run": "`+done.Run+`"}`)
	if w.Tried == nil || len(w.Tried.Sizes) < 3 || w.Tried.Numbers != done.Summary.Page.Numbers {
		t.Fatalf("%+v", w.Tried)
	}
	other, _ := ask[trained](t, b, "train", `{"page": {"run": "`+done.Run+`", "numbers": 12}}`)
	path := filepath.Join(b.options.Runs, other.Run)
	if n := testenv.Must(model.Load(path)).Pages[0].Numbers(); n > 12 {
		t.Errorf("%d numbers", n)
	}
	again := trainAgain(t, config.Source{Path: filepath.Join(b.options.Runs, done.Run, "config.yaml"), Set: []string{"model.page=12"}})
	if !bytes.Equal(again, read(t, filepath.Join(path, "model.json"))) {
		t.Error("train of config.yaml with model.page gives another model")
	}
	alone := regexp.MustCompile(`^On the test part this page of \d+ numbers errs \d+% less than least squares and \d+% less than the mean\.$`)
	if p := w.Price; len(p.Lines) != 2 || !alone.MatchString(p.Lines[0]) || !strings.Contains(p.Lines[1], "preset: robust") || p.Run != "" {
		t.Errorf("%+v", p)
	}
	trees, _ := ask[trained](t, b, "train", strings.Replace(small, `"set": {`, `"set": {"data.split_seed": 3, `, 1))
	ask[trained](t, b, "train", strings.Replace(small, `"set": {`, `"set": {"data.split_seed": 4, `, 1)) // other test rows
	w, _ = ask[worded](t, b, "words", `{"run": "`+done.Run+`"}`)
	if p := w.Price; len(p.Lines) != 1 || !strings.Contains(p.Lines[0], "% more than the 8 rules of "+trees.Run) || p.Run != trees.Run ||
		!strings.Contains(w.Words, p.Lines[0]) {
		t.Errorf("%+v", p)
	}
	beside := testenv.Must((&another{Run: done.Run, Preset: "robust"}).config(b, settings{}))
	if of := beside.Values(); beside.Preset != "robust" || of["data.split_seed"] != "3" || of["model.init"] == "page" ||
		beside.Output.Dir != b.options.Runs {
		t.Errorf("%v", of)
	}
	for _, pair := range []string{done.Run + `", "` + trees.Run, trees.Run + `", "` + done.Run} {
		c, _ := ask[comparison](t, b, "compare", `{"runs": ["`+pair+`"]}`)
		want := `^The errors are of the same test rows\. The page of \d+ numbers errs [0-9.]+% (more|less) than the \d+ rules of `
		if !regexp.MustCompile(want + trees.Run + `, which cannot be read one by one\.$`).MatchString(c.Note) {
			t.Error(c.Note)
		}
	}
	if c, _ := ask[comparison](t, b, "compare", `{"runs": ["`+done.Run+`", "`+other.Run+`"]}`); strings.Contains(c.Note, "numbers") {
		t.Error(c.Note)
	}
	for args, text := range map[string]string{
		`{"page": {"run": "` + done.Run + `", "numbers": 2}}`:                      "model.page: 2: must be at least 10",
		`{"page": {"run": "` + trees.Run + `", "numbers": 20}}`:                    "has no page",
		`{"page": {"run": "` + done.Run + `", "numbers": 20, "preset": "robust"}}`: "has no numbers",
		`{"page": {"run": "../x", "numbers": 20}}`:                                 "not a name",
		`{"page": {"run": "` + done.Run + `", "numbers": 20}, "table": "x.csv"}`:   "leave out the others",
		`{"page": {"run": "` + done.Run + `", "numbers": 20}, "set": {"a": "b"}}`:  "leave out the others",
	} {
		kind := "usage"
		if strings.Contains(text, "model.page") {
			kind = "config"
		}
		fault(t, b, "train", args, kind, text)
	}
	fault(t, b, "look", `{"page": {"run": "`+done.Run+`", "numbers": 20}}`, "usage", "are for train")
}

// TestBesideLoss: the model of a preset beside a page minimises the loss of the page's run.
func TestBesideLoss(t *testing.T) {
	testenv.SkipRace(t)
	b := bench(t)
	for _, c := range []struct {
		target, set string
		want        map[string]string
	}{
		{"heating", `"train.loss": "huber", "train.huber_delta": 0.5, "train.seed": 7, "model.range": [0, 40]`, map[string]string{
			"train.loss": "huber", "train.huber_delta": "0.5", "train.seed": "7", "model.range": "[0, 40]"}},
		{"heating", `"train.loss": "quantile", "train.quantiles": [0.2, 0.8]`, map[string]string{
			"train.loss": "quantile", "train.quantiles": "[0.2, 0.8]"}},
		{"day", `"train.class_weights": "balanced", "train.label_smoothing": 0.05`, map[string]string{
			"train.class_weights": "balanced", "train.label_smoothing": "0.05", "train.loss": "mean"}},
	} {
		run, _ := ask[trained](t, b, "train", `{"table": "heating.csv", "target": ["`+c.target+`"], "preset": "readable", "set": {`+
			`"model.page": 10, "data.train": 0.1, `+c.set+`}}`)
		values := testenv.Must((&another{Run: run.Run, Preset: "robust"}).config(b, settings{})).Values()
		for key, want := range c.want {
			testenv.Equal(t, values[key], want, "%s beside a page of %s with %s", key, c.target, c.set)
		}
	}
}
