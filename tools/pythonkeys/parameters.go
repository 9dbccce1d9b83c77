package main

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/loss"
)

// parameter is a parameter of the estimators.
type parameter struct {
	name    string // in Python
	key     string // of config.yaml; empty: the estimator's own
	hint    string // its type in Python
	initial string // its default, as Python writes it
	doc     string
}

// leading are the parameters that precede those of the keys.
var leading = []parameter{
	{name: "preset", key: "preset", hint: "str", initial: `"robust"`},
	{name: "missing", key: "data.missing", hint: "str", initial: `"error"`,
		doc: "a missing value in X: error, mean (of the rows that are trained on) or own: rules may name it"},
	{name: "early_stopping", hint: "bool", initial: "False",
		doc: "stop when the error on the rows set aside for validation no longer falls: with validation None 0.1, with patience None 500"},
	{name: "calibration", key: "data.calibration", hint: "float", initial: "0.0",
		doc: "share of the rows that calibrates predict_interval and predict_set instead of training; 0: none"},
	{name: "validation", key: "data.validation", hint: "float | None", initial: "None",
		doc: "share of the rows that chooses the best iteration instead of training; None: 0, with early_stopping 0.1"},
	{name: "split", key: "data.split", hint: "str | None", initial: "None",
		doc: "how rows are set aside: random, or chronological (rows are in time order: later ones validate, also in the race)"},
	{name: "split_seed", key: "data.split_seed", hint: "int | None", initial: "None", doc: "seed of a random split; None: random_state"},
}

// trailing are the parameters that follow those of the keys.
var trailing = []parameter{
	{name: "random_state", key: "train.seed", hint: "int | RandomState | None", initial: "1",
		doc: "seed; the same seed gives the same model, on any number of threads. A RandomState draws a seed at each fit, None draws one " +
			"from NumPy's global state"},
	{name: "n_jobs", hint: "int | None", initial: "None", doc: "threads: None is 1 or what joblib.parallel_config sets, -1 all processors"},
	{name: "verbose", hint: "int", initial: "0", doc: "above 0: progress and notes on standard error"},
}

// hidden are keys that are no parameters: fit sets them, they say how a file is read, or the package cannot predict with them.
var hidden = []string{
	"data.path", "data.query", "data.test_path", "data.builtin", "data.target", "data.features", "data.ignore", "data.weight",
	"data.offset",
	"data.delimiter",
	"data.na", "data.time", "data.lags", "data.horizon", "data.forecast", "data.calendar", "data.season", "data.series", "data.train",
	"data.group", "data.split_column", "data.scratch", "model.neighbours",
}

// methods are keys whose names are methods by which scikit-learn tells what an estimator does: their parameters have the section, too.
var methods = []string{"transform"}

// Keys that apply only to targets of numbers, and only to classes.
var (
	ofNumbers = append([]string{"model.margin", "model.range", "train.target_weights"}, lossParameters()...) // no loss of classes has one
	ofClasses = []string{"train.class_weights", "train.label_smoothing"}
)

// lossParameters returns the keys of the parameters of losses.
func lossParameters() (keys []string) {
	for _, p := range loss.Params() {
		keys = append(keys, "train."+p.Name)
	}
	return keys
}

// parametersOf returns all parameters by the JSON Schema of config.yaml. A parameter has the name of its key without the section; keys
// of prune and names of methods keep it.
func parametersOf(schema []byte) ([]parameter, error) {
	var root yaml.Node // which keeps the order of keys
	if err := yaml.Unmarshal(schema, &root); err != nil {
		return nil, err
	}
	properties := member(root.Content[0], "properties")
	var keyed []parameter
	named := slices.Concat(leading, trailing)
	for _, section := range []string{"data", "model", "train", "prune"} {
		keys := member(member(properties, section), "properties")
		for i := 0; i < len(keys.Content); i += 2 {
			own := keys.Content[i].Value
			p := parameter{name: own, key: section + "." + own, hint: hint(keys.Content[i+1]), initial: "None",
				doc: member(keys.Content[i+1], "description").Value}
			if section == "prune" || slices.Contains(methods, own) {
				p.name = section + "_" + own
			}
			if slices.Contains(hidden, p.key) || slices.ContainsFunc(named, func(n parameter) bool { return n.key == p.key }) {
				continue
			}
			if slices.ContainsFunc(slices.Concat(named, keyed), func(n parameter) bool { return n.name == p.name }) {
				return nil, fmt.Errorf("two keys give the parameter %s: prefix %s by its section", p.name, p.key)
			}
			keyed = append(keyed, p)
		}
	}
	first := slices.Clone(leading)
	first[0].doc = member(member(properties, "preset"), "description").Value
	return slices.Concat(first, keyed, trailing), nil
}

// member returns the value of a key of a mapping; an empty node if it has none.
func member(mapping *yaml.Node, key string) *yaml.Node {
	for i := 0; i < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return &yaml.Node{}
}

// hint is the Python type of what a schema describes, or None.
func hint(schema *yaml.Node) string {
	types := map[string]string{"integer": "int", "number": "float", "string": "str", "boolean": "bool", "array": "Sequence[Any]",
		"object": "Mapping[str, Any]"}
	if t, ok := types[member(schema, "type").Value]; ok {
		return t + " | None"
	}
	return "Any"
}

// without returns the parameters whose keys are not listed.
func without(parameters []parameter, keys []string) []parameter {
	return slices.DeleteFunc(slices.Clone(parameters), func(p parameter) bool { return slices.Contains(keys, p.key) })
}

// wrap breaks a text into lines of at most a width.
func wrap(text, indent string, width int) string {
	var b strings.Builder
	line := indent
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > width && line != indent {
			b.WriteString(line + "\n")
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	return b.String() + line
}
