package js

import (
	"bytes"
	_ "embed" // evaluate.js
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// Model is a predictor as JSON that the evaluator reads.
type Model struct {
	Members []Member `json:"members"` // of a committee; one for a single model

	shapes []string
}

// Member is an [export.Member] as JSON.
type Member struct {
	Shape      int         `json:"shape"`                // index into the constant shapes of the evaluator
	Scalings   []Scaling   `json:"scalings"`             // [M]
	Components [][]float64 `json:"components,omitempty"` // [K][M] loadings

	Mentions    [][]int `json:"mentions"`    // [R] inputs in the rule's IF part; those left out always hold
	Antecedents floats  `json:"antecedents"` // parameters of the functions of these inputs, in order
	Parameters  int     `json:"parameters"`  // of a membership function
	Consequents floats  `json:"consequents"` // [R*C*(M+1)], bias first
	Outputs     int     `json:"outputs"`     // C

	Knots  [][]float64 `json:"knots,omitempty"`  // [M], see rules.RuleBase
	Curves []floats    `json:"curves,omitempty"` // [C or C R][Q]

	Link      string    `json:"link"`
	Targets   []Scale   `json:"targets,omitempty"` // [J]; none of classes
	Uncovered []float64 `json:"uncovered"`         // [J]
}

// Scaling converts a feature to its z-score and to the input of antecedents.
type Scaling struct {
	Feature int          `json:"feature"` // index in a row
	Mean    float64      `json:"mean"`
	SD      float64      `json:"sd"`
	Missing float64      `json:"missing"` // z-score of a missing value
	Power   *model.Power `json:"power,omitempty"`
	Low     *float64     `json:"low,omitempty"` // limits of the z-score
	High    *float64     `json:"high,omitempty"`
}

// Scale converts an output of the rules to a target within limits.
type Scale struct {
	Mean  float64  `json:"mean"`
	Scale float64  `json:"scale"`
	Low   *float64 `json:"low"` // null: no limit
	High  *float64 `json:"high"`
}

// floats are written as the base64 of their little-endian bits: exact, and half the size of
// decimals.
type floats []float64

func (f floats) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, []float64(f)); err != nil {
		return nil, err
	}
	return json.Marshal(base64.StdEncoding.EncodeToString(b.Bytes()))
}

// NewModel returns the JSON of a form. Rows have the features of the form.
func NewModel(f *export.Form) *Model {
	m := &Model{}
	for k := range f.Members {
		s := shape(&f.Members[k])
		at := slices.Index(m.shapes, s)
		if at < 0 {
			at, m.shapes = len(m.shapes), append(m.shapes, s)
		}
		m.Members = append(m.Members, newMember(&f.Members[k], at))
	}
	return m
}

// newMember converts a member whose shape has an index.
func newMember(e *export.Member, shape int) Member {
	m := Member{Shape: shape, Components: e.Components, Parameters: e.Parameters, Outputs: e.Outputs, Link: e.Link, Uncovered: e.Uncovered}
	for _, in := range e.Inputs {
		m.Scalings = append(m.Scalings, Scaling{in.Feature, in.Mean, in.SD, in.Missing, in.Power, limit(in.Low), limit(in.High)})
	}
	for _, rule := range e.Rules {
		m.Mentions = append(m.Mentions, append([]int{}, rule.If...)) // an empty list, not null
		m.Antecedents = append(m.Antecedents, slices.Concat(rule.Params...)...)
		m.Consequents = append(m.Consequents, slices.Concat(rule.Weights...)...)
	}
	for _, k := range e.Knots {
		m.Knots = append(m.Knots, append([]float64{}, k...))
	}
	for _, values := range e.Curves {
		m.Curves = append(m.Curves, values)
	}
	for j, t := range e.Targets {
		m.Targets = append(m.Targets, Scale{t.Mean, t.Scale, limit(e.Low[j]), limit(e.High[j])})
	}
	return m
}

// limit returns a limit of predictions; nil if there is none.
func limit(v float64) *float64 {
	if math.IsInf(v, 0) {
		return nil
	}
	return &v
}

//go:embed evaluate.js
var evaluator string

// Evaluator returns the functions in JavaScript that load a model and predict. The text of all
// models differs in the constant shapes only.
func (m *Model) Evaluator() string {
	number := export.Shortest
	return fmt.Sprintf("const shapes = [\n%s\n];\nconst limits = { firing: %s, level: %s, power: %s, log: %s, far: %s };\n\n%s",
		strings.Join(m.shapes, ",\n"),
		number(export.MinFiring), number(export.LeastLevel), number(export.PowerLimit), number(loss.MaxLog), number(export.Farthest), evaluator)
}

// syntax writes formulas in JavaScript, a constant for each operation.
var syntax = export.Syntax{
	Let:    "const %s = %s;",
	Number: func(v float64) string { return "(" + export.Shortest(v) + ")" },
	Ops: map[export.Op]string{
		export.Min: "Math.min(%s, %s)", export.Max: "Math.max(%s, %s)", export.Exp: "Math.exp(%s)", export.Log: "Math.log(%s)",
		export.Sqrt: "Math.sqrt(%s)",
		export.Abs:  "Math.abs(%s)", export.Relu: "Math.max(%s, 0)", export.Tanh: "Math.tanh(%s)", export.Cos: "Math.cos(%s)",
		export.Sigmoid: "(%[1]s < 0 ? Math.exp(%[1]s) : 1) / (1 + Math.exp(-Math.abs(%[1]s)))", // accurate on both sides of zero
	},
}

// shape returns the formulas of a member as a JavaScript object: grade, a function of x and the
// parameters p; log, its logarithm, or null if firing levels are not logarithms; join, the t-norm
// of two grades, and joinLogs, of logarithms; and weight, the logarithm of the weight of a rule
// by that of its firing level, or null if they are equal.
func shape(m *export.Member) string {
	grade, join, log, joinLogs, weight := m.Grade, m.Join, "null", "null", "null"
	ofGrade := func(p *export.Program) string { return script(p, "(x, p)", m.Arguments()...) }
	if m.LogSpace {
		log, joinLogs = ofGrade(m.Grade), script(m.Join, "(x, y)", "x", "y")
		grade = export.Record(1+m.Parameters, func(b membership.Builder,
			a []membership.Term) membership.Term {
			return m.Shape.Expr(b, a[0], a[1:])
		})
		join = export.Record(2, func(b membership.Builder, a []membership.Term) membership.Term { return tnorm(m).Expr(b, a[0], a[1]) })
	}
	if m.Weight != nil {
		weight = script(m.Weight, "(z)", "z")
	}
	return fmt.Sprintf("{\n  grade: %s,\n  log: %s,\n  join: %s,\n  joinLogs: %s,\n  weight: %s,\n}", ofGrade(grade), log,
		script(join, "(x, y)", "x", "y"), joinLogs, weight)
}

// tnorm returns the t-norm of a member.
func tnorm(m *export.Member) inference.TNorm {
	norm, err := inference.LookupTNorm(m.TNorm)
	if err != nil {
		panic(err) // the form names a t-norm that is registered
	}
	return norm
}

// script returns a formula as a JavaScript function.
func script(p *export.Program, signature string, arguments ...string) string {
	lines, result := syntax.Body(p, arguments, "    ")
	return fmt.Sprintf("%s => {\n%s    return %s;\n  }", signature, lines, result)
}
