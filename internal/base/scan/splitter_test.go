package scan

import (
	"strings"
	"testing"
)

// FuzzSplitter: the cells of each line are those of strings.Split, also where a record was passed over.
func FuzzSplitter(f *testing.F) {
	f.Add("a,b,,c\n1,2\n\n,\n", byte(','), uint64(0))
	f.Add(strings.Repeat(",1.5,-\x80\xac,;\n", 20), byte(';'), uint64(5))
	f.Add(strings.Repeat("\x00\x01\xff", 70), byte(0), uint64(0))
	f.Add(strings.Repeat(",", 63)+"\n"+strings.Repeat(",", 64)+"\n"+strings.Repeat("x", 200)+"\n,", byte(','), uint64(2))
	f.Fuzz(func(t *testing.T, text string, delimiter byte, passed uint64) {
		if delimiter == '\n' {
			return
		}
		s := NewSplitter(text, delimiter)
		at := 0
		for i, line := range strings.SplitAfter(text, "\n") {
			begin, end := at, at+len(strings.TrimSuffix(line, "\n"))
			at += len(line)
			if passed>>(i%64)&1 == 1 {
				s.Seek(at)
				continue
			}
			cells := strings.Split(text[begin:end], string([]byte{delimiter}))
			if more := len(cells) + 1; s.Split(make([]int, more), end) {
				t.Fatalf("line %q has %d cells", line, more)
			}
			s.Seek(begin)
			if fewer := len(cells) - 1; fewer > 0 && s.Split(make([]int, fewer), end) {
				t.Fatalf("line %q has %d cells", line, fewer)
			}
			s.Seek(begin)
			ends := make([]int, len(cells))
			if !s.Split(ends, end) {
				t.Fatalf("line %q does not have %d cells", line, len(cells))
			}
			for k, cell := range cells {
				if got := text[begin:ends[k]]; got != cell {
					t.Fatalf("cell %d of line %q is %q", k, line, got)
				}
				begin = ends[k] + 1
			}
		}
	})
}
