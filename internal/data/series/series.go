// Package series turns a table of time stamps into samples: rows whose features are values of earlier times.
//
// A sample of time t with horizon h is a forecast that is made at the origin t-h. A cell is used in it only if it is known then: one of
// time t-l is if l is at least h, or if its column is known in advance, which its lag 0 declares.
package series

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/registry"
)

// Spec says how rows become samples.
type Spec struct {
	Time     string   `json:"time"`             // the column of time stamps
	Series   string   `json:"series,omitempty"` // the column that names the series of a row; empty: there is one
	Lags     []Lags   `json:"lags"`
	Horizon  int      `json:"horizon"`        // from the origin to the time that is forecast, in steps, at least 1
	Last     int      `json:"last,omitempty"` // the most steps that are forecast, from predictions of earlier steps beyond Horizon; 0: Horizon
	Calendar []string `json:"calendar,omitempty"`
	Season   int      `json:"season,omitempty"` // steps of a season; 0: that of the step
	Step     string   `json:"step,omitempty"`   // such as hour or 15 minutes; found where it is empty

	// Scale is the mean absolute error of the seasonal naive forecast on the training part, without its lag of the naive one, which is the
	// unit of MASE; 0: unknown.
	Scale float64 `json:"scale,omitempty"`

	Way string `json:"-"` // of data.forecast; see Chosen

	Target string                 `json:"-"` // set where a table is read
	Weight string                 `json:"-"` // passes through, if the table has it
	Blank  func(cell string) bool `json:"-"` // whether a cell of the target is missing
}

// Lags are the past values of a column that are features; lag 0 is the value of the time that is forecast.
type Lags struct {
	Column string `json:"column"`
	Steps  []int  `json:"steps"`
}

// Ahead reports whether the column is known in advance.
func (l Lags) Ahead() bool { return slices.Contains(l.Steps, 0) }

// Fault is an error in a Spec or a table.
type Fault struct {
	Key     string // of the configuration; empty: of the table alone
	Line    int    // of the table; 0: unknown
	Message string
}

func (f *Fault) Error() string { return f.Message }

func fault(key, format string, args ...any) *Fault {
	return &Fault{Key: key, Message: fmt.Sprintf(format, args...)}
}

// MostLags is the largest number of lags of a column, and the largest horizon.
const MostLags = 10_000

// Ways of forecasting a range of steps.
const (
	Recursive = "recursive" // the first of them, and the others from forecasts of earlier steps
	Direct    = "direct"    // all from what is known as many steps before as the last
)

// Ways returns the ways of forecasting a range of steps.
func Ways() []string { return []string{Recursive, Direct} }

// Chosen returns the Spec of the samples of its Way, which is then empty; that of Recursive if it is empty.
func (s Spec) Chosen() *Spec {
	if s.Way == Direct {
		s.Horizon, s.Last = s.Last, 0
		s.Lags = slices.Clone(s.Lags)
		for i, l := range s.Lags {
			if l.Column == s.Target {
				s.Lags[i].Steps = slices.DeleteFunc(slices.Clone(l.Steps), func(lag int) bool { return lag < s.Horizon })
			}
		}
	}
	s.Way = ""
	return &s
}

// Steps returns the most steps that are forecast.
func (s *Spec) Steps() int { return max(s.Last, s.Horizon) }

// Check returns what is wrong with a Spec for a target.
func (s *Spec) Check(target string) (faults []*Fault) {
	fail := func(bad bool, f *Fault) {
		if bad {
			faults = append(faults, f)
		}
	}
	fail(s.Time == "", fault("data.time", "name the column of time stamps: data.lags, horizon, calendar, season and series need it"))
	fail(s.Time == target, fault("data.time", "column %s is the target: name the column of time stamps", escape.Quote(s.Time)))
	fail(s.Series != "" && (s.Series == target || s.Series == s.Time),
		fault("data.series", "column %s is named by data.target or data.time: name the column that tells series apart", escape.Quote(s.Series)))
	fail(s.Horizon < 1 || s.Horizon > MostLags || s.Last != 0 && (s.Last < s.Horizon || s.Last > MostLags),
		fault("data.horizon", "%s: want steps ahead, 1 to %d, or a range such as 1..24", s.HorizonText(), MostLags))
	fail(s.Way != "" && s.Last == 0, fault("data.forecast", "%s: applies to a range of data.horizon, such as 1..24", s.Way))
	fail(s.Season < 0 || s.Season > MostLags, fault("data.season", "%d: want the number of steps of a season, 1 to %d", s.Season, MostLags))
	fail(len(s.Lags)+len(s.Calendar) == 0, fault("data.lags", "name past values to predict from, such as {%s: [1, 2]}", target))
	seen := map[string]bool{s.Time: true, s.Series: true}
	for _, l := range s.Lags {
		fail(seen[l.Column], fault("data.lags", "column %s is given twice, or is data.time or data.series", escape.Quote(l.Column)))
		seen[l.Column] = true
		fail(len(l.Steps) == 0 || len(l.Steps) > MostLags, fault("data.lags", "column %s: want 1 to %d lags", escape.Quote(l.Column), MostLags))
		for i, step := range l.Steps {
			if f := s.checkLag(l, step, target); f != nil {
				faults = append(faults, f)
				break
			}
			fail(slices.Contains(l.Steps[:i], step), fault("data.lags", "column %s: lag %d is given twice", escape.Quote(l.Column), step))
		}
	}
	fail(s.Way == Direct && s.Last > 0 && !s.directly(target), fault("data.forecast", "direct: no lag of %s is known %d steps ahead: "+
		"add one of at least %d, or use recursive", escape.Quote(target), s.Last, s.Last))
	for i, name := range s.Calendar {
		fail(calendar[name] == nil || slices.Contains(s.Calendar[:i], name),
			fault("data.calendar", "%s: want some of %s, each once", escape.Quote(name), escape.List(CalendarNames())))
	}
	return faults
}

