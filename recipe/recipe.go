// Package recipe says what to train and how, in plain values.
//
// A [Recipe] starts from a preset, [Paper] or [Robust]. [Keys] is the one table of its
// keys, as config.yaml names them: what each means, its limits and choices, where its value
// lies, whether a candidate of a race may set it and what a search tries. Validation, the
// text of a model file, the identity of a checkpoint, races, the configuration and the
// search all follow this table: a new key is one row beside its field, and its effect.
package recipe

import (
	"fmt"
	"slices"
)

// Recipe says what to train and how. It is plain data: it can be copied, except for the
// elements of Train.Race, compared by its values and saved.
type Recipe struct {
	Preset string // the preset that it started from: paper, robust, or empty
	Model  Model
	Train  Train
	Prune  Prune
}

// Set sets a key of the table to the value that a text stands for, in the form of a model
// file: "500", "0.5", "true", "kmeans", the name of a shape. The value holds in every
// candidate of the race. An unknown key, or a text that does not stand for a value of the
// key, is an *[Error]; whether the value is within its limits is for [Recipe.Validate].
func (r *Recipe) Set(key, text string) error {
	k, ok := Lookup(key)
	if !ok {
		return &Error{Key: key, Message: "no such key"}
	}
	if err := parse(k.Field(r), text); err != nil {
		return &Error{Key: key, Message: fmt.Sprintf("%q: %v", text, err)}
	}
	r.Hold(key)
	return nil
}

// Hold makes the present values of keys hold in every candidate of the race: its settings
// lose these keys, and settings that are then equal become one.
func (r *Recipe) Hold(keys ...string) {
	var short []string
	for _, key := range keys {
		if k, ok := Lookup(key); ok && k.Race {
			short = append(short, k.Own())
		}
	}
	if len(short) > 0 {
		r.Train.Race = without(r.Train.Race, short)
	}
}

// Settings returns the settings that the race compares: those of Train.Race, without the
// keys whose values the caller changed in a recipe that has the race of its preset. What
// the caller sets holds in every candidate.
func (r *Recipe) Settings() []Setting {
	preset, err := Preset(r.Preset)
	if err != nil || !narrowed(r.Train.Race, preset.Train.Race) {
		return r.Train.Race
	}
	var changed []string
	for _, k := range RaceKeys() {
		if textOf(k.Field(r)) != textOf(k.Field(&preset)) {
			changed = append(changed, k.Own())
		}
	}
	return without(r.Train.Race, changed)
}

// Candidates returns the recipes that a race on so many samples compares: this one, with
// each of its [Recipe.Settings] and without a race. Without a race it is this one alone.
func (r Recipe) Candidates(samples int) []Recipe {
	if len(r.Train.Race) == 0 {
		return []Recipe{r}
	}
	var all []Recipe
	for _, s := range r.Settings() {
		if s.LeastSamples() <= samples {
			c, err := r.With(s)
			if err != nil {
				continue // a recipe that is valid has no such setting
			}
			all = append(all, c)
		}
	}
	return all
}

// With returns the recipe for one training with a setting of its race.
func (r Recipe) With(s Setting) (Recipe, error) {
	err := s.apply(&r)
	r.Train.Race = nil
	return r, err
}

// Validate checks the recipe, as training does. The error joins all faults, each an
// *[Error].
func (r Recipe) Validate() error {
	_, err := r.Resolve()
	return err
}

// Resolve checks the recipe and returns it with what its names stand for: an initialiser
// and an engine instead of auto, the options of the optimizer instead of zeros, the first
// choice of the paper instead of an empty text. The error is that of [Recipe.Validate].
func (r Recipe) Resolve() (Recipe, error) {
	r.Train.Race = slices.Clone(r.Train.Race)
	found := checkTable(&r)
	resolveChoices(&r)
	if r.Model.Membership == nil {
		found.add(&Error{Key: "model.membership", Message: "no shape: set one, such as membership.Gaussian{}"})
		return r, found.join()
	}
	found = append(found, resolveNames(&r)...)
	found = append(found, checkTogether(&r)...)
	if found == nil {
		found = checkRace(r)
	}
	return r, found.join()
}

// Values returns the recipe by key as a model file keeps it, with the values that auto and
// defaults stand for. The error is that of [Recipe.Validate].
func (r Recipe) Values() (map[string]string, error) {
	used, err := r.Resolve()
	if err != nil {
		return nil, err
	}
	return used.texts(), nil
}

func (r *Recipe) texts() map[string]string {
	texts := map[string]string{}
	for _, k := range Keys() {
		if k.Kept == nil || k.Kept(r) {
			texts[k.Name] = textOf(k.Field(r))
		}
	}
	return texts
}

// Identity returns what a training by the recipe depends on, by name: [Recipe.Values], the
// preset, the formula of a shape of one's own, and the race.
func (r Recipe) Identity() (map[string]string, error) {
	id, err := r.Values()
	if err != nil {
		return nil, err
	}
	id["preset"] = r.Preset
	id["model.membership"] = Formula(r.Model.Membership)
	id["train.race"], id["train.race_splits"] = asJSON(append([]Setting{}, r.Settings()...)), fmt.Sprint(r.Train.RaceSplits)
	return id, nil
}

// Preset returns the recipe of a preset by name; an unknown one is an *[Error].
func Preset(name string) (Recipe, error) {
	switch name {
	case "paper":
		return Paper(), nil
	case "robust":
		return Robust(), nil
	}
	return Recipe{}, &Error{Key: "preset", Message: fmt.Sprintf("unknown preset %q: choose robust or paper", name)}
}

// Presets are the names of the presets, the default one first.
func Presets() []string { return slices.Clone(presets) }

var presets = []string{"robust", "paper"}
