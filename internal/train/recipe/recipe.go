// Package recipe describes what to train and how, in plain values.
//
// A [Recipe] starts from a preset, [Paper], [Robust] or
// [Readable]. [Keys] is the only table of its
// keys, named as in config.yaml: meaning, limits, choices, field, whether a candidate of a
// race may set it, and the values that a search tries. Validation, model files, the
// identity of a checkpoint, races, the configuration and the search all use this table: a
// new key needs its field, one row and its effect.
package recipe

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/membership"
)

// Recipe describes what to train and how. It is plain data: it can be copied, except for
// the elements of Train.Race, compared by its values, and saved.
type Recipe struct {
	Preset string // preset whose race Train.Race is, or is a part of: paper, robust, or empty for a race of its own
	Model  Model
	Train  Train
	Prune  Prune
}

// Set sets a key of the table to a value given as text in the form of a model file: "500",
// "0.5", "true", "kmeans", the name of a shape; a race is a list of settings in JSON. The
// value holds in every candidate of the race; a race that is set keeps its own values. An
// unknown key, or a text that cannot be parsed, is an *[Error]; [Recipe.Validate] checks
// limits.
func (r *Recipe) Set(key, text string) error {
	k, ok := Lookup(key)
	if !ok {
		return &Error{Key: key, Message: "no such key"}
	}
	if err := k.Field(r).Parse(text); err != nil {
		return &Error{Key: key, Message: fmt.Sprintf("%q: %v", text, err)}
	}
	if key == "train.race" {
		r.Preset = ""
	}
	r.Hold(key)
	return nil
}

// Hold makes the current values of keys hold in every candidate of the race: it removes the
// keys from the settings and merges settings that are then equal.
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

// Settings returns the settings that the race compares: those of Train.Race. If this is the
// race of the preset or a part of it, they omit the keys whose values differ from the
// preset, so that what the caller sets holds in every candidate.
func (r *Recipe) Settings() []Setting {
	preset, err := Preset(r.Preset)
	if err != nil || !narrowed(r.Train.Race, preset.Train.Race) {
		return r.Train.Race
	}
	var changed []string
	for _, k := range RaceKeys() {
		if k.Field(r).Text() != k.Field(&preset).Text() {
			changed = append(changed, k.Own())
		}
	}
	return without(r.Train.Race, changed)
}

// Entrants returns the settings of [Recipe.Settings] that a race on the given number of samples
// compares. For a target of classes these are only settings for classes, if there are any; for one of
// numbers they are only the others. Of settings that differ only in keys without an effect, such as knots
// without curves, the first takes part.
func (r Recipe) Entrants(samples int, classes bool) []Setting {
	seen := map[string]bool{}
	return slices.DeleteFunc(r.entrants(samples, classes), func(s Setting) bool {
		effect := r.effect(s)
		again := seen[effect]
		seen[effect] = true
		return again
	})
}

// entrants is Entrants with those that have the effect of an earlier one.
func (r Recipe) entrants(samples int, classes bool) []Setting {
	all := r.Settings()
	only := classes && slices.ContainsFunc(all, Setting.Classes)
	return slices.DeleteFunc(slices.Clone(all), func(s Setting) bool { return s.LeastSamples() > samples || s.Classes() != only })
}

// effect returns the values that the keys of a race have with a setting, as text; those of keys
// without an effect are empty.
func (r Recipe) effect(s Setting) string {
	with, err := r.With(s)
	if err != nil {
		return asJSON(s) // a valid recipe has no such setting
	}
	var values []string
	for _, k := range raceTable() {
		text := ""
		if k.Shown == nil || k.Shown(&with) {
			text = asJSON(k.Field(&with))
		}
		values = append(values, text)
	}
	return strings.Join(values, "\x00")
}

