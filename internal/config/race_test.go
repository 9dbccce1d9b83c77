package config

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// TestKeysHoldInTheRace: what the user sets is what every setting of the preset's
// race has; settings that then are the same run once.
func TestKeysHoldInTheRace(t *testing.T) {
	c, err := load(t, "train: {iterations: 50, droprule: 0.7}\n", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	preset := recipe.Robust().Train.Race
	if len(c.Recipe.Train.Race) != len(preset) {
		t.Fatalf("%d settings, the preset has %d", len(c.Recipe.Train.Race), len(preset))
	}
	for i, s := range c.Recipe.Train.Race {
		want := maps.Clone(preset[i])
		delete(want, "iterations")
		delete(want, "droprule")
		if !reflect.DeepEqual(s, want) {
			t.Errorf("setting %d: %+v, want %+v", i+1, s, want)
		}
	}
	c, err = load(t, `model: {rules: 8, softness: 0.2, init: fcm, defuzzification: tsk, antecedents: 2, curves: own, knots: 8}
train: {shrink: mean, iterations: 50, batch: 32, droprule: 0.7, l2: 0, learning_rate: 1, consequent_rate: 1,
  uniform: 0, agreement: 0.1, curve_l2: 0, curve_deviation_l2: 0}
`, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range c.Recipe.Train.Race {
		delete(s, "least_samples")
		if delete(s, "classes"); len(s) > 0 {
			t.Errorf("everything is set, but a setting of the race has %+v", s)
		}
	}
	c, err = load(t, "train:\n  iterations: 50\n  race: [{iterations: 60}]\n", nil, nil)
	if err != nil || len(c.Recipe.Train.Race) != 1 || c.Recipe.Train.Race[0].Text("iterations") != "60" {
		t.Errorf("a race that is set: %+v, %v", c.Recipe.Train.Race, err)
	}
}

// TestPageGivesWay: the page of preset readable gives way to keys that contradict it, unless it is stated; a configuration that is printed
// and read again has a page again.
func TestPageGivesWay(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     recipe.PageInit,
		"model: {page: 40, membership: ramp}":  recipe.PageInit,
		"train: {race: [], iterations: 9}":     recipe.PageInit,
		"model: {membership: gauss2}":          recipe.Tree,
		"model: {curves: shared}":              recipe.Tree,
		"model: {neighbours: auto}":            recipe.Tree,
		"prune: {rounds: 1}":                   recipe.Tree,
		"train: {race: [{l2: 0.1}, {l2: 10}]}": recipe.Tree,
		"model: {init: kmeans}":                "kmeans",
	} {
		c := testenv.Must(load(t, "preset: readable\n"+text+"\n", nil, nil))
		testenv.Equal(t, c.Recipe.Model.Init, want, "%s", text)
		again := testenv.Must(load(t, string(c.YAML()), nil, nil))
		testenv.Equal(t, again.Recipe, c.Recipe, "%s, read again", text)
	}
	_, err := load(t, "preset: readable\nmodel: {init: page, curves: own}\n", nil, nil)
	testenv.FailsWith(t, err, "a page (model.init) has tables of its own", "a page that is stated")
	for text, want := range map[string]string{
		"model: {init: page}\ntrain: {race: [{l2: 0.1}, {l2: 10}]}": ":3:15: train.race: a page (model.init) has no race; remove the key",
		"model: {init: page}\ntrain: {iterations: 50}":              ":3:21: train.iterations: 50: a page (model.init) has no iterations",
		"model: {init: page, round: 2}":                             ":2:28: model.round: 2: the numbers of a page",
		"model: {init: page, round: 3}\ntrain: {race: []}":          "",
	} {
		_, err := load(t, "preset: readable\n"+text+"\n", nil, nil)
		if want == "" {
			testenv.OK(t, err)
		} else {
			testenv.FailsWith(t, err, want, text)
		}
	}
}

func TestRaceRoundTrip(t *testing.T) {
	first := testenv.Must(load(t, "", nil, nil))
	again := testenv.Must(load(t, string(first.YAML()), nil, nil))
	if !reflect.DeepEqual(first.Recipe, again.Recipe) {
		t.Errorf("printed and read again\n%+v\nwant\n%+v", again.Recipe, first.Recipe)
	}
	none, err := load(t, "", nil, []string{"train.race=[]"})
	if err != nil || len(none.Recipe.Train.Race) != 0 || !strings.Contains(string(none.YAML()), "race: []") {
		t.Errorf("no race: %v, %v", none, err)
	}
}

func TestRaceRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"race: fast":   "want a list of settings",
		"race: [fast]": "setting 1: \"fast\": want keys",
		"race: [{iterations: 5}, {iteration: 5}]": "setting 2: iteration: no such key; did you mean iterations?",
		"race: [{l2: much}]":                      "setting 1: l2: \"much\": want a number",
		"race: [{l2: 1, l2: 2}]":                  "is given twice",
		"race: [{init: random}]":                  `setting 1: init: "random": choose auto, fcm`,
		"race: [{droprule: 2}]":                   "setting 1: droprule: 2: must be above 0 and at most 1",
		"race: [{least_samples: 10}]":             "remove it from at least one",
		"race: [{init: a/model.json}]":            `setting 1: init: "a/model.json": choose auto, fcm`,
		"race_splits: 0":                          "race_splits: 0: must be at least 1",
		"loss: median":                            "\"median\": choose sum, mean, absolute,",
		"schedule: linear":                        "choose constant or cosine",
		"uniform: -1":                             "must be at least 0",
		"log_spreads: maybe":                      "want true or false",
	} {
		_, err := load(t, "train:\n  "+text+"\n", nil, nil)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), ":2:") {
			t.Errorf("%s: %v, want %q and the place", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"order: 2": "must be at least 0 and at most 1", "transform: log": "choose yeo-johnson or none", "antecedents: -1": "must be at least 0",
	} {
		_, err := load(t, "model:\n  "+text+"\n", nil, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestOwnRaceStays checks that a race that was set keeps its values, even those that a
// setting of the preset has, too.
func TestOwnRaceStays(t *testing.T) {
	c := testenv.Must(load(t, "train: {iterations: 50, l2: 0.5, race: [{iterations: 4000}, {iterations: 8000, l2: 0.001}]}\n", nil, nil))
	var got []string
	for _, r := range c.Recipe.Candidates(1000, false) {
		got = append(got, fmt.Sprint(r.Train.Iterations, " ", r.Train.L2))
	}
	if want := "4000 0.5, 8000 0.001"; strings.Join(got, ", ") != want {
		t.Errorf("iterations and l2 of the candidates are %q, want %q", got, want)
	}
}

// Margin and bounds are read in every form, and written so that they are read again.
func TestLimits(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		set     string
		margin  recipe.Margin
		bounds  *recipe.Range
		written string
	}{
		{"preset=paper", recipe.Unlimited, nil, "margin: none"},
		{"preset=robust", 0.05, nil, "margin: 0.05"},
		{"model.margin=0", 0, nil, "margin: 0\n"},
		{"model.margin=none", recipe.Unlimited, nil, "margin: none"},
		{"model.range=[0, .]", 0.05, &recipe.Range{0, inf}, "range: [0, ~]"},
		{"model.range=0,~", 0.05, &recipe.Range{0, inf}, "range: [0, ~]"},
		{"model.range=[0, .inf]", 0.05, &recipe.Range{0, inf}, "range: [0, ~]"},
		{"model.range=[null, 2.5]", 0.05, &recipe.Range{-inf, 2.5}, "range: [~, 2.5]"},
		{"model.range=[-.inf, 2.5]", 0.05, &recipe.Range{-inf, 2.5}, "range: [~, 2.5]"},
		{"model.range=[-1, 1]", 0.05, &recipe.Range{-1, 1}, "range: [-1, 1]"},
		{"model.range=[~, ~]", 0.05, nil, ""},
	} {
		got, err := load(t, "", nil, []string{c.set})
		if err != nil {
			t.Errorf("%s: %v", c.set, err)
			continue
		}
		again, err := load(t, string(got.YAML()), nil, nil)
		for _, c2 := range []*Config{got, again} {
			if m := c2.Recipe.Model; err != nil || m.Margin != c.margin || !reflect.DeepEqual(m.Range, c.bounds) ||
				!strings.Contains(string(c2.YAML()), c.written) {
				t.Errorf("%s: margin %v, bounds %v, %v in\n%s", c.set, m.Margin, m.Range, err, c2.YAML())
			}
		}
		if c.bounds == nil && strings.Contains(string(got.YAML()), "range:") {
			t.Errorf("%s: a range that is none are written", c.set)
		}
	}
	for set, want := range map[string]string{
		"model.range=[2, 1]":    "the first must be less",
		"model.range=[.inf, 1]": "want a number",
		"model.margin=.inf":     "want a number",
	} {
		if _, err := load(t, "", nil, []string{set}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", set, err, want)
		}
	}
}

// TestSize checks sizes in the units that people write, and what is refused.
func TestSize(t *testing.T) {
	for text, want := range map[string]int64{"auto": 0, "64MiB": 64 << 20, "4GB": 4e9, "1.5GiB": 3 << 29, "70000 kB": 7e7, "1T": 1e12,
		"2Ti": 2 << 40, "67108865B": 64<<20 + 1} {
		c, err := Load(Source{Set: []string{"data.memory=" + text}})
		if err != nil || c.Data.Memory != want {
			t.Errorf("%s: %v, want %d", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"512": "want a size such as 512MiB or 4GB, or auto", "-1GB": "want a size", "GB": "want a size", "1e3MB": "want a size",
		"[1GB]":              "want a size",
		"999999999999999TiB": "want a size", "": "want", "60MB": "must be at least 64MiB", "0B": "must be at least 64MiB",
	} {
		if _, err := Load(Source{Set: []string{"data.memory=" + text}}); err == nil || !strings.Contains(err.Error(), "data.memory: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want: %s", text, err, want)
		}
	}
}

// TestSizeText checks that a size is written so that it is read again.
func TestSizeText(t *testing.T) {
	for bytes, want := range map[int64]string{64 << 20: "64MiB", 4e9: "4GB", 3 << 29: "1536MiB", 1<<30 + 1: "1073741825B"} {
		if got := sizeText(bytes); got != want {
			t.Errorf("%d: %s, want %s", bytes, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		bytes := rapid.Int64Range(64<<20, 1<<50).Draw(t, "bytes")
		again, err := Load(Source{Set: []string{"data.memory=" + sizeText(bytes)}})
		if err != nil || again.Data.Memory != bytes {
			t.Fatalf("%s: %v", sizeText(bytes), err)
		}
	})
}

func TestCompletions(t *testing.T) {
	texts := func(prefix string) []string {
		var all []string
		for _, c := range Completions(prefix) {
			all = append(all, c.Text)
		}
		return all
	}
	for prefix, want := range map[string][]string{
		"preset=":            {"preset=robust", "preset=readable", "preset=paper"},
		"train.log_s":        {"train.log_spreads="},
		"train.log_spreads":  {"train.log_spreads="},
		"train.schedule=c":   {"train.schedule=constant", "train.schedule=cosine"},
		"train.log_spreads=": {"train.log_spreads=true", "train.log_spreads=false"},
		"model.membership=g": {"model.membership=gauss2", "model.membership=gaussian", "model.membership=gbell"},
		"train.seed=":        nil,
		"zebra":              nil,
	} {
		if got := texts(prefix); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", prefix, got, want)
		}
	}
	if all := Completions(""); len(all) != len(keys()) {
		t.Errorf("%d keys, want %d", len(all), len(keys()))
	}
	for _, c := range Completions("") {
		if c.Doc == "" || !strings.HasSuffix(c.Text, "=") {
			t.Errorf("%+v: want a key and what it means", c)
		}
	}
}
