package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const source = `package p

import (
	"fmt"
	"os"
	arrow "example.org/go-arrow"
)

// T has methods.
type T struct{}

func (t *T) Encode() string { return fmt.Sprint(arrow.New(t)) }

func (T) Look(name string) string { return os.Getenv(name) }

func sum(kind string) (int, error) {
	switch kind {
	case Int:
		return 1, nil
	case Int8:
		return 2, nil
	default:
		return 0, os.ErrInvalid
	}
}
`

// TestCut checks what each kind of cut leaves of a file.
func TestCut(t *testing.T) {
	for _, test := range []struct {
		name      string
		cut       cut
		gone, has []string
	}{
		{"a method that disappears, with its imports", cut{remove: []string{"T.Encode"}}, []string{"Encode", "fmt", "arrow"}, []string{`"os"`, "type T", "case Int8"}},
		{"a function that panics", cut{stub: []string{"T.Look"}}, []string{"Getenv"}, []string{`func (T) Look(name string) string { panic("T.Look is not part of the page") }`, `"fmt"`}},
		{"clauses of a type", cut{cases: []string{"Int8"}}, []string{"Int8", "return 2"}, []string{"case Int:", "default:"}},
		{"a text", cut{edits: []edit{{"os.Getenv(name)", "name"}}, add: "\nvar added = 1\n"}, []string{"Getenv"}, []string{"return name", "var added = 1"}},
		{"all functions", cut{stub: []string{everything}}, []string{"Sprint", "Getenv", "Int8", "import"}, []string{"func sum(kind string) (int, error) { panic"}},
	} {
		out, _, err := test.cut.apply("p.go", []byte(source))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		for _, text := range test.gone {
			if strings.Contains(string(out), text) {
				t.Errorf("%s: %q is still there:\n%s", test.name, text, out)
			}
		}
		for _, text := range test.has {
			if !strings.Contains(string(out), text) {
				t.Errorf("%s: no %q:\n%s", test.name, text, out)
			}
		}
	}
}

// TestCutRefused checks the errors about a file that is not as the cut has it.
func TestCutRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, c := range map[string]cut{
		`p.go has no "T.Gone"`:    {file: "p.go", remove: []string{"T.Encode", "T.Gone"}},
		`p.go has no "Float99"`:   {file: "p.go", cases: []string{"Int8", "Float99"}},
		`p.go has no "return"`:    {file: "p.go", edits: []edit{{"return", "panic"}}}, // it is there more than once
		`other.go has no "T.Get"`: {file: "other.go", stub: []string{"T.Get"}},
	} {
		o := &overlay{dir: t.TempDir(), replace: map[string]string{}}
		if err := o.cut(c, dir, dir); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	without := strings.Replace(source, "\tdefault:\n\t\treturn 0, os.ErrInvalid\n", "", 1)
	if _, _, err := (cut{cases: []string{"Int8"}}).apply("p.go", []byte(without)); err == nil || !strings.Contains(err.Error(), "sum: a switch over types has no default clause") {
		t.Errorf("%v", err)
	}
}

// TestCheckLookups checks that functions that look up methods are named, reflect's own only if there are no others.
func TestCheckLookups(t *testing.T) {
	edges, messages := split([]byte("# command-line-arguments\nmain.main -> a.F <UsedInIface>\na.F -> b.(*T).Get <ReflectMethod>\nb.(*T).Get -> reflect.Value.Method <ReflectMethod>\n"))
	if len(edges) != 3 || messages != "# command-line-arguments" {
		t.Errorf("%q, %q", edges, messages)
	}
	if err := checkLookups(edges); err == nil || !strings.Contains(err.Error(), "because of b.(*T).Get:") {
		t.Errorf("%v", err)
	}
	if err := checkLookups(edges[2:]); err == nil || !strings.Contains(err.Error(), "because of reflect.Value.Method:") {
		t.Errorf("%v", err)
	}
	if err := checkLookups(edges[:1]); err != nil {
		t.Error(err)
	}
	if checkLookups(nil) == nil {
		t.Error("a linker that printed nothing was accepted")
	}
}
