package series

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// step is the time between two rows: a number of seconds, or of months.
type step struct{ seconds, months int }

const (
	minute = 60
	hour   = 60 * minute
	day    = 24 * hour
	week   = 7 * day
)

// units are names of steps.
var units = []struct {
	name string
	step
}{{"year", step{months: 12}}, {"quarter", step{months: 3}}, {"month", step{months: 1}}, {"week", step{seconds: week}},
	{"day", step{seconds: day}}, {"hour", step{seconds: hour}}, {"minute", step{seconds: minute}}, {"second", step{seconds: 1}}}

// String returns a step as Spec.Step has it.
func (s step) String() string {
	text := s.words(1)
	if one, ok := strings.CutPrefix(text, "1 "); ok {
		return one
	}
	return text
}

// words returns so many steps in words: 24 hours.
func (s step) words(n int) string {
	for _, u := range units {
		if u.name == "week" && s.seconds != week || u.name == "day" && s.seconds%day != 0 || u.name == "year" && s.months != 12 ||
			u.name == "quarter" && s.months != 3 {
			continue // 24 hours of a table of hours are not a day
		}
		of := n * s.seconds
		if u.months > 0 {
			of = n * s.months
		}
		size := max(u.seconds, u.months)
		if (u.months > 0) != (s.months > 0) || of%size != 0 {
			continue
		}
		if of/size == 1 {
			return "1 " + u.name
		}
		return fmt.Sprintf("%d %ss", of/size, u.name)
	}
	return ""
}

// parseStep reads what String writes; the zero step of any other text.
func parseStep(text string) step {
	n, name := 1, text
	if number, rest, ok := strings.Cut(text, " "); ok {
		n, _ = strconv.Atoi(number)
		name = strings.TrimSuffix(rest, "s")
	}
	for _, u := range units {
		if u.name == name && n > 0 && n < 1_000_000 {
			return step{n * u.seconds, n * u.months}
		}
	}
	return step{}
}

// season returns the steps of a season.
func (s step) season() int {
	of := func(total int) int {
		return max(1, int(math.Round(float64(total)/float64(max(1, s.seconds, s.months)))))
	}
	switch {
	case s.months > 0:
		return of(12)
	case s.seconds < day:
		return of(day)
	case s.seconds == day:
		return 7
	}
	return of(365 * day)
}

// position returns the number of steps from an origin to a time, and whether it is whole.
func (s step) position(origin, t time.Time) (int, bool) {
	if s.months > 0 {
		n := 12*(t.Year()-origin.Year()) + int(t.Month()) - int(origin.Month())
		return floorDiv(n, s.months), n%s.months == 0 && sameDay(origin, t)
	}
	if s.seconds%day == 0 {
		origin, t = wall(origin), wall(t)
	}
	n := int(t.Unix() - origin.Unix())
	return floorDiv(n, s.seconds), n%s.seconds == 0
}

// at returns the time some steps after an origin.
func (s step) at(origin time.Time, n int) time.Time {
	if s.months == 0 {
		return origin.Add(time.Duration(n*s.seconds) * time.Second)
	}
	first := time.Date(origin.Year(), origin.Month()+time.Month(n*s.months), 1, origin.Hour(), origin.Minute(), origin.Second(), 0,
		origin.Location())
	last := first.AddDate(0, 1, -1).Day()
	if d := origin.Day(); d < last && !lastDay(origin) {
		last = d
	}
	return first.AddDate(0, 0, last-1)
}

// wall returns the time of the clock on the wall as if it were UTC.
func wall(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.UTC().Add(time.Duration(offset) * time.Second)
}

func lastDay(t time.Time) bool { return t.AddDate(0, 0, 1).Day() == 1 }

// sameDay reports whether two times are of the same day of their months, or of the last.
func sameDay(a, b time.Time) bool { return a.Day() == b.Day() || lastDay(a) && lastDay(b) }

func floorDiv(a, b int) int { return int(math.Floor(float64(a) / float64(b))) }

