package config

import (
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/data/series"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// mostStamps is the largest number of rows whose time stamps are looked at.
const mostStamps = 200_000

// inTime suggests what to do with rows in time order: to forecast where a column has regular time stamps, else to keep the order.
func (s *starter) inTime(p data.Profile) {
	if slices.ContainsFunc(s.proposals, func(p Proposal) bool { return p.Kind == "time" }) {
		return
	}
	if spec := s.timeSpec(p); spec != nil {
		s.suggestTime(spec)
		return
	}
	s.warn("%s", s.propose(Proposal{Kind: "time", Column: p.Name,
		Text: fmt.Sprintf("the rows are in the order of %q, but data.split stays random, which tests between rows that were trained on", p.Name),
		Does: "tests on the last rows, as forecasting must",
	}, func(c *Config) { c.Data.Split.Kind = "chronological" }, "data.split"))
}

// timeSpec returns how the rows of a table of regular time stamps may become samples; nil of another table.
func (s *starter) timeSpec(p data.Profile) *series.Spec {
	targets := s.config.Data.Targets()
	if len(targets) != 1 || s.config.Data.Task == "classification" || s.survey.Rows > mostStamps || s.table.Reader != nil ||
		s.table.Name == table.StandardInput {
		return nil
	}
	spec := &series.Spec{Time: p.Name, Horizon: 1, Target: targets[0], Blank: table.IsMissing,
		Lags: []series.Lags{{Column: targets[0], Steps: []int{1, 2, 3}}}}
	in := s.table
	in.Samples = spec
	h, err := table.ReadHistory(in, "auto")
	if err != nil {
		return nil
	}
	spec.Step = h.Spec.Step
	if season := spec.SeasonSteps(); season > 3 {
		spec.Lags[0].Steps = append(spec.Lags[0].Steps, season)
	}
	spec.Calendar = series.CalendarOf(spec.Step)
	return spec
}

// suggestTime suggests to forecast.
func (s *starter) suggestTime(spec *series.Spec) {
	s.warn("%q has time stamps in steps of %s: to forecast %q from its past, remove the \"# \" before data.time, lags and calendar; "+
		"data.split stays random until then, which tests between rows that were trained on", spec.Time, spec.Words(1), spec.Target)
	s.remark("data.split", remark{suggested: "chronological"},
		fmt.Sprintf("the rows are in the order of %s: chronological tests on the last of them, as forecasting must", spec.Time))
	s.remark("data.lags", remark{}, "add columns that are known in advance with lag 0, others with lags of 1 and more")
	keys := []string{"data.time", "data.lags"}
	if spec.Calendar != nil {
		keys = append(keys, "data.calendar")
	}
	s.propose(Proposal{Kind: "time", Column: spec.Time, Text: fmt.Sprintf("%q has time stamps in steps of %s", spec.Time, spec.Words(1)),
		Does: "makes each row a forecast from the rows before it",
	}, func(c *Config) {
		c.time = series.Spec{Time: spec.Time, Lags: spec.Lags, Calendar: spec.Calendar, Horizon: 1}
		c.Data.Time = &c.time
	}, keys...)
}
