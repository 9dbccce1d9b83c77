package config

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/data/series"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// mostStamps is the largest number of rows whose time stamps are looked at.
const mostStamps = 200_000

// mostEntities is the largest number of columns that are tried as names of series and groups.
const mostEntities = 4

// rowsASeries is the least average number of rows of the series of a table.
const rowsASeries = 8

// inTime suggests what to do with rows in time order: to forecast where a column has regular time stamps, else to keep the order.
func (s *starter) inTime(p data.Profile) {
	if s.proposed("time") {
		return
	}
	spec := s.timeSpec(p)
	if p.Rising && !s.proposed("order") && (p.Unique() || p.Dates > 0) {
		order := s.propose(Proposal{Kind: "order", Column: p.Name, Does: "tests on the last rows, as forecasting must",
			Text: fmt.Sprintf("the rows are in the order of %q, and a random split tests between rows that were trained on", p.Name),
		}, func(c *Config) { c.Data.Split.Kind = "chronological" }, "data.split")
		if spec == nil {
			s.warn("%s", order)
		}
	}
	if spec != nil {
		s.suggestTime(spec)
	}
}

// proposed reports whether there is a proposal of a kind.
func (s *starter) proposed(kind string) bool {
	return slices.ContainsFunc(s.proposals, func(p Proposal) bool { return p.Kind == kind })
}

// timeSpec returns how the rows of a table of regular time stamps may become samples; nil of another table.
func (s *starter) timeSpec(p data.Profile) *series.Spec {
	targets := s.config.Data.Targets()
	if len(targets) != 1 || s.config.Data.Task == "classification" || !s.again() {
		return nil
	}
	for _, column := range s.seriesColumns(p) {
		spec := &series.Spec{Time: p.Name, Series: column, Horizon: 1, Target: targets[0], Blank: table.IsMissing,
			Lags: []series.Lags{{Column: targets[0], Steps: []int{1, 2, 3}}}}
		in := s.table
		in.Samples = spec
		h, err := table.ReadHistory(in, "auto")
		if err != nil || !regular(h) {
			continue
		}
		spec.Step = h.Spec.Step
		if season := spec.SeasonSteps(); season > 3 && 2*season <= s.survey.Rows/len(h.Series) {
			spec.Lags[0].Steps = append(spec.Lags[0].Steps, season)
		}
		spec.Calendar = series.CalendarOf(spec.Step)
		return spec
	}
	return nil
}

// seriesColumns returns the columns that may tell the series of a table apart, the one of the fewest values first; "" stands for a single
// series. Each pair of a series and a time has one row.
func (s *starter) seriesColumns(p data.Profile) (names []string) {
	if p.Unique() {
		return []string{""}
	}
	for _, c := range s.entities(p, rowsASeries) {
		names = append(names, c.Name)
	}
	return names
}

// entities returns the columns that may name what has one row of each time, and some rows on average; those of the fewest values first.
func (s *starter) entities(time data.Profile, rows int) (able []data.Profile) {
	for _, c := range s.survey.Columns {
		ids := c.Integers && numeric(c) || c.Numbers == 0
		if ids && c.Missing == 0 && c.Distinct > 1 && c.Distinct*rows <= s.survey.Rows && c.Distinct*time.Distinct >= s.survey.Rows &&
			c.Name != time.Name && !slices.Contains(s.config.Data.Targets(), c.Name) {
			able = append(able, c)
		}
	}
	slices.SortStableFunc(able, func(a, b data.Profile) int { return cmp.Compare(a.Distinct, b.Distinct) })
	return able[:min(mostEntities, len(able))]
}

// regular reports whether the rows of a history are at least half of the steps of its series.
func regular(h *series.History) bool {
	steps, missing := 0, 0
	for _, one := range h.Series {
		steps += one.Last - one.First + 1
		for _, g := range one.Gaps {
			missing += g.Steps
		}
	}
	return 2*missing <= steps
}

// suggestTime suggests to forecast.
func (s *starter) suggestTime(spec *series.Spec) {
	keys, names, of := []string{"data.time"}, "data.time", ""
	if spec.Series != "" {
		keys, names, of = append(keys, "data.series"), "data.time, series", fmt.Sprintf(", one series for each %q", spec.Series)
		s.remark("data.series", remark{}, "each has one row of a time")
		delete(s.remarks, "data.group") // rows of one time stay together
	}
	keys = append(keys, "data.lags")
	if spec.Calendar != nil {
		keys = append(keys, "data.calendar")
	}
	s.warn("%q has time stamps in steps of %s%s: to forecast %q from its past, remove the \"# \" before %s, lags and calendar; "+
		"data.split stays random until then, which tests between rows that were trained on", spec.Time, spec.Words(1), of, spec.Target, names)
	s.remark("data.lags", remark{}, "add columns that are known in advance with lag 0, others with lags of 1 and more")
	s.propose(Proposal{Kind: "time", Column: spec.Time, Text: fmt.Sprintf("%q has time stamps in steps of %s%s", spec.Time, spec.Words(1), of),
		Does: "makes each row a forecast from the rows before it",
	}, func(c *Config) {
		c.time = series.Spec{Time: spec.Time, Series: spec.Series, Lags: spec.Lags, Calendar: spec.Calendar, Horizon: 1}
		c.Data.Time = &c.time
	}, keys...)
}
