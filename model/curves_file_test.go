package model

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// smallCurved returns small with curves, shared by both rules or own of each.
func smallCurved(own bool) *Model {
	m := small()
	rules.AddCurves(m.RuleBase, [][]float64{{-1, 0, 1.5}}, own)
	for c, values := range m.RuleBase.Curves {
		copy(values, []float64{0.1 + float64(c), -1, 1.0 / 3})
	}
	return m
}

// randomCurved returns a model of [random] with curves over the inputs of more than two values.
func randomCurved(t *testing.T, shape membership.Function, own bool) (*Model, [][]float64) {
	t.Helper()
	m, x := random(t, shape, 7)
	scaled, err := m.Scale(x)
	if err != nil {
		t.Fatal(err)
	}
	rules.AddCurves(m.RuleBase, rules.PlaceKnots(scaled, nil, 8), own)
	for c, values := range m.RuleBase.Curves {
		for q := range values {
			values[q] = 1 / float64(3+c+7*q)
		}
	}
	return m, x
}

// TestCurvesInFiles: a model with curves is read back to the bit, from a file of version 3.
func TestCurvesInFiles(t *testing.T) {
	for _, own := range []bool{false, true} {
		m, x := randomCurved(t, membership.Gaussian{}, own)
		file := encode(t, m)
		var e envelope
		if err := json.Unmarshal(file, &e); err != nil || e.Version != 3 {
			t.Errorf("own %v: version %d, %v", own, e.Version, err)
		}
		again := decode(t, file)
		if !reflect.DeepEqual(m.RuleBase.Curves, again.RuleBase.Curves) || !sameBits(predict(t, m, x).Values, predict(t, again, x).Values) {
			t.Errorf("own %v: the file gives another model", own)
		}
		if !bytes.Equal(file, encode(t, again)) {
			t.Errorf("own %v: encoded differently from what was read", own)
		}
		if none := m.RuleBase.Knots[0]; len(none) != 0 || len(again.RuleBase.Knots[0]) != 0 {
			t.Errorf("own %v: an indicator has the knots %v, read back %v", own, none, again.RuleBase.Knots[0])
		}
	}
}

// TestCommitteeOfCurves: members with and without curves make a file of version 3.
func TestCommitteeOfCurves(t *testing.T) {
	plain, curved := small(), smallCurved(true)
	m, err := NewCommittee(plain.Preprocessing, []*Model{plain, curved}, plain.Training)
	if err != nil {
		t.Fatal(err)
	}
	again := decode(t, encode(t, m))
	if x := [][]float64{{9}, {12}}; !sameBits(predict(t, m, x).Values, predict(t, again, x).Values) {
		t.Error("the file gives another committee")
	}
	refused(t, "older version", sealAs(t, 2, tree(t, m)), "version is 2, but the content is of version 3")
	content := tree(t, m)
	put(t, content, "curves", json.RawMessage("[[0,0,0]]"))
	refused(t, "curves of a committee", sealAs(t, 3, content), "a committee has no rules of its own")
}

func TestDecodeRefusesCurves(t *testing.T) {
	refused(t, "no curves", sealAs(t, 3, tree(t, small())), "version is 3, but the content is of version 1")
	refused(t, "older version", sealAs(t, 1, tree(t, smallCurved(false))), "version is 1, but the content is of version 3")
	for _, c := range []struct {
		path, text, want string
	}{
		{"knots", `[[0,-1,1]]`, "knots[m=0]: -1 after 0: must increase"},
		{"knots", `[[0,0,1]]`, "knots[m=0]: 0 after 0: must increase"},
		{"knots", `[[-1.5e308,0,1.5e308]]`, ""},
		{"knots", `[[-1.5e308,1.5e308,1.6e308]]`, "must increase"},
		{"knots", `[[-1,0,1e999]]`, "1e999"},
		{"knots", `[[-1,0]]`, "knots[m=0]: 2; want at least 3"},
		{"knots", `[[]]`, "curves[0]: 3 values; there are 0 knots"},
		{"knots", `[]`, "knots of 0 features; there are 1"},
		{"knots", `[[-1,0,1],[-1,0,1]]`, "knots of 2 features; there are 1"},
		{"knots", `[null]`, "knots[0] is null"},
		{"knots", `[["NaN",0,1]]`, "knots[0][0] is a text, want a number"},
		{"knots", `{}`, "knots is an object, want a list"},
		{"knots", `[[-1,0,1,2]]`, "curves[0]: 3 values; there are 4 knots"},
		{"curves", `[]`, "curves: 0 rows; want 1 or 2"},
		{"curves", `[[0,0,0],[0,0,0],[0,0,0]]`, "curves: 3 rows; want 1 or 2"},
		{"curves", `[[0,0,0],[0,0]]`, "curves[1]: 2 values; there are 3 knots"},
		{"curves", `[["NaN",0,0]]`, "curves[0][0] is a text, want a number"},
		{"curves", `null`, "curves is null"},
	} {
		content := tree(t, smallCurved(false))
		put(t, content, c.path, json.RawMessage(c.text))
		if file := sealAs(t, 3, content); c.want == "" {
			decode(t, file)
		} else {
			refused(t, c.path+" "+c.text, file, c.want)
		}
	}
	for path, want := range map[string]string{"knots": "knots of 0 features; there are 1", "curves": "version is 3, but the content is of version 1"} {
		content := tree(t, smallCurved(true))
		put(t, content, path, remove{})
		refused(t, "no "+path, sealAs(t, 3, content), want)
	}
}

// TestExplainCurves: the parts of an explanation sum to the prediction to the bit, and what
// rules say is what [Model.Predict] weighs.
func TestExplainCurves(t *testing.T) {
	shapes(t, func(t *testing.T, shape membership.Function) {
		for _, own := range []bool{false, true} {
			m, x := randomCurved(t, shape, own)
			for n, want := range predict(t, m, x).Values {
				e, err := m.Explain(x[n])
				if err != nil {
					t.Fatal(err)
				}
				sum := e.Mean
				for _, r := range e.Rules {
					sum += r.Contribution
				}
				sum += e.Limit
				for _, v := range e.Rounding {
					sum += v
				}
				if e.Prediction != want || sum != want {
					t.Errorf("own %v, sample %d: predicted %v, explained %v as a sum of %v", own, n, want, e.Prediction, sum)
				}
			}
		}
	})
}
