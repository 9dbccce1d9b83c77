package workbench

import (
	"maps"
	"slices"

	"github.com/tskgraph/tskgraph/internal/config"
	format "github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/rules"
)

// ofColumns are the parts of values by key and column, over those of config.Init; an empty text removes one.
type ofColumns map[string]map[string]value

// besides are the keys that name a column which is no feature.
var besides = []string{"data.group", "data.time", "data.offset", "data.weight"}

// noFeatures returns the columns that are left out, and with them those that are chosen for something else.
func (s settings) noFeatures() *[]string {
	if s.LeaveOut == nil {
		return nil
	}
	names := slices.Clone(*s.LeaveOut)
	for _, key := range besides {
		if name := string(s.Set[key]); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return &names
}

// pairs returns the values of the keys of which the page has set parts. Columns that a key needs are not left out, nor categories; where
// only marks that the page has set make cells missing, they are read as config.Init reads them.
func (o ofColumns) pairs(p *plan, set map[string]value) (all []config.Pair, err error) {
	if len(o) == 0 && !slices.ContainsFunc(besides, func(key string) bool { return set[key] != "" }) {
		return nil, nil
	}
	c, err := p.load()
	if err != nil {
		return nil, err
	}
	parts := map[string]map[string]string{"data.categorical": {}}
	for key, columns := range o {
		parts[key] = map[string]string{}
		for column, v := range columns {
			parts[key][column] = string(v)
		}
	}
	ignore := slices.Clone(c.Data.Ignore)
	for _, key := range besides {
		if name := string(set[key]); name != "" {
			ignore = slices.DeleteFunc(ignore, func(column string) bool { return column == name })
			parts["data.categorical"][name] = ""
		}
	}
	if len(ignore) < len(c.Data.Ignore) {
		all = append(all, config.Pair{Key: "data.ignore", Value: inYAML(ignore)})
	}
	for _, key := range slices.Sorted(maps.Keys(parts)) {
		if len(parts[key]) == 0 {
			continue
		}
		one, err := c.With(key, parts[key])
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	if len(parts["data.na"]) > 0 && c.Data.Missing == format.MissingError && set["data.missing"] == "" {
		missing := format.MissingOwn
		if c.Preset == recipe.Paper().Preset {
			missing = format.MissingMean
		}
		all = append(all, config.Pair{Key: "data.missing", Value: missing})
	}
	return all, nil
}

// The types of a column, as the page names them.
const (
	asNumber   = "number"
	asCategory = "category"
	asOrdered  = "ordered" // levels in an order that is given
	asRanked   = "ranked"  // levels in the order of the mean target
	asGroup    = "group"   // rows of equal cells stay in one part
	asTime     = "time"
	asExposure = "exposure"
	asWeight   = "weight"
	unused     = "unused"
)

// noFeature are the types of columns that are used, but are no features.
var noFeature = []string{asGroup, asTime, asExposure, asWeight}

// typed says how the configuration reads a column, and how it can read it.
func (c *column) typed(p config.Column, m *config.Config, times bool) {
	coding, coded := m.Data.Categorical[p.Name]
	switch name := p.Name; {
	case m.Data.Group == name:
		c.Type = asGroup
	case m.Data.Offset.Column == name:
		c.Type = asExposure
	case m.Data.Weight == name:
		c.Type = asWeight
	case m.Data.Time != nil && m.Data.Time.Time == name:
		c.Type = asTime
	case p.Ignored || slices.Contains(m.Data.Ignore, name):
		c.Type = unused
	case coded && len(coding.Levels) > 0 || coding.Encoding == format.Ordinal:
		c.Type, c.Order = asOrdered, coding.Levels
	case coding.Encoding == format.Ranked:
		c.Type = asRanked
	case coded && coding.Encoding == format.OneHot || !p.OfNumbers():
		c.Type = asCategory
	default:
		c.Type = asNumber
	}
	if p.OfNumbers() {
		c.Types = append(c.Types, asNumber)
	}
	if p.Distinct > 1 && p.Distinct <= format.MaxFoundLevels {
		c.Types = append(c.Types, asCategory, asOrdered)
	}
	if p.Distinct > 2 && len(m.Data.Others) == 0 {
		c.Types = append(c.Types, asRanked)
	}
	if p.Distinct > 1 {
		c.Types = append(c.Types, asGroup)
	}
	if times {
		c.Types = append(c.Types, asTime)
	}
	if p.OfNumbers() && p.Low.Value > 0 {
		c.Types = append(c.Types, asExposure)
	}
	if p.OfNumbers() && p.Low.Value >= 0 {
		c.Types = append(c.Types, asWeight)
	}
	if c.Types = append(c.Types, unused); !slices.Contains(c.Types, c.Type) {
		c.Types = append(c.Types, c.Type)
	}
	role, has := m.Recipe.Model.Roles[p.Name]
	if c.Role = map[rules.Keep]string{rules.KeepIf: "if", rules.KeepThen: "then"}[rules.Keep(role)]; !has {
		c.Role = ""
	}
	for _, direction := range m.Recipe.Model.Monotone[p.Name] {
		text, _ := direction.MarshalText() // a configuration has valid directions
		c.Direction = string(text)
	}
	c.NA = slices.Concat(m.Data.NA[p.Name], m.Data.NA["*"])
}
