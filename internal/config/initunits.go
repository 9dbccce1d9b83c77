package config

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// patterns match names of columns.
type patterns struct {
	bracketed *regexp.Regexp // a name that ends in brackets, such as Length (mm) and temp[°C]

	// units of the SI with their prefixes, and common ones, also in products and quotients: what is in brackets. What also abbreviates
	// something else there, such as min, in and N, is none, nor is the s of item(s).
	unit *regexp.Regexp

	unitEnd *regexp.Regexp // a name that ends in a unit that is no word and no other abbreviation, such as weight_kg

	// names such as log_weight (kg), and those such as price_per_kg: they do not end in their unit
	scaled, perUnit *regexp.Regexp
}

// namePatterns are compiled when they are first used: most commands do without them.
var namePatterns = sync.OnceValue(func() (p patterns) {
	p.bracketed = regexp.MustCompile(`^(.*\S)(\s*)[(\[]\s*([^()\[\]]+?)\s*[)\]]$`)
	p.unit = regexp.MustCompile(`^(?:` + unitWord + `|1/(?:min|` + unitWord + `))(?:[/·*. ](?:min|` + unitWord + `))*$`)
	p.unitEnd = regexp.MustCompile(`^.+[_ ](kg|mg|µg|μg|mm|cm|km|kWh?|MWh?|hPa|kPa|MPa|kHz|MHz|GHz|mph|rpm|ppm|ppb|psi|degC|degF|°C|°F)$`)
	p.scaled = regexp.MustCompile(`(?i)(?:^|[_ .(])(?:log(?:2|10)?|ln|sqrt|squared?|rank|scaled|normali[sz]ed)[_ .(\[]`)
	p.perUnit = regexp.MustCompile(`(?i)[_ ]per[_ ]`)
	return p
})

const unitWord = `(?:[numµμkcdhMGT]?(?:m|g|s|l|L|Pa|W|Wh|J|V|Hz|bar|mol|cal|Ω|lx|lm|cd)|[mkµμ]A|kN|Nm|` +
	`%|‰|°|° ?[CF]|deg ?[CF]?|degrees|rad|h|hr|hrs|hours?|days?|weeks?|months?|years?|yrs?|seconds?|minutes?|` +
	`ft|inch|inches|mi|miles|yd|lbs?|oz|ha|gal|ppm|ppb|dB|psi|mmHg|rpm|mph|kmh|hp|€|\$|£|EUR|USD|GBP|CHF)(?:\^?-?[1-9]|[²³])?`

// chooseUnits takes units from the names of the columns of numbers that are used; those given hold, of which an empty one is none. Where
// the brackets of one column say something else, as in temp (min) and temp (max), those of others of the same name are no units.
func (s *starter) chooseUnits(given map[string]string) {
	names := namePatterns()
	units, told := map[string]string{}, map[string]bool{}
	for _, p := range s.survey.Columns {
		if m := names.bracketed.FindStringSubmatch(p.Name); m != nil && !names.unit.MatchString(m[3]) {
			told[m[1]] = true
		}
	}
	columns, _ := s.used()
	for _, p := range columns {
		classes := s.config.Data.Task == "classification" && p.Name == s.config.Data.Target
		if !numeric(p) || classes || names.scaled.MatchString(p.Name) || s.config.Data.Categorical[p.Name].Encoding != "" {
			continue
		}
		if m := names.bracketed.FindStringSubmatch(p.Name); m != nil && names.unit.MatchString(m[3]) && !told[m[1]] && m[2]+m[3] != "s" {
			units[p.Name] = m[3]
		} else if m := names.unitEnd.FindStringSubmatch(p.Name); m != nil && !names.perUnit.MatchString(p.Name) {
			units[p.Name] = m[1]
		}
	}
	named := slices.Sorted(maps.Keys(units))
	named = slices.DeleteFunc(named, func(name string) bool { _, is := given[name]; return is })
	maps.Copy(units, given)
	maps.DeleteFunc(units, func(_, unit string) bool { return strings.TrimSpace(unit) == "" })
	if len(units) == 0 {
		return
	}
	s.config.Data.Units = units
	s.remark("data.units", remark{set: true})
	if len(named) > 0 {
		s.note("units from the names of columns (data.units): %s", escape.List(named))
	}
}
