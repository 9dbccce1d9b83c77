// Package python writes models as one file of Python that needs NumPy alone, for Python from
// version 3.8.
//
// Its function predict takes a mapping from the names of columns to lists, arrays or pandas Series,
// such as a DataFrame. Numbers are int or float, categories str, or numbers whose text is one;
// None, NaN, NA and an empty text are missing values. It returns
//
//   - of one target an array [N];
//   - of several targets a dict of such arrays by target;
//   - of quantiles a dict of them by level;
//   - of classes an array [N] of the most probable class, None for a row without a prediction;
//     predict_proba returns a dict of probabilities by class.
//
// Rows are evaluated in blocks, without warnings and with the memory of a block besides the columns
// and the result. As a program the file is a filter: it reads a table with a header from standard
// input and writes it with the columns that `tskgraph predict` adds.
package python

import (
	_ "embed" // imports.py, predictor.py, main.py
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/model"
)

func init() {
	export.Register(export.Target{Title: "python", Meaning: "a file of Python that needs NumPy alone", File: "model.py", Writing: Write})
}

var (
	//go:embed imports.py
	imports string

	//go:embed predictor.py
	predictor string

	//go:embed main.py
	program string
)

// Write writes a form.
func Write(f *export.Form, _ export.Options) (*export.Result, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# Written by tskgraph %s: predictions of %s by a TSK fuzzy model.\n#\n", buildinfo.Version, escape.Text(f.Target))
	for _, line := range f.Words() {
		b.WriteString(strings.TrimRight("# "+escape.Text(line), " ") + "\n")
	}
	b.WriteString(imports)
	writeColumns(&b, f)
	b.WriteString(functions(f) + predictor)
	writeConstants(&b, f)
	b.WriteString(program)
	return &export.Result{Files: []export.File{{Data: []byte(b.String())}}}, nil
}

// writeColumns writes what describes columns and outputs.
func writeColumns(b *strings.Builder, f *export.Form) {
	b.WriteString("COLUMNS = [\n")
	for _, c := range f.Columns {
		of := fmt.Sprintf(`"min": %s, "max": %s`, number(c.Min), number(c.Max))
		if c.Missing {
			of += `, "missing": True`
		}
		if !c.Numbers() {
			of = `"levels": ` + list(c.Levels, text)
		}
		fmt.Fprintf(b, "    {\"name\": %s, \"unit\": %s, \"encoding\": %q, %s},\n", text(c.Name), text(c.Unit), c.Kind(), of)
	}
	fmt.Fprintf(b, "]\nTARGET, UNIT = %s, %s\nOUTPUTS = %s\n", text(f.Target), text(f.Unit), list(f.Outputs, func(o model.Value) string {
		if o.Level != 0 {
			return number(o.Level)
		}
		return text(o.Name)
	}))
}

// predict is the public function: its type, what it returns, and the value.
const predict = `

def predict(columns: Mapping[str, Any]) -> %s:
    """Predict for rows of a table.

    columns maps the name of each column of COLUMNS to its values [N]: a list, an array or a
    pandas Series; a DataFrame is such a mapping. None, NaN, NA and an empty text are missing
    values.

    Returns %s.

    Raises KeyError if a column is absent, ValueError if columns differ in length, and TypeError
    for values of another kind.
    """
    return %s
`

// added returns the cells that the filter adds to rows.
const added = `

def _added(y):
    return %s
`

const ofClasses = `

def predict_proba(columns: Mapping[str, Any]) -> Dict[str, np.ndarray]:
    """Predict the probabilities [N] of each class; NaN for a row with a number that is infinite or too far away."""
    return dict(zip(OUTPUTS, _predict(columns)))


def _classes(y):
    classes = np.array(OUTPUTS, dtype=object)[y.argmax(axis=0)]
    classes[np.isnan(y[0])] = None
    return classes
`

// functions returns the functions that depend on what is predicted.
func functions(f *export.Form) string {
	of, what, value, cells, more := "np.ndarray", "predictions [N]", "_predict(columns)[0]", "y.T.tolist()", ""
	none := "NaN"
	switch {
	case f.Kind == export.Classes:
		what, value, none, more = "most probable classes [N]", "_classes(_predict(columns))", "None", ofClasses
		cells = "[[name, *p] for name, p in zip(_classes(y), y.T.tolist())]"
	case f.Kind == export.Quantiles:
		of, what, value = "Dict[float, np.ndarray]", "predictions [N] by level", "dict(zip(OUTPUTS, _predict(columns)))"
		if len(model.PredictedColumns(f.Model)) > len(f.Outputs) {
			cells = fmt.Sprintf("y[[%d, *range(len(y))]].T.tolist()", f.Median())
		}
	case len(f.Outputs) > 1:
		of, what, value = "Dict[str, np.ndarray]", "predictions [N] by target", "dict(zip(OUTPUTS, _predict(columns)))"
	}
	what = fmt.Sprintf("the %s; %s for a row with a number that is infinite or too far away", what, none)
	return fmt.Sprintf(predict, of, what, value) + more + fmt.Sprintf(added, cells)
}

