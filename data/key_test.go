package data

import (
	"github.com/tskgraph/tskgraph/data/table"
	"regexp"
	"slices"
	"testing"
)

// keyInText finds what may be a key in a message.
var keyInText = regexp.MustCompile(`\bdata\.[a-z_]+\b`)

// TestOptionFaultsNameKeys: a fault of options has its key, and the keys that its message
// names, as fields.
func TestOptionFaultsNameKeys(t *testing.T) {
	content := func(change func(*Source)) Source {
		s := Source{Path: "x.csv", Options: table.Options{Target: "y"}}
		change(&s)
		return s
	}
	for key, s := range map[string]Source{
		"data.builtin":      content(func(s *Source) { s.Builtin = "sinc" }),
		"data.test_path":    content(func(s *Source) { s.TestPath, s.Split.Kind, s.Split.Column = "t.csv", "column", "part" }),
		"data.train":        content(func(s *Source) { s.TestPath, s.Split.Train = "t.csv", 0.5 }),
		"data.split_column": content(func(s *Source) { s.Split.Column = "part" }),
		"data.group":        content(func(s *Source) { s.Split.Kind, s.Group = "chronological", "id" }),
		"data.split":        content(func(s *Source) { s.Split = Split{Kind: "column", Column: "part", Train: 0.5} }),
		"data.validation":   content(func(s *Source) { s.Split = Split{Train: 0.9, Validation: 0.5} }),
		"data.calibration":  content(func(s *Source) { s.Split.Calibration = 2 }),
		"data.target":       content(func(s *Source) { s.Target = "" }),
		"data.ignore":       content(func(s *Source) { s.Ignore = []string{"y"} }),
		"data.categorical":  content(func(s *Source) { s.Categorical = map[string]table.Coding{"y": {Encoding: table.OneHot}} }),
		"data.na":           content(func(s *Source) { s.NA, s.Features = table.NA{"b": {"-"}}, []string{"a"} }),
		"data.delimiter":    content(func(s *Source) { s.Delimiter = "dot" }),
		"data.missing":      content(func(s *Source) { s.Missing = "guess" }),
		"data.query":        content(func(s *Source) { s.Query = "SELECT 1 ORDER BY 1" }),
		"data.path":         content(func(s *Source) { s.Path = "none://x" }),
		"data.weight":       {Options: table.Options{Weight: "w"}},
	} {
		err := s.Validate()
		if err == nil {
			t.Errorf("%s: no fault", key)
			continue
		}
		for _, e := range apart(err) {
			fault, ok := e.(*table.KeyError)
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
