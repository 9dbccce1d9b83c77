package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Any bytes, as a file or as a content with a valid checksum, give an ErrFile or a valid
// model that predicts and is encoded as it was read; never a panic.
func FuzzDecode(f *testing.F) {
	for _, m := range []*Model{small(), smallTrapezoid(), smallCommittee(f), smallBent(), smallWritten(f), reduced(), smallTree(), smallCurved(false), smallCurved(true), smallNear(f), smallTargets(), smallQuantiles(), smallCounts(), smallBinary(), smallClasses()} {
		var b bytes.Buffer
		if err := m.Encode(&b); err != nil {
			f.Fatal(err)
		}
		var e envelope
		if err := json.Unmarshal(b.Bytes(), &e); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
		f.Add([]byte(e.Content))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		sound(t, b)
		var dense bytes.Buffer
		if json.Compact(&dense, b) == nil {
			for v := 1; v <= version; v++ {
				sound(t, sealAs(t, v, dense.Bytes()))
			}
		}
	})
}

func sound(t *testing.T, file []byte) {
	m, err := Decode(bytes.NewReader(file))
	if err != nil {
		if !errors.Is(err, ErrFile) {
			t.Fatalf("%T: %v", err, err)
		}
		return
	}
	if !m.Committee() {
		if err := m.RuleBase.Validate(); err != nil {
			t.Fatal(err)
		}
	}
	again := encode(t, m)
	if !bytes.Equal(encode(t, decode(t, again)), again) {
		t.Fatal("encoded differently from what was read")
	}
	row := make([]float64, len(m.Features))
	for i, f := range m.Features {
		row[i] = f.Mean
	}
	p := predict(t, m, [][]float64{row})
	if !numeric.Finite(p.Values...) || !numeric.Finite(p.Spread...) || !numeric.Finite(slices.Concat(p.Outputs...)...) {
		t.Fatalf("predicted %v with spread %v", p.Values, p.Spread)
	}
	for _, level := range []float64{1e-9, 0.5, 0.9, 1 - 1e-9} {
		if half, err := m.HalfWidth(level); err == nil && (!numeric.Finite(half) || half < 0) {
			t.Fatalf("half width %v", half)
		}
	}
}
