package checkpoint

import "testing"

// TestHash: two identities have the same hash if and only if they do not differ.
func TestHash(t *testing.T) {
	id := Identity{"train.seed": "1", "data set": "x", goamd64: "v1"}
	for _, c := range []struct {
		what  string
		other Identity
		same  bool
	}{
		{"the same", Identity{"data set": "x", "train.seed": "1", goamd64: "v1"}, true},
		{"another level of processor", Identity{"train.seed": "1", "data set": "x", goamd64: "v3"}, true},
		{"another seed", Identity{"train.seed": "2", "data set": "x", goamd64: "v1"}, false},
		{"a part more", Identity{"train.seed": "1", "data set": "x", "curve": "true"}, false},
		{"a part less", Identity{"train.seed": "1"}, false},
		{"exchanged", Identity{"train.seed": "x", "data set": "1"}, false},
	} {
		if got := id.Hash() == c.other.Hash(); got != c.same {
			t.Errorf("%s: the same hash: %v, want %v", c.what, got, c.same)
		}
		if got := len(id.Differences(c.other)) == 0; got != c.same {
			t.Errorf("%s: no differences: %v, want %v", c.what, got, c.same)
		}
	}
	if len(id.Hash()) != 32 {
		t.Errorf("the hash is %q", id.Hash())
	}
}
