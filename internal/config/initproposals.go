package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// Proposal is what Init found in a table but does not decide, with the keys that take it up.
type Proposal struct {
	// impossible, units, codes, outliers and stuck cells of a column, see [data.Oddity]; a column that is repeated or a leak; classes out
	// of balance; the loss, limits and exposure of a target; time
	Kind   string `json:"kind"`
	Column string `json:"column"`
	Cells  int    `json:"cells,omitempty"` // that it is about; 0: all
	Rows   []int  `json:"rows,omitempty"`  // the first of them, by their numbers in the table
	Text   string `json:"text"`            // what was found
	Does   string `json:"does"`            // what the keys do, or without keys what there is to do
	Set    []Pair `json:"set,omitempty"`   // the keys, with their values for this proposal alone

	take func(*Config)
}

// String describes the proposal in a sentence or two.
func (p Proposal) String() string {
	if len(p.Set) == 0 {
		return p.Text + ": " + p.Does
	}
	var keys []string
	for _, one := range p.Set {
		keys = append(keys, one.Key+": "+one.Value)
	}
	return fmt.Sprintf("%s. %s %s", p.Text, strings.Join(keys, " with "), p.Does)
}

// propose collects a proposal that sets keys.
func (s *starter) propose(p Proposal, take func(*Config), keys ...string) Proposal {
	p.take = take
	alone := &Config{}
	take(alone)
	for _, key := range keys {
		p.Set = append(p.Set, Pair{key, valueOf(key, alone)})
	}
	s.proposals = append(s.proposals, p)
	return p
}

// proposeMissing collects a proposal by which cells are missing, and sets what training makes of them if the configuration does not.
func (s *starter) proposeMissing(p Proposal, texts []string) Proposal {
	keys := []string{"data.na"}
	if s.config.Data.Missing == "" {
		keys = append(keys, "data.missing")
	}
	return s.propose(p, func(c *Config) {
		c.Data.NA = adding(c.Data.NA, p.Column, slices.Concat(c.Data.NA[p.Column], texts))
		if c.Data.Missing == "" {
			c.Data.Missing = s.policy()
		}
	}, keys...)
}

// proposeIgnoring collects a proposal to leave columns out.
func (s *starter) proposeIgnoring(p Proposal, columns ...string) Proposal {
	return s.propose(p, func(c *Config) {
		for _, name := range columns {
			if !slices.Contains(c.Data.Ignore, name) {
				c.Data.Ignore = append(slices.Clone(c.Data.Ignore), name)
			}
		}
	}, "data.ignore")
}

// policy returns what training makes of missing cells.
func (s *starter) policy() string {
	if s.config.Preset == recipe.Paper().Preset {
		return table.MissingMean
	}
	return table.MissingOwn
}

// Take returns the keys that take proposals of Init up, with their values beside those of the configuration.
func (in *Initial) Take(proposals ...Proposal) (set []Pair) {
	c := *in.config
	for _, p := range proposals {
		p.take(&c)
	}
	for _, p := range proposals {
		for _, one := range p.Set {
			if pair := (Pair{one.Key, valueOf(one.Key, &c)}); !slices.Contains(set, pair) {
				set = append(set, pair)
			}
		}
	}
	return set
}

// remarkProposals writes the keys of all proposals as comments. Those that the configuration sets keep their values.
func (s *starter) remarkProposals(in *Initial) {
	values := map[string]string{}
	for _, one := range in.Take(in.Proposals...) {
		values[one.Key] = one.Value
	}
	for _, p := range in.Proposals {
		for i, one := range p.Set {
			r, why := remark{set: s.remarks[one.Key].set, suggested: values[one.Key]}, p.Text
			switch {
			case i > 0 && s.remarks[one.Key].suggested != "": // by another proposal
				continue
			case r.set:
				why += fmt.Sprintf(": %s: %s %s", one.Key, one.Value, p.Does)
			case i > 0:
				why = "with " + p.Set[0].Key
			}
			s.remark(one.Key, r, why)
		}
	}
}

// valueOf returns the value of a key in one line.
func valueOf(key string, of *Config) string {
	k, _ := lookup(key)
	return escape.Text(strings.TrimSpace(written(k.field(of).node())))
}

// adding returns a copy of a map with one value more.
func adding[M ~map[string]V, V any](to M, name string, v V) M {
	with := maps.Clone(to)
	if with == nil {
		with = M{}
	}
	with[name] = v
	return with
}

// remedied collects the proposal for an oddity.
func (s *starter) remedied(o data.Oddity) Proposal {
	p := Proposal{Kind: o.Kind, Column: o.Column, Cells: o.Cells, Rows: o.Rows, Text: o.String()}
	switch {
	case o.Limits != nil:
		p.Does = "counts what is beyond as the limit"
		return s.propose(p, func(c *Config) { c.Data.Limits = adding(c.Data.Limits, o.Column, o.Limits) }, "data.limits")
	case o.NA != nil:
		cell, row := "it as missing", "the row"
		if o.Cells > 1 {
			cell, row = "them as missing", "the rows"
		}
		p.Does = "reads " + cell
		if slices.Contains(s.config.Data.Targets(), o.Column) {
			p.Does = "leaves " + row + " out"
		}
		return s.proposeMissing(p, o.NA)
	case o.Ranked:
		p.Does = "ranks them by the mean target"
		return s.propose(p, func(c *Config) {
			c.Data.Categorical = adding(c.Data.Categorical, o.Column, table.Coding{Encoding: table.Ranked})
		}, "data.categorical")
	}
	p.Does = "correct them in the table, or leave the column out (data.ignore)"
	if slices.Contains(s.config.Data.Targets(), o.Column) {
		p.Does = "correct them in the table"
	}
	s.proposals = append(s.proposals, p)
	return p
}

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
