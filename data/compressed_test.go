package data

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/tskgraph/tskgraph/data/table"
	"github.com/tskgraph/tskgraph/internal/base/decompress"
)

// compressed returns texts as streams one after the other, as cat of several files gives them.
func compressed(t *testing.T, kind string, texts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, text := range texts {
		var w io.WriteCloser = gzip.NewWriter(&b)
		if kind == "zstd" {
			z, err := zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1))
			if err != nil {
				t.Fatal(err)
			}
			w = z
		}
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// A compressed table is read as what was compressed, whatever its file is called, from a file and from a pipe; its parts are
// written as text.
func TestCompressedTables(t *testing.T) {
	content := "a,y\n" + strings.Repeat("1,2\n2.5,3\n", 5000)
	want, err := read(strings.NewReader(content), "t.csv", table.Options{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	for kind, name := range map[string]string{"gzip": "t.csv.gz", "zstd": "t.csv.zst"} {
		text := compressed(t, kind, content[:100], content[100:])
		s := Source{Path: writeFile(t, name, string(text)), Options: table.Options{Target: "y"}, Split: Split{Kind: "chronological"}}
		if s.Name() != "t" {
			t.Errorf("name %q", s.Name())
		}
		d, err := Read(s.Path, s.Options)
		if err != nil || !reflect.DeepEqual(d, want) {
			t.Errorf("%s: not the table it was, %v", kind, err)
		}
		p, err := s.Load(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := s.WriteParts(dir, p); err != nil {
			t.Fatal(err)
		}
		if part, err := os.ReadFile(filepath.Join(dir, "test.csv")); err != nil || !strings.HasPrefix(string(part), "a,y\n1,2\n2.5,3\n") {
			t.Errorf("%s: test.csv is %.20q, %v", kind, part, err)
		}
		if survey, err := LookAt(table.Input{Name: s.Path}, ""); err != nil || survey.Rows != 10_000 {
			t.Errorf("%s: %v, %v", kind, survey, err)
		}
		pipe := decompress.Reader(iotest.OneByteReader(bytes.NewReader(text)))
		if got, err := io.ReadAll(pipe); err != nil || string(got) != content || pipe.Close() != nil {
			t.Errorf("%s: %d bytes, %v", kind, len(got), err)
		}
	}
	for _, text := range []string{"", "a", "a,y\n"} {
		if got, err := io.ReadAll(decompress.Reader(strings.NewReader(text))); err != nil || string(got) != text {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

// A damaged stream, or one that expands too far, is an *Error.
func TestCompressedFaults(t *testing.T) {
	content := "a,y\n" + strings.Repeat("1,2\n2.5,3\n", 5000)
	const free = 16 << 20 // bytes that may be any number of times what was read
	lines := "a,y\n" + strings.Repeat("1,2\n", 5*free/16)
	for _, kind := range []string{"gzip", "zstd"} {
		whole := compressed(t, kind, content)
		flipped := bytes.Clone(whole)
		flipped[len(flipped)/2] ^= 0x55
		if n, err := io.Copy(io.Discard, decompress.Reader(bytes.NewReader(compressed(t, kind, lines)))); err == nil || !strings.Contains(err.Error(), "expands more than 500 times") || n > 2*free {
			t.Errorf("%s: %d bytes of a bomb, then %v", kind, n, err)
		}
		for name, test := range map[string]struct {
			text []byte
			want string
		}{
			"cut off":    {whole[:len(whole)-5], "its " + kind + " stream is damaged or cut off"},
			"magic":      {whole[:4], "its " + kind + " stream is damaged or cut off"},
			"flipped":    {flipped, "its " + kind + " stream is damaged or cut off"},
			"garbage":    {append(bytes.Clone(whole), "a,y\n"...), "its " + kind + " stream is damaged or cut off"},
			"twice":      {compressed(t, kind, string(whole)), "the table is compressed by " + kind + ": decompress it first"},
			"a workbook": {compressed(t, kind, "PK\x03\x04"), "the file is a ZIP archive"},
		} {
			_, err := Read(writeFile(t, "t.csv", string(test.text)), table.Options{Target: "y"})
			if err == nil || !strings.Contains(err.Error(), test.want) || !errors.As(err, new(*table.Error)) {
				t.Errorf("%s, %s: %v, want %s", kind, name, err, test.want)
			}
		}
	}
}
