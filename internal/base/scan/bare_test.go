package scan

import (
	"strings"
	"testing"
)

// TestBare: each byte, at each place of texts of several lengths.
func TestBare(t *testing.T) {
	for b := range 256 {
		want := '#' <= b && b <= '~' && b != '\\'
		for n := range 20 {
			for at := range n {
				text := []byte(strings.Repeat("#", at) + "~" + strings.Repeat(",", n-at-1))
				text[at] = byte(b)
				if got := Bare(string(text)); got != want {
					t.Fatalf("%q: %v, want %v", text, got, want)
				}
			}
		}
	}
	if !Bare("") {
		t.Error("nothing is not bare")
	}
}
