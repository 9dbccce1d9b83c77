package config

import (
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/data/series"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/interval"
)

// timeKeys say how a table of time stamps is read.
var timeKeys = []key{
	{name: "data.time", example: "date",
		field: func(c *Config) value { return textAt(&c.time.Time) }, shown: timed(func(*series.Spec) bool { return true })},
	{name: "data.lags", example: "{y: [1, 24], outside: 0}",
		field: func(c *Config) value { return &lags{&c.time.Lags} }, shown: timed(func(s *series.Spec) bool { return s.Lags != nil })},
	{name: "data.horizon", example: "1",
		field: func(c *Config) value { return &horizon{&c.time} }, shown: timed(func(*series.Spec) bool { return true })},
	{name: "data.forecast", choices: series.Ways(), example: series.Recursive,
		field: func(c *Config) value { return textAt(&c.time.Way) }, shown: timed(func(s *series.Spec) bool { return s.Way != "" })},
	{name: "data.calendar", example: "[hour, weekday]",
		field: func(c *Config) value { return (*names)(&c.time.Calendar) },
		shown: timed(func(s *series.Spec) bool { return s.Calendar != nil })},
	{name: "data.season", limits: interval.From(1).To(series.MostLags), example: "24",
		field: func(c *Config) value { return whole{recipe.Whole(&c.time.Season)} },
		shown: timed(func(s *series.Spec) bool { return s.Season != 0 })},
	{name: "data.series", example: "shop",
		field: func(c *Config) value { return textAt(&c.time.Series) }, shown: timed(func(s *series.Spec) bool { return s.Series != "" })},
}

// timed reports whether a key has an effect: only on a table of time stamps.
func timed(set func(*series.Spec) bool) func(*Config) bool {
	return func(c *Config) bool { return c.Data.Time != nil && set(c.Data.Time) }
}

// readTime makes the table one of time stamps if one of the keys is set.
func (r *reading) readTime(c *Config) {
	for _, k := range timeKeys {
		if r.values.has(k.name) {
			c.Data.Time = &c.time
		}
	}
}

// span reads a whole number, or a range of them such as 0..6.
func span(text string) (from, to int, ok bool) {
	first, last, ranged := strings.Cut(text, "..")
	from, err := strconv.Atoi(strings.TrimSpace(first))
	if to = from; ranged && err == nil {
		to, err = strconv.Atoi(strings.TrimSpace(last))
	}
	return from, to, err == nil && from <= to && to-from < series.MostLags
}

// lags is the value of data.lags: a lag, a range of them, or a list of both, by column.
type lags struct{ all *[]series.Lags }

func (l *lags) decode(d decoder, n *yaml.Node) {
	*l.all = nil
	d.byColumn(n, "lags by column, such as {y: [1, 24], outside: 0}", func(in decoder, column string, value *yaml.Node) {
		items := []*yaml.Node{value}
		if value.Kind == yaml.SequenceNode {
			items = value.Content
		}
		of := series.Lags{Column: column}
		for _, item := range items {
			from, to, ok := span(item.Value)
			if item.Kind != yaml.ScalarNode || !ok {
				in.fault(item, "%s: want lags in steps, such as [1, 24] or 0..6", describe(item))
				return
			}
			for lag := from; lag <= to; lag++ {
				of.Steps = append(of.Steps, lag)
			}
		}
		*l.all = append(*l.all, of)
	})
}

func (l *lags) node() *yaml.Node {
	n := mapNode()
	for _, of := range *l.all {
		steps := sequence(of.Steps, func(lag int) *yaml.Node { return typedNode("!!int", strconv.Itoa(lag)) })
		n.Content = append(n.Content, scalarNode(of.Column), steps)
	}
	return n
}

func (l *lags) schema(key) *schema {
	one := &schema{AnyOf: []*schema{{Type: "integer"}, {Type: "string", Pattern: `^[0-9]+\.\.[0-9]+$`}}}
	return &schema{Type: "object", Additional: &schema{AnyOf: []*schema{one, {Type: "array", Items: one}}}}
}

// horizon is the value of data.horizon: steps ahead, or a range of them.
type horizon struct{ spec *series.Spec }

func (h *horizon) decode(d decoder, n *yaml.Node) {
	from, to, ok := span(n.Value)
	if n.Kind != yaml.ScalarNode || !ok {
		d.fault(n, "%s: want steps ahead, such as 24, or a range such as 1..24", describe(n))
		return
	}
	if h.spec.Horizon, h.spec.Last = from, 0; to > from {
		h.spec.Last = to
	}
}

func (h *horizon) node() *yaml.Node {
	if h.spec.Last == 0 {
		return typedNode("!!int", fmt.Sprint(h.spec.Horizon))
	}
	return scalarNode(h.spec.HorizonText())
}

func (h *horizon) schema(key) *schema {
	return &schema{AnyOf: []*schema{{Type: "integer"}, {Type: "string", Pattern: `^[0-9]+\.\.[0-9]+$`}}}
}
