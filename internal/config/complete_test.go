package config

import (
	"slices"
	"strings"
	"testing"
)

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
