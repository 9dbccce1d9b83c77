package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/suggest"
)

// chooseTargets sets the targets: the columns of those names, or the last that can be one; and whether it has classes.
func chooseTargets(s *starter, given []string) error {
	columns, err := findTargets(s, given)
	if err != nil {
		return err
	}
	options := &s.config.Data.Options
	for i, p := range columns {
		switch {
		case p.Distinct == 1:
			return columnFault(s.path, p, "is constant: there is nothing to predict")
		case len(columns) == 1 && classWords(p):
			classify(s, fmt.Sprintf("%s holds texts", p.Name))
		case !numeric(p) && p.Odd != nil && p.Numbers > 0:
			return p.Odd
		case p.Marks != nil:
			return &data.Error{File: s.path, Line: p.Marks.Line, Message: fmt.Sprintf("column %q: %s", p.Name, p.Marks.Message)}
		case 10*p.Dates >= 9*p.Present():
			return columnFault(s.path, p, "holds dates or times: choose another target")
		case !numeric(p) && len(columns) > 1:
			return columnFault(s.path, p, "holds no numbers: of several targets, each must be numeric")
		case !numeric(p):
			return columnFault(s.path, p, fmt.Sprintf("holds %d different texts, too many to be classes: choose another target", p.Distinct))
		case len(columns) == 1:
			chooseNumbers(s, p)
		}
		if i == 0 {
			options.Target = p.Name
		} else {
			options.Others = append(options.Others, p.Name)
		}
	}
	s.remark("data.target", remark{set: true})
	if len(given) == 0 {
		s.remark("data.target", remark{set: true}, "a guess: the last column that can be a target")
	}
	return nil
}

// columnFault is an error about a column that is no target.
func columnFault(path string, p data.Profile, message string) error {
	return &data.Error{File: path, Line: 1, Message: fmt.Sprintf("column %q %s", p.Name, message)}
}

// findTargets returns the columns that are named, also several in one text with commas between them; or the last that can be a
// target.
func findTargets(s *starter, given []string) (columns []data.Profile, err error) {
	if len(given) == 0 {
		for _, p := range slices.Backward(s.survey.Columns) {
			if p.Distinct > 1 && identifier(p) == "" && (numeric(p) || classWords(p) && p.Distinct <= fewClasses && p.Present() >= classRows*p.Distinct) {
				return []data.Profile{p}, nil
			}
		}
		return nil, &data.Error{File: s.path, Message: "no column can be the target, a number that varies, or a class of several rows"}
	}
	var known []string
	for _, p := range s.survey.Columns {
		known = append(known, p.Name)
	}
	for _, text := range given {
		names := []string{text}
		if !slices.Contains(known, text) {
			names = strings.Split(text, ",")
		}
		for _, name := range names {
			at := slices.Index(known, strings.TrimSpace(name))
			if at < 0 {
				return nil, &data.Error{File: s.path, Line: 1, Message: fmt.Sprintf("the table has no column %q%s", strings.TrimSpace(name), didYouMean(suggest.Closest(name, known)))}
			}
			columns = append(columns, s.survey.Columns[at])
		}
	}
	return columns, nil
}
