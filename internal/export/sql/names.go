package sql

import (
	"strings"

	"github.com/tskgraph/tskgraph/internal/export"
)

// identifier quotes the name of a column.
func identifier(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// text quotes a text.
func text(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// tableName quotes the name of a table. A period separates it from its schema, unless it stands
// within double quotes, of which two stand for one.
func tableName(name string) (string, error) {
	var parts []string
	part, quoted := "", false
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '"' && quoted && strings.HasPrefix(name[i+1:], `"`):
			part += `"`
			i++
		case c == '"':
			quoted = !quoted
		case c == '.' && !quoted:
			parts, part = append(parts, part), ""
		default:
			part += string(c)
		}
	}
	parts = append(parts, part)
	for i, p := range parts {
		if p == "" || quoted {
			return "", &export.OptionError{Option: export.OptionTable, Message: "want the name of a table, or SCHEMA.TABLE; a name with a period stands in double quotes"}
		}
		parts[i] = identifier(p)
	}
	return strings.Join(parts, "."), nil
}

// results returns the names of the columns of outputs in the result, after that of the prediction,
// which only several targets do not have.
func results(f *export.Form) []string {
	var all []string
	for _, o := range f.Outputs {
		name := "prediction"
		switch {
		case f.Kind == export.Classes:
			name = "probability_" + o.Name
		case f.Kind == export.Quantiles && len(f.Outputs) > 1:
			name = "prediction_q" + strings.TrimSuffix(literal(o.Level), "e0")
		case len(f.Outputs) > 1:
			name = "prediction_" + o.Name
		}
		all = append(all, name)
	}
	return all
}

// stagePrefix returns a prefix of names of stages that is none of the table's name, which a
// stage of that name would hide.
func stagePrefix(table string) string {
	prefix := "tsk_"
	for strings.Contains(strings.ToLower(table), prefix) {
		prefix += "_"
	}
	return prefix
}
