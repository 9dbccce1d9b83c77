package workbench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/shell"
	"github.com/tskgraph/tskgraph/internal/config"
)

// answerCommand returns commands that train the model of a run again: with the configuration that export writes, and without it.
func answerCommand(c call) (any, error) {
	run, path, err := namedRun(c)
	if err != nil {
		return nil, err
	}
	lines := []string{shell.Line("tskgraph", "train", "--config", run+"-"+runs.ConfigFile)}
	wanted, err := configOf(c.Bench, path)
	if err != nil {
		return nil, err
	}
	set, err := settingsOf(wanted)
	if err != nil {
		return nil, err
	}
	portableSet(c.Bench, path, set)
	if set != nil {
		words := []string{"tskgraph", "train"}
		for _, s := range set {
			words = append(words, "--set", s)
		}
		lines = append(lines, shell.Line(words...))
	}
	return struct {
		Lines []string `json:"lines"`
	}{lines}, nil
}

// settingsOf returns the values of --set that give a configuration; nil if --set cannot.
func settingsOf(wanted *config.Config) ([]string, error) {
	values := wanted.Values()
	set := []string{"preset=" + wanted.Preset}
	for _, key := range []string{"data.path", "data.builtin", "data.target"} {
		if value, has := values[key]; has {
			one, err := setting(key, value)
			if err != nil {
				return nil, err
			}
			set = append(set, one)
		}
	}
	base, err := config.Load(config.Source{Set: set})
	if err != nil {
		return nil, err
	}
	usual, differ := base.Values(), []string{}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if values[key] != usual[key] {
			differ = append(differ, key)
		}
	}
	for _, leave := range []string{"train.race", ""} { // the other keys may say what its settings are
		tried := slices.Clone(set)
		for _, key := range differ {
			if key == leave {
				continue
			}
			one, err := setting(key, values[key])
			if err != nil {
				return nil, err
			}
			tried = append(tried, one)
		}
		if got, err := config.Load(config.Source{Set: tried}); err == nil && bytes.Equal(got.YAML(), wanted.YAML()) {
			return tried, nil
		}
	}
	return nil, nil
}

// setting returns a key with its value in one line, for --set.
func setting(key, value string) (string, error) {
	var v any
	if err := yaml.Unmarshal([]byte(value), &v); err != nil {
		return "", fmt.Errorf("%s: %w", key, err)
	}
	if text, is := v.(string); is {
		return key + "=" + text, nil
	}
	if !strings.Contains(value, "\n") && !strings.HasPrefix(value, "- ") {
		return key + "=" + value, nil
	}
	text, err := json.Marshal(v)
	return key + "=" + string(text), err
}
