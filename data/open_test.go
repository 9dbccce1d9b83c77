package data

import (
	"errors"
	"github.com/tskgraph/tskgraph/data/table"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// A table that is appended to, cut off or written over before its end is reached is refused: its last row may be half
// of one. One that is left alone is read.
func TestChangeWhileRead(t *testing.T) {
	content := "a,y\n" + strings.Repeat("1,2\n2,3\n", 40_000)
	for _, test := range []struct {
		name   string
		change func(path string) error
		want   string
	}{
		{"left alone", func(string) error { return nil }, ""},
		{"grown", func(path string) error {
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteString("3,4")
			return errors.Join(err, f.Close())
		}, "changed"},
		{"cut off", func(path string) error { return os.Truncate(path, int64(len(content)-8)) }, "changed"},
		{"written over", func(path string) error {
			later := time.Now().Add(time.Second)
			return errors.Join(os.WriteFile(path, []byte(strings.ReplaceAll(content, "3", "4")), 0), os.Chtimes(path, later, later))
		}, "changed"},
	} {
		path := writeFile(t, "t.csv", content)
		f, err := table.OpenFile(path, false)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		in := io.MultiReader(io.LimitReader(f, 100_000), &hook{do: func() { err = test.change(path) }}, f)
		d, readErr := read(in, path, table.Options{Target: "y"})
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case test.want == "" && (readErr != nil || d.Len() != 80_000):
			t.Errorf("%s: %v", test.name, readErr)
		case test.want != "" && (readErr == nil || !strings.HasSuffix(readErr.Error(), ": the table cannot be read: "+table.ErrChanged.Error()) || !errors.As(readErr, new(*table.Error))):
			t.Errorf("%s: read %v, error %v", test.name, d != nil, readErr)
		}
	}
}

// hook does something when it is read, and is empty.
type hook struct{ do func() }

func (h *hook) Read([]byte) (int, error) {
	if h.do != nil {
		h.do()
		h.do = nil
	}
	return 0, io.EOF
}