// findStep returns the most frequent time between rows that follow one another; false without two rows, or if they do not ascend.
func findStep(series [][]time.Time) (step, bool) {
	counts := map[step]int{}
	for _, times := range series {
		for i := 1; i < len(times); i++ {
			a, b := times[i-1], times[i]
			months := 12*(b.Year()-a.Year()) + int(b.Month()) - int(a.Month())
			s := step{seconds: int(b.Unix() - a.Unix())}
			if s.seconds%day != 0 && s.seconds > 20*hour { // local days of 23 and 25 hours
				s.seconds = int(wall(b).Unix() - wall(a).Unix())
			}
			if months > 0 && s.seconds >= 28*day && sameDay(a, b) {
				s = step{months: months}
			}
			if s.seconds > 0 || s.months > 0 {
				counts[s]++
			}
		}
	}
	best := step{}
	shorter := func(a, b step) int { return (a.seconds - b.seconds) + 31*day*(a.months-b.months) }
	for _, s := range slices.SortedFunc(maps.Keys(counts), shorter) {
		if counts[s] > counts[best] {
			best = s
		}
	}
	return best, best != step{}
}

// layout is a format of time stamps.
type layout struct {
	parse func(string) (time.Time, error)
	print func(time.Time) string
}

var quarter = regexp.MustCompile(`^([0-9]{4})(-? ?)Q([1-4])$`)

// layouts are the formats that are read, the first that fits all stamps of a table.
var layouts = func() (all []layout) {
	for _, date := range []string{"2006-01-02", "2006/01/02", "2006/1/2", "02.01.2006", "2.1.2006", "01/02/2006", "1/2/2006", "02/01/2006",
		"2/1/2006", "20060102"} {
		for _, clock := range []string{"", " 15:04:05", "T15:04:05", " 15:04", "T15:04", "T15:04:05Z07:00", " 15:04:05Z07:00", "T15:04Z07:00"} {
			all = append(all, goLayout(date+clock))
		}
	}
	for _, text := range []string{"2006-01", "2006/01", "01/2006", "2006M01", "Jan 2006", "January 2006", "Jan-06", "2006"} {
		all = append(all, goLayout(text))
	}
	return append(all, layout{
		parse: func(cell string) (time.Time, error) {
			m := quarter.FindStringSubmatch(cell)
			if m == nil {
				return time.Time{}, fmt.Errorf("no quarter")
			}
			q, _ := strconv.Atoi(m[3])
			return time.Parse("2006-1", fmt.Sprintf("%s-%d", m[1], 3*q-2))
		},
		print: func(t time.Time) string { return fmt.Sprintf("%d-Q%d", t.Year(), (int(t.Month())+2)/3) },
	})
}()

func goLayout(text string) layout {
	return layout{func(cell string) (time.Time, error) { return time.Parse(text, cell) },
		func(t time.Time) string { return t.Format(text) }}
}

// calendar are the features of the time that is forecast.
var calendar = map[string]func(time.Time) float64{
	"hour":    func(t time.Time) float64 { return float64(t.Hour()) + float64(t.Minute())/60 },
	"weekday": func(t time.Time) float64 { return float64((int(t.Weekday())+6)%7 + 1) },
	"yearday": func(t time.Time) float64 { return float64(t.YearDay()) },
	"month":   func(t time.Time) float64 { return float64(t.Month()) },
}

// CalendarNames returns the features of the calendar: hour 0 to 23, weekday 1 (Monday) to 7, yearday 1 to 366, month 1 to 12.
func CalendarNames() []string { return slices.Sorted(maps.Keys(calendar)) }

// CalendarOf returns the features of the calendar that vary with a step and repeat.
func CalendarOf(text string) []string {
	switch s := parseStep(text); {
	case s.seconds > 0 && s.seconds < day:
		return []string{"hour", "weekday"}
	case s.seconds == day:
		return []string{"weekday", "yearday"}
	case s.seconds > 0:
		return []string{"yearday"}
	case s.months < 12:
		return []string{"month"}
	}
	return nil
}