// Candidates returns the recipes that a race on the given number of samples compares: the
// recipe with each of its [Recipe.Entrants], without a race. If the recipe has no race, it
// is the only candidate.
func (r Recipe) Candidates(samples int, classes bool) []Recipe {
	if len(r.Train.Race) == 0 {
		return []Recipe{r}
	}
	var all []Recipe
	for _, s := range r.Entrants(samples, classes) {
		c, err := r.With(s)
		if err != nil {
			continue // a valid recipe has no such setting
		}
		all = append(all, c)
	}
	return all
}

// With returns the recipe of a single training with a setting of its race.
func (r Recipe) With(s Setting) (Recipe, error) {
	err := s.apply(&r)
	r.Train.Race = nil
	return r, err
}

// Validate checks the recipe, as training does. The error joins all faults, each an
// *[Error]; see [Parts].
func (r Recipe) Validate() error {
	_, err := r.Resolve()
	return err
}

// Resolve checks the recipe and returns it with explicit values: the initialiser and engine
// for auto, the defaults of the optimizer's options for zero, and the choices of [Paper]
// for empty strings. The error is that of [Recipe.Validate].
func (r Recipe) Resolve() (Recipe, error) {
	r.Train.Race = slices.Clone(r.Train.Race)
	given := r
	found := checkTable(&r)
	resolveChoices(&r)
	if r.Model.Membership == nil {
		found.add(&Error{Key: "model.membership", Message: "no shape: set one, such as membership.Gaussian{}"})
		return r, found.join()
	}
	if err := membership.Placed(r.Model.Membership); err != nil {
		found.add(&Error{Key: "model.membership", Message: strings.TrimPrefix(err.Error(), "membership: ")})
		return r, found.join()
	}
	if err := membership.Restorable(r.Model.Membership); err != nil {
		found.add(&Error{Key: "model.membership", Message: strings.TrimPrefix(err.Error(), "membership: ")})
	}
	found = append(found, resolveNames(&r)...)
	found = append(found, checkTogether(&r)...)
	if found == nil {
		found = checkRace(given) // its settings have engines and options of their own
	}
	return r, found.join()
}

// Values returns the values of a resolved recipe by key, in the form of a model file.
func (r Recipe) Values() map[string]string {
	texts := map[string]string{}
	for _, k := range table() {
		if k.Kept == nil || k.Kept(&r) {
			texts[k.Name] = k.Field(&r).Text()
		}
	}
	return texts
}

// Identity returns, by name, all values of the recipe on which a training depends:
// the [Recipe.Values] of the resolved recipe, the preset, the formula of a user-defined shape, and the race.
func (r Recipe) Identity() (map[string]string, error) {
	used, err := r.Resolve()
	if err != nil {
		return nil, err
	}
	id := used.Values()
	id["preset"] = r.Preset
	id["model.membership"] = Formula(r.Model.Membership)
	id["train.race"], id["train.race_splits"] = asJSON(identified(r.Settings())), fmt.Sprint(r.Train.RaceSplits)
	id["train.fidelity"] = number(r.Train.Fidelity)
	return id, nil
}

// identified returns settings with the formulas of their shapes.
func identified(settings []Setting) []Setting {
	all := []Setting{}
	for _, s := range settings {
		if f, ok := s["membership"].(membership.Function); ok {
			s = maps.Clone(s)
			s["membership"] = Formula(f)
		}
		all = append(all, s)
	}
	return all
}

// Preset returns the recipe of a preset by name; an unknown one is an *[Error].
func Preset(name string) (Recipe, error) {
	of, ok := map[string]func() Recipe{"paper": Paper, "robust": Robust, "readable": Readable}[name]
	if !ok {
		return Recipe{}, &Error{Key: "preset", Message: fmt.Sprintf("unknown preset %q: choose %s", name, OneOf(presets, false))}
	}
	return of(), nil
}

// Presets returns the names of the presets, the default one first.
func Presets() []string { return slices.Clone(presets) }

var presets = []string{"robust", "readable", "paper"}
