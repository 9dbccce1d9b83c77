package config

import (
	"maps"
	"reflect"
	"strings"
	"testing"

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
	c, err = load(t, "model: {init: fcm, defuzzification: tsk, antecedents: 2, curves: own, knots: 8}\ntrain: {shrink: mean, iterations: "+
		"50, batch: 32, droprule: 0.7, l2: 0, learning_rate: 1, consequent_rate: 1, uniform: 0, agreement: 0.1, curve_l2: 0, "+
		"curve_deviation_l2: 0}\n", nil, nil)
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

func TestRaceRoundTrip(t *testing.T) {
	first, err := load(t, "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := load(t, string(first.YAML()), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
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