// directly reports whether a lag of the target is known as many steps before as the last.
func (s *Spec) directly(target string) bool {
	known := func(lag int) bool { return lag >= s.Last }
	return slices.ContainsFunc(s.Lags, func(l Lags) bool { return l.Column == target && slices.ContainsFunc(l.Steps, known) })
}

// Validate checks a Spec of a saved model, which has a step.
func (s *Spec) Validate(target string) error {
	if faults := s.Check(target); faults != nil {
		return fmt.Errorf("%s: %s", faults[0].Key, faults[0].Message)
	}
	if parseStep(s.Step) == (step{}) {
		return fmt.Errorf("step: %s: want such as hour, 15 minutes or month", escape.Quote(s.Step))
	}
	if !(s.Scale >= 0 && s.Scale <= math.MaxFloat64) {
		return fmt.Errorf("scale: %v: must be finite and at least 0", s.Scale)
	}
	return nil
}

// checkLag refuses a lag that is not known at the origin.
func (s *Spec) checkLag(l Lags, lag int, target string) *Fault {
	switch name := escape.Quote(l.Column); {
	case lag < 0 || lag > 100*MostLags:
		return fault("data.lags", "column %s: lag %d: want steps back, 0 or more", name, lag)
	case l.Column == target && lag == 0:
		return fault("data.lags", "column %s: lag 0 of the target is what is predicted: want lags of at least %d", name, s.Horizon)
	case l.Column == target && lag < s.Horizon:
		return fault("data.lags", "column %s: lag %d is not known %d steps ahead: want at least %d, or data.horizon %d or 1..%d", name, lag,
			s.Horizon, s.Horizon, lag, s.Horizon)
	case l.Column != target && !l.Ahead() && lag < s.Steps():
		return fault("data.lags", "column %s: lag %d is not known %d steps ahead: want at least %d, or also lag 0 if the column is known in "+
			"advance", name, lag, s.Steps(), s.Steps())
	}
	return nil
}

// HorizonText returns the horizon as data.horizon has it.
func (s *Spec) HorizonText() string {
	if s.Last == 0 {
		return strconv.Itoa(s.Horizon)
	}
	return fmt.Sprintf("%d..%d", s.Horizon, s.Last)
}

// Name returns the name of the feature that is the value of a column some steps before, once the step is known.
func (s *Spec) Name(column string, lag int) string {
	if lag == 0 {
		return column
	}
	return column + " " + s.Words(lag) + " before"
}

// Words returns so many steps in words, such as 24 hours, once the step is known.
func (s *Spec) Words(n int) string { return parseStep(s.Step).words(n) }

// NaiveLag returns the lag of the last value of the target that is known.
func (s *Spec) NaiveLag() int { return s.Horizon }

// SeasonalLag returns the lag of the last known value of the target at the same place of a season.
func (s *Spec) SeasonalLag() int {
	season := s.SeasonSteps()
	return (s.Horizon + season - 1) / season * season
}

// SeasonSteps returns the number of steps of a season: a day of hours or minutes, a week of days, a year of all others.
func (s *Spec) SeasonSteps() int {
	if s.Season > 0 {
		return s.Season
	}
	return parseStep(s.Step).season()
}

// Features returns the names of the features, once the step is known.
func (s *Spec) Features() (names []string) {
	for _, l := range s.Lags {
		for _, lag := range l.Steps {
			names = append(names, s.Name(l.Column, lag))
		}
	}
	for _, name := range s.Calendar {
		if name == s.Time || name == s.Series || slices.Contains(names, name) {
			name = "calendar " + name
		}
		names = append(names, name)
	}
	return names
}

// Holds reports whether a table of these columns has the features: then its rows are samples.
func (s *Spec) Holds(columns []string) bool {
	return s.Step != "" && !slices.ContainsFunc(s.Features(), func(name string) bool { return !slices.Contains(columns, name) })
}

// longest returns the longest lag.
func (s *Spec) longest() (longest int) {
	for _, l := range s.Lags {
		longest = max(longest, slices.Max(l.Steps))
	}
	return longest
}

// find returns the places of the columns that are needed in a table, by name.
func (s *Spec) find(columns []string) (map[string]int, error) {
	at := map[string]int{}
	for i, name := range columns {
		at[name] = i
	}
	need := [][2]string{{"data.time", s.Time}}
	if s.Series != "" {
		need = append(need, [2]string{"data.series", s.Series})
	}
	for _, l := range s.Lags {
		need = append(need, [2]string{"data.lags", l.Column})
	}
	for _, n := range need {
		if _, ok := at[n[1]]; !ok {
			return nil, fault(n[0], "the table has no column %s%s (its columns: %s)", escape.Quote(n[1]), registry.Hint(n[1], columns),
				escape.List(columns))
		}
	}
	return at, nil
}
