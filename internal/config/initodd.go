package config

import (
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// chooseOddities proposes a key for what is odd about each column; columns that repeat others are left out.
func chooseOddities(s *starter, d *data.Dataset) {
	for _, l := range data.Doubles(d) {
		if name := l.Target(); l.Slopes != nil && leaveOut(s, []string{name}, l.String()) {
			s.note("%s: %s is left out (data.ignore)", l, escape.Quote(name))
		} else {
			s.note("%s", s.proposeIgnoring(Proposal{Kind: "repeated", Column: name, Text: l.String(), Does: "leaves one of them out"}, name))
		}
	}
	_, used := s.used()
	noted, more := 0, 0
	for _, o := range data.Oddities(d) {
		if !used[o.Column] || o.Limits != nil && identifierName.MatchString(o.Column) {
			continue
		}
		p := s.remedied(o)
		if noted++; noted > mostFound {
			more++
			continue
		}
		s.warn("%s", p)
	}
	if more > 0 {
		s.warn("and %s: see the configuration", count(more, "odd column more", "odd columns more"))
	}
}
