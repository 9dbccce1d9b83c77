package recipe

import "fmt"

// Limits of rules that can be read one by one: what [Readable] trains, whatever else is set. Conditions and terms are means per rule.
const (
	ReadableRules      = 8
	ReadableConditions = 3
	ReadableTerms      = 4
)

// CheckReadable checks that a recipe and the settings of its race are within the limits of [Readable]. Errors are of type *[Error], joined.
func CheckReadable(r Recipe) error {
	found := unreadable(&r, 0)
	if found != nil {
		return found.join() // and so in the settings
	}
	for i, s := range r.Settings() {
		if candidate, err := r.With(s); err == nil {
			found = append(found, unreadable(&candidate, i+1)...)
		}
	}
	return found.join()
}

// unreadable returns the faults of a recipe or, from 1, a setting of its race.
func unreadable(r *Recipe, setting int) (found faults) {
	m := r.Model
	for _, c := range []struct {
		bad     bool
		key     string
		message string
	}{
		{m.Rules > ReadableRules, "model.rules", fmt.Sprintf("%d: preset readable has at most %d rules", m.Rules, ReadableRules)},
		{m.Antecedents == 0 || m.Antecedents > ReadableConditions, "model.antecedents", fmt.Sprintf("%v: rules of preset readable have at most %d conditions", m.Antecedents, ReadableConditions)},
		{m.Terms == 0 && m.Order > 0 || m.Terms > ReadableTerms, "model.terms", fmt.Sprintf("%v: rules of preset readable have at most %d terms", m.Terms, ReadableTerms)},
		{m.Init == Grid, "model.init", "grid: rules of preset readable have few conditions, those of a grid one on each feature: choose tree"},
	} {
		switch {
		case !c.bad:
		case setting == 0:
			found.add(&Error{Key: c.key, With: []string{"preset"}, Message: c.message + "; choose preset robust for others"})
		default:
			part := c.key[len("model."):]
			found.add(&Error{Key: "train.race", With: []string{"preset"}, Setting: setting, Part: part, Message: fmt.Sprintf("setting %d: %s: %s", setting, part, c.message)})
		}
	}
	return found
}