// syntax writes formulas of arrays.
var syntax = export.Syntax{
	Let:    "%s = %s",
	Number: func(v float64) string { return "(" + number(v) + ")" },
	Ops: map[export.Op]string{
		export.Min: "np.minimum(%s, %s)", export.Max: "np.maximum(%s, %s)", export.Exp: "np.exp(%s)", export.Log: "np.log(%s)",
		export.Sqrt: "np.sqrt(%s)",
		export.Abs:  "np.abs(%s)", export.Relu: "np.maximum(%s, 0.0)", export.Tanh: "np.tanh(%s)", export.Cos: "np.cos(%s)",
		export.Sigmoid: "_sigmoid(%s)",
	},
}

// formulas are the functions of a model, without repetitions.
type formulas struct {
	b     *strings.Builder
	names map[string]string // by signature and body
}

// name returns the name of a function, which it writes if it is new.
func (f *formulas) name(p *export.Program, signature string, arguments ...string) string {
	lines, result := syntax.Body(p, arguments, "    ")
	text := signature + ":\n" + lines + "    return " + result + "\n"
	name, ok := f.names[text]
	if !ok {
		name = fmt.Sprintf("_formula_%d", len(f.names)+1)
		f.names[text] = name
		fmt.Fprintf(f.b, "\n\ndef %s%s", name, text)
	}
	return name
}

// writeConstants writes the constants, the formulas and the members.
func writeConstants(b *strings.Builder, f *export.Form) {
	fmt.Fprintf(b, "\n\n_MIN_FIRING, _LEAST_LEVEL, _POWER_LIMIT, _MAX_LOG, _FARTHEST = %s, %s, %s, %s, %s\n_ADDED = %s\n",
		number(export.MinFiring), number(export.LeastLevel), number(export.PowerLimit), number(loss.MaxLog), number(export.Farthest),
		list(model.PredictedColumns(f.Model), text))
	fmt.Fprintf(b, "_BLANKS, _MISSING = %s, %s\n", text(export.Blanks), list(export.Missing(), text))
	functions := &formulas{b: b, names: map[string]string{}}
	var members strings.Builder
	for k := range f.Members {
		writeMember(&members, &f.Members[k], functions)
	}
	fmt.Fprintf(b, "\n\n_MEMBERS = [\n%s]\n", members.String())
}

func writeMember(b *strings.Builder, m *export.Member, f *formulas) {
	weight := "None"
	if m.Weight != nil {
		weight = f.name(m.Weight, "(z)", "z")
	}
	logSpace := map[bool]string{false: "False", true: "True"}[m.LogSpace]
	fmt.Fprintf(b, "    _Member(\n        inputs=[\n")
	for _, in := range m.Inputs {
		power := "None"
		if p := in.Power; p != nil {
			power = fmt.Sprintf("(%s, %s, %s)", number(p.Lambda), number(p.Mean), number(p.SD))
		}
		fmt.Fprintf(b, "            (%d, %s, %s, %s, %s, %s),\n", in.Feature, number(in.Mean), number(in.SD), number(in.Missing), power,
			limits(in))
	}
	fmt.Fprintf(b, "        ],\n        components=%s,\n        grade=%s,\n        join=%s,\n        weight=%s,\n        log_space=%s,\n "+
		"       rules=[\n",
		matrix(m.Components), f.name(m.Grade, "(x, p)", m.Arguments()...), f.name(m.Join, "(x, y)", "x", "y"), weight, logSpace)
	for _, rule := range m.Rules {
		fmt.Fprintf(b, "            (%s, %s, %s),\n", list(rule.If, strconv.Itoa), list(rule.Params, array), matrix(rule.Weights))
	}
	var targets [][]float64
	for j, t := range m.Targets {
		targets = append(targets, []float64{t.Mean, t.Scale, m.Low[j], m.High[j]})
	}
	if targets == nil {
		targets = [][]float64{}
	}
	fmt.Fprintf(b, "        ],\n        knots=%s,\n        curves=%s,\n        link=%q,\n        targets=%s,\n        uncovered=%s,\n    ),\n",
		list(m.Knots, array), matrix(m.Curves), m.Link, matrix(targets), array(m.Uncovered))
}

// limits returns the limits of a z-score; None without.
func limits(in export.Input) string {
	if !in.Limited() {
		return "None"
	}
	return "(" + number(in.Low) + ", " + number(in.High) + ")"
}

// matrix returns an array of rows; None for nil.
func matrix(rows [][]float64) string {
	if rows == nil {
		return "None"
	}
	return "np.array(" + list(rows, func(row []float64) string { return list(row, number) }) + ")"
}

// array returns an array.
func array(row []float64) string { return "np.array(" + list(row, number) + ", dtype=float)" }

// list returns a list of items.
func list[T any](items []T, one func(T) string) string { return "[" + export.List(items, one) + "]" }

// number returns the shortest literal of a float.
func number(v float64) string {
	switch {
	case math.IsNaN(v):
		return "np.nan"
	case math.IsInf(v, 0):
		return map[bool]string{false: "np.inf", true: "-np.inf"}[v < 0]
	}
	return export.Decimal(v)
}

// text returns a literal of a text. The escapes of Go are Python's for text that is valid UTF-8.
func text(s string) string { return strconv.Quote(strings.ToValidUTF8(s, "\uFFFD")) }
