package page

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/describe"
	"github.com/tskgraph/tskgraph/model"
)

// embedded is a model in the form that the page's script reads.
type embedded struct {
	ImputeMeans bool       `json:"imputeMeans"`
	Members     []member   `json:"members"` // of a committee; one for a single model
	Intervals   []interval `json:"intervals,omitempty"`
}

// member is a model of one rulebase.
type member struct {
	Shape      int         `json:"shape"` // index into the page's shapes
	Scalings   []scaling   `json:"scalings"`
	Components [][]float64 `json:"components,omitempty"` // [K][M] loadings
	Inputs     []input     `json:"inputs"`               // of the rules
	Targets    []target    `json:"targets"`              // [C]
	Shares     []float64   `json:"shares"`               // [R], see model.RuleSummary
	Mentions   [][]int     `json:"mentions"`             // [R] inputs in the rule's IF part; functions of the others are flat

	Antecedents floats `json:"antecedents"` // parameters of the functions of these inputs, in order
	Consequents floats `json:"consequents"` // [R*C*(M+1)], bias first
	Parameters  int    `json:"parameters"`  // of a membership function

	Knots  [][]float64        `json:"knots,omitempty"`  // [M], see rules.RuleBase
	Curves []floats           `json:"curves,omitempty"` // [C or C R][Q]
	Common [][]describedCurve `json:"common,omitempty"` // [C] what the rules' curves have in common
}

// describedCurve is a describe.CommonCurve in the form that the page's script reads.
type describedCurve struct {
	Input int       `json:"input"` // of the rules
	X     []float64 `json:"x"`
	Y     []float64 `json:"y"`
	Total []float64 `json:"total"` // with the mean slope of the rules
}

// scaling converts a feature to its z-score and to the input of antecedents.
type scaling struct {
	Feature int          `json:"feature"` // index in the schema
	Mean    float64      `json:"mean"`
	SD      float64      `json:"sd"`
	Power   *model.Power `json:"power,omitempty"`
}

// input is an input of the rules: a feature or a component.
type input struct {
	Name      string     `json:"name"`
	Feature   int        `json:"feature"` // -1 for a component
	Min       float64    `json:"min"`
	Max       float64    `json:"max"`
	Histogram *histogram `json:"histogram,omitempty"` // of a component
}

// target is a model.Target in the form that the page's script reads.
type target struct {
	Mean  float64  `json:"mean"`
	Scale float64  `json:"scale"`
	Low   *float64 `json:"low"` // of predictions; null: no limit
	High  *float64 `json:"high"`
}

// interval is the half-width of the prediction interval of a level.
type interval struct {
	Level float64 `json:"level"`
	Half  float64 `json:"half"`
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

// levels are the levels of the prediction intervals that the page offers.
var levels = []float64{0.5, 0.8, 0.9, 0.95, 0.99}

// embedModel returns the model, and its shapes in JavaScript. x are the samples for the
// histograms of components.
func embedModel(m *model.Model, x [][]float64) (embedded, []string, error) {
	e := embedded{ImputeMeans: m.ImputeMeans}
	for _, level := range levels {
		if m.Response != nil {
			break // the interval of a level is that of one target
		}
		if half, err := m.HalfWidth(level); err == nil {
			e.Intervals = append(e.Intervals, interval{level, half})
		}
	}
	members := m.Members
	if !m.Committee() {
		members = []*model.Model{m}
	}
	var shapes []string
	for _, one := range members {
		s := shapeScript(one.RuleBase)
		at := slices.Index(shapes, s)
		if at < 0 {
			at, shapes = len(shapes), append(shapes, s)
		}
		em, err := embedMember(one, at, x)
		if err != nil {
			return e, nil, err
		}
		e.Members = append(e.Members, em)
	}
	return e, shapes, nil
}

// embedMember embeds a model of one rulebase. x are the samples for the histograms of its
// components.
func embedMember(m *model.Model, shape int, x [][]float64) (member, error) {
	rb := m.RuleBase
	e := member{Shape: shape, Parameters: len(rb.Antecedents)}
	for c := range m.OutputCount() {
		t := m.Target
		if m.Response != nil && m.Response.Targets != nil {
			t = m.Response.Targets[c]
		}
		low, high := t.Limits()
		e.Targets = append(e.Targets, target{t.Mean, t.Scaling(), limit(low), limit(high)})
	}
	for i, f := range m.Features {
		if !f.Constant {
			e.Scalings = append(e.Scalings, scaling{i, f.Mean, f.SD, f.Power})
		}
	}
	for i, f := range m.Inputs() {
		in := input{Name: f.Name, Feature: -1, Min: f.Min, Max: f.Max}
		if m.Components == nil {
			in.Feature = e.Scalings[i].Feature
		}
		e.Inputs = append(e.Inputs, in)
	}
	if m.Components != nil {
		scaled, err := m.Scale(x)
		if err != nil {
			return e, err
		}
		for k, c := range m.Components {
			e.Components = append(e.Components, c.Loadings)
			e.Inputs[k].Histogram = newHistogram(column(scaled, k), c.Min, c.Max)
		}
	}
	for _, r := range m.Rules {
		e.Shares = append(e.Shares, r.Share)
	}
	p := make([]float64, e.Parameters)
	for r, w := range rb.Consequents {
		mentions := []int{}
		for i := range rb.Features() {
			if !rb.IsFlat(r, i) {
				mentions = append(mentions, i)
				e.Antecedents = append(e.Antecedents, rb.Function(p, r, i)...)
			}
		}
		e.Mentions = append(e.Mentions, mentions)
		e.Consequents = append(e.Consequents, w...)
	}
	e.embedCurves(m)
	return e, nil
}

// embedCurves embeds the curves of the rules, if they have any.
func (e *member) embedCurves(m *model.Model) {
	for _, values := range m.RuleBase.Curves {
		e.Curves = append(e.Curves, values)
	}
	for _, k := range m.RuleBase.Knots {
		e.Knots = append(e.Knots, append([]float64{}, k...)) // an empty list, not null
	}
	if m.RuleBase.Curves == nil {
		return
	}
	for c := range m.OutputCount() {
		var common []describedCurve
		if curves := describe.Model(m.Output(c)).Curves; curves != nil {
			for _, c := range curves.Of {
				common = append(common, describedCurve{c.Input, c.X, c.Y, c.Total()})
			}
		}
		e.Common = append(e.Common, common)
	}
}

// limit returns a limit of predictions; nil if there is none.
func limit(v float64) *float64 {
	if math.IsInf(v, 0) {
		return nil
	}
	return &v
}
