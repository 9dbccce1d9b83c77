package model

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
)

// TestInferenceInFiles: a model with another t-norm or defuzzification is read back to the bit,
// from a file of version 4, also as a member of a committee; the paper's leave no trace.
func TestInferenceInFiles(t *testing.T) {
	for _, norm := range inference.TNorms() {
		for _, by := range inference.Defuzzifications() {
			m, x := random(t, membership.Gaussian{}, 7)
			file := encode(t, m)
			m.RuleBase.TNorm, m.RuleBase.Defuzzification = norm, by
			if norm == (inference.Product{}) && by == (inference.TSK{}) {
				if !bytes.Equal(file, encode(t, m)) {
					t.Error("the file of a model with the paper's t-norm and defuzzification changes")
				}
				continue
			}
			file = encode(t, m)
			again := decode(t, file)
			if versionOf(t, file) != 4 || !sameBits(predict(t, m, x).Values, predict(t, again, x).Values) || !bytes.Equal(file, encode(t, again)) {
				t.Errorf("%s, %s: version %d, or another model", norm.Name(), by.Name(), versionOf(t, file))
			}
			committee, err := NewCommittee(m.Preprocessing, []*Model{m, m}, m.Training)
			if err != nil {
				t.Fatal(err)
			}
			if v := versionOf(t, encode(t, committee)); v != 4 {
				t.Errorf("a committee has version %d", v)
			}
		}
	}
}

func versionOf(t *testing.T, file []byte) int {
	t.Helper()
	var e envelope
	if err := json.Unmarshal(file, &e); err != nil {
		t.Fatal(err)
	}
	return e.Version
}

// TestWrongInferenceInFiles: unknown names are refused.
func TestWrongInferenceInFiles(t *testing.T) {
	m := small()
	m.RuleBase.TNorm, m.RuleBase.Defuzzification = inference.Minimum{}, inference.HTSK{}
	c := newContent(m)
	c.TNorm = "maximum"
	if _, err := c.model(); err == nil || err.Error() != `tnorm: inference: unknown t-norm "maximum": choose one of lukasiewicz, minimum, product; did you mean minimum?` {
		t.Error(err)
	}
	c.TNorm, c.Defuzzification = "", "centroid"
	if _, err := c.model(); err == nil || err.Error() != `defuzzification: inference: unknown defuzzification "centroid": choose one of htsk, logtsk, tsk` {
		t.Error(err)
	}
}
