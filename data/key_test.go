package data

import (
	"regexp"
	"slices"
	"testing"
)

// keyInText finds what may be a key in a message.
var keyInText = regexp.MustCompile(`\bdata\.[a-z_]+\b`)

// TestOptionFaultsNameKeys: a fault of options has its key, and the keys that its message
// names, as fields.
func TestOptionFaultsNameKeys(t *testing.T) {
	table := func(change func(*Source)) Source {
		s := Source{Path: "x.csv", Options: Options{Target: "y"}}
		change(&s)
		return s
	}
	for key, s := range map[string]Source{
		"data.builtin":      table(func(s *Source) { s.Builtin = "sinc" }),
		"data.test_path":    table(func(s *Source) { s.TestPath, s.Split.Kind, s.Split.Column = "t.csv", "column", "part" }),
		"data.train":        table(func(s *Source) { s.TestPath, s.Split.Train = "t.csv", 0.5 }),
		"data.split_column": table(func(s *Source) { s.Split.Column = "part" }),
		"data.group":        table(func(s *Source) { s.Split.Kind, s.Group = "chronological", "id" }),
		"data.split":        table(func(s *Source) { s.Split = Split{Kind: "column", Column: "part", Train: 0.5} }),
		"data.validation":   table(func(s *Source) { s.Split = Split{Train: 0.9, Validation: 0.5} }),
		"data.calibration":  table(func(s *Source) { s.Split.Calibration = 2 }),
		"data.target":       table(func(s *Source) { s.Target = "" }),
		"data.ignore":       table(func(s *Source) { s.Ignore = []string{"y"} }),
		"data.categorical":  table(func(s *Source) { s.Categorical = map[string]Coding{"y": {Encoding: OneHot}} }),
		"data.na":           table(func(s *Source) { s.NA, s.Features = NA{"b": {"-"}}, []string{"a"} }),
		"data.delimiter":    table(func(s *Source) { s.Delimiter = "dot" }),
		"data.missing":      table(func(s *Source) { s.Missing = "guess" }),
		"data.query":        table(func(s *Source) { s.Query = "SELECT 1 ORDER BY 1" }),
		"data.path":         table(func(s *Source) { s.Path = "none://x" }),
		"data.weight":       {Options: Options{Weight: "w"}},
	} {
		err := s.Validate()
		if err == nil {
			t.Errorf("%s: no fault", key)
			continue
		}
		for _, e := range apart(err) {
			fault, ok := e.(*KeyError)
			if !ok || fault.Key != key {
				t.Errorf("%s: %#v", key, e)
				continue
			}
			for _, named := range keyInText.FindAllString(fault.Message, -1) {
				if named != key && !slices.Contains(fault.With, named) {
					t.Errorf("%s: %q names %s, but With is %q", key, fault.Message, named, fault.With)
				}
			}
		}
	}
}

func apart(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var all []error
	for _, e := range joined.Unwrap() {
		all = append(all, apart(e)...)
	}
	return all
}
