package certify

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/model"
)

// narrow rounds all numbers to 32 bits.
func narrow(v reflect.Value) {
	switch v.Kind() {
	case reflect.Float64:
		v.SetFloat(float64(float32(v.Float())))
	case reflect.Slice:
		for i := range v.Len() {
			narrow(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			narrow(v.Field(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			narrow(v.Elem())
		}
	}
}

// narrowed returns the form of a model with numbers of 32 bits.
func narrowed(t *testing.T, m *model.Model) *export.Form {
	t.Helper()
	var file bytes.Buffer
	testenv.OK(t, m.Encode(&file))
	f := export.Single(testenv.Must(export.New(testenv.Must(model.Decode(&file)))))
	narrow(reflect.ValueOf(f.Members))
	return f
}

// holdRounding compares claims about errors with the predictions of the model, of its form in another order of sums, and of the form whose
// numbers are rounded to 32 bits.
func (s *space) holdRounding(t *testing.T, c *Certificate, batch, y [][]float64) {
	t.Helper()
	single := narrowed(t, s.model)
	var claims []Claim
	for _, claim := range c.Claims {
		if claim.Kind == Rounding && claim.Status == Proved {
			claims = append(claims, claim)
		}
	}
	for n, row := range batch[:min(len(batch), testenv.CaseNumber(100, 200, 2000))] {
		features := s.form.Encode(s.cells(row))
		wide, rounded := s.form.Predict(features), slices.Clone(features)
		for i, v := range rounded {
			rounded[i] = float64(float32(v))
		}
		short := single.Predict(rounded)
		for _, claim := range claims {
			j, other := s.output(claim.Output), short
			most := *claim.High + float64(1e-9*(1+math.Abs(y[n][j]))) // what 64 bits may be off
			if claim.Bits == 64 {
				other, most = wide, 2**claim.High
			} else if s.nearStep(row) {
				continue
			}
			if off := math.Abs(other[j] - y[n][j]); off > most {
				t.Fatalf("%s: %v is predicted as %v and %v, %v apart", claim, s.cells(row), y[n][j], other[j], off)
			}
		}
	}
}

// nearStep reports whether a row is so near to a step that numbers of 32 bits may be on its other side.
func (s *space) nearStep(row []float64) bool {
	for c, steps := range s.steps {
		for _, at := range steps {
			if math.Abs(row[c]-at) <= 1e-5*(math.Abs(at)+1) {
				return true
			}
		}
	}
	return false
}

// TestRounding: bounds are below what is worth to be said, and above what numbers of 32 bits do.
func TestRounding(t *testing.T) {
	for _, of := range []exporttest.Case{
		{Shape: "ramp", Response: "number", Page: true},
		{Shape: "gaussian", Response: "quantiles", Curves: "own", Committee: true},
		{Shape: "triangular", Response: "targets", TNorm: "lukasiewicz"},
	} {
		c := decoded(t, certificateOf(t, of))
		for _, claim := range c.Claims {
			if most := map[int]float64{64: 1e-7, 32: 20}[claim.Bits]; claim.Kind == Rounding && !(claim.Status == Proved && *claim.High < most) {
				t.Errorf("%s: %s: %s", of.Name(), claim, claim.State())
			}
		}
	}
}

// TestUnderflow: where a level underflows in numbers of 32 bits, and no rule fires then, no bound is proved.
func TestUnderflow(t *testing.T) {
	m := exporttest.Case{Shape: "dsigmoid", Response: "number"}.Model(t)
	rb := m.RuleBase
	rb.Consequents = rb.Consequents[:1]
	m.Rules = m.Rules[:1]
	for j, p := range rb.Shape.Params() {
		rb.Antecedents[j] = rb.Antecedents[j][:1]
		rb.Antecedents[j][0][0] = map[string]float64{"a1": 3, "a2": 3, "c1": 50, "c2": 60}[p.Name]
	}
	for i := range rb.Antecedents[0][0][1:] {
		rb.Flatten(0, i+1)
	}
	for _, claim := range proved(t, m, 1).Claims {
		if claim.Kind == Rounding && claim.Status != Open {
			t.Error(claim)
		}
	}
}

// TestEqualRules: predictions of rules that say the same are equal up to rounding, which refutes no direction.
func TestEqualRules(t *testing.T) {
	m := exporttest.Case{Shape: "trapezoid", Response: "number"}.Model(t)
	for _, formula := range m.RuleBase.Consequents {
		clear(formula)
		formula[0] = 0.7
	}
	c := proved(t, m, 4)
	for _, claim := range c.Claims {
		if claim.Kind == Monotone && claim.Status != Proved {
			t.Errorf("%s: %s", claim, claim.State())
		}
	}
	if holds, said := newChecker(t).check(t, m, c); !holds {
		t.Error(said)
	}
}

// TestFlat: conditions that hold everywhere, whose borders are 1e200 away, add no error in either checker.
func TestFlat(t *testing.T) {
	m := exporttest.Case{Shape: "dsigmoid", Response: "classes", Transform: true}.Model(t)
	if holds, said := newChecker(t).check(t, m, proved(t, m, 12)); !holds {
		t.Error(said)
	}
}
