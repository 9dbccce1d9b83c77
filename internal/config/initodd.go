package config

import (
	"fmt"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// chooseOddities notes what is odd about the columns, and suggests a key for each; columns that repeat others are left out.
func chooseOddities(s *starter, d *data.Dataset) {
	for _, l := range data.Doubles(d) {
		if name := l.Target(); l.Slopes != nil && leaveOut(s, map[string]bool{}, []string{name}, l.String()) {
			s.note("%s: %s is left out (data.ignore)", l, escape.Quote(name))
		} else {
			s.note("%s. data.ignore: %s leaves one of them out", l, escape.Text(written(listNode([]string{name}))))
			s.drop(name)
		}
	}
	var with data.Options // what is suggested
	_, used := s.used()
	for i, o := range data.Oddities(d) {
		if !used[o.Column] || o.Limits != nil && identifierName.MatchString(o.Column) {
			continue
		}
		key, does := s.suggest(&with, o)
		if i >= mostFound {
			continue
		}
		if key == "" {
			s.warn("%s: correct them in the table, or leave the column out (data.ignore)", o)
			s.drop(o.Column)
			continue
		}
		s.warn("%s. %s", o, does)
	}
}

// suggest adds the remedy of an oddity to what is suggested, and returns its key and what it does; empty: there is none.
func (s *starter) suggest(with *data.Options, o data.Oddity) (key, does string) {
	one := &data.Options{}
	for _, to := range []*data.Options{with, one} {
		switch {
		case o.Limits != nil:
			key, does = "data.limits", "counts what is beyond as the limit"
			to.Limits = adding(to.Limits, o.Column, o.Limits)
		case o.NA != nil:
			key, does = "data.na", map[bool]string{true: "reads it as missing", false: "reads them as missing"}[o.Cells == 1]
			to.NA = adding(to.NA, o.Column, o.NA)
		case o.Ranked:
			key, does = "data.categorical", "ranks them by the mean target"
			to.Categorical = adding(to.Categorical, o.Column, table.Coding{Encoding: table.Ranked})
		default:
			return "", ""
		}
	}
	s.remark(key, remark{suggested: s.valueOf(key, with)}, o.String())
	value := s.valueOf(key, one)
	if o.NA != nil && s.config.Data.Missing == "" {
		s.remarks["data.missing"] = remark{suggested: table.MissingMean, why: []string{"with data.na, whose cells are missing then"}}
		value += " with data.missing: mean"
	}
	return key, fmt.Sprintf("%s: %s %s", key, value, does)
}

// valueOf returns the value of a key of options, in one line.
func (s *starter) valueOf(key string, of *data.Options) string {
	k, _ := lookup(key)
	c := &Config{}
	c.Data.Options = *of
	n := k.field(c).node()
	return escape.Text(strings.TrimSpace(written(n)))
}

func adding[M ~map[string]V, V any](to M, name string, v V) M {
	if to == nil {
		to = M{}
	}
	to[name] = v
	return to
}
