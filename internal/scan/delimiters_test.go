package scan

import (
	"strings"
	"testing"
)

// FuzzDelimiters: the delimiters are where strings.IndexByte finds them, from any offset.
func FuzzDelimiters(f *testing.F) {
	f.Add("a,b,,c\n", byte(','), 0)
	f.Add(strings.Repeat(",1.5,-\x80\xac,;\n", 20), byte(';'), 3)
	f.Add(strings.Repeat("\x00\x01\xff", 70), byte(0), 130)
	f.Add(strings.Repeat(",", 64), byte(','), 64)
	f.Fuzz(func(t *testing.T, text string, delimiter byte, from int) {
		if from < 0 || from > len(text) {
			return
		}
		d := NewDelimiters(text, delimiter)
		d.Seek(from)
		for at := from; at <= len(text); at++ {
			if at < len(text) && text[at] != delimiter {
				continue
			}
			if got := d.Next(); got != at {
				t.Fatalf("%q in %q from %d: found at %d, want %d", delimiter, text, from, got, at)
			}
		}
	})
}
