package table

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// check compares Number with strconv.
func check(t *testing.T, text string, at, end int) {
	t.Helper()
	v := ScanNumber(text, at, end)
	ok := !math.IsNaN(v)
	cell := text[at:end]
	want, err := strconv.ParseFloat(cell, 64)
	wantOK := err == nil && strings.Trim(cell, "0123456789.+-eE") == ""
	if ok != wantOK || ok && math.Float64bits(v) != math.Float64bits(want) {
		t.Errorf("Number of %q in %q = %v (%x), %v; strconv gives %v (%x), %v", cell, text, v, math.Float64bits(v), ok, want,
			math.Float64bits(want), err)
	}
}

// TestNumber: numbers of each form, behind any text, as strconv reads them.
func TestNumber(t *testing.T) {
	for _, cell := range []string{
		"", "-", "+", ".", "-.", "e5", ".e5", "1", "-1", "+1", "-0", "0", "007", "-00.50", "1.", ".5", "-.5", "1.5", "12.25", "1.2.3", "--1",
		"-+1", "1-1",
		"123456", "1234567", "12345678", "123456789", "123.4567", "1234.5678", "12345678.12345678", "0.000001", "0.00000000000000000001",
		"00000000000000000000001.5",
		"9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740993", "0.1234567890123456", "0.12345678901234567",
		"1234567890123456789", "12345678901234567890",
		"18446744073709551616", "184467440737095516170000", "1e5", "1E5", "1e+5", "1e-5", "1e", "1e+", "1e5e5", "1.5e-05", "2.5E+22", "2.5E+23",
		"1e22", "1e23", "1e-22", "1e-23", "123456789e-30", "-1e-400", "1e308", "1e309", "-1e99999999999999999999",
		"0e99999999999999999999", "4.9e-324", "2.4e-324", "2.2250738585072014e-308", "1.7976931348623157e308", "1.7976931348623159e308", "NaN",
		"Inf", "0x10", "1_000", "１", "1é", "\xb11",
	} {
		for _, before := range []string{"", ",", "1.5,", "12.5,-3,", "-1234567,12345.678,", "\xff\xff\xff\xff\xff\xff\xff\xff........"} {
			check(t, before+cell, len(before), len(before)+len(cell))
			check(t, before+cell+"9,", len(before), len(before)+len(cell))
		}
	}
}

// TestDrawnNumbers: numbers of random length, as strconv reads them.
func TestDrawnNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		v := rng.NormFloat64() * math.Pow(10, float64(rng.IntN(20)-10))
		format := []byte{'f', 'e', 'g'}[rng.IntN(3)]
		cell := strconv.FormatFloat(v, format, rng.IntN(19)-1, 64)
		check(t, cell, 0, len(cell))
		check(t, "1.5,-2.5,1234567,"+cell, 17, 17+len(cell))
	}
}

// FuzzNumber: whatever the text, Number and strconv agree.
func FuzzNumber(f *testing.F) {
	for _, text := range []string{"1.5", "-12345.678", "9007199254740993", "1e-5", "0.3e+22", "1e400", "123456789012345.6"} {
		f.Add("1,2,3\n4.5,6.75,", text)
	}
	f.Fuzz(func(t *testing.T, before, cell string) {
		check(t, before+cell, len(before), len(before)+len(cell))
		check(t, cell, 0, len(cell))
	})
}

func BenchmarkNumber(b *testing.B) {
	for _, significant := range []int{4, 6, 9, 17} {
		b.Run(fmt.Sprint(significant), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			var text strings.Builder
			var ends []int
			for range 10_000 {
				text.WriteString(strconv.FormatFloat(rng.NormFloat64()*math.Pow(10, float64(rng.IntN(4))), 'g', significant, 64))
				ends = append(ends, text.Len())
				text.WriteByte(',')
			}
			table := text.String()
			b.SetBytes(int64(len(table)))
			for b.Loop() {
				at := 0
				for _, end := range ends {
					_ = ScanNumber(table, at, end)
					at = end + 1
				}
			}
		})
	}
}

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
