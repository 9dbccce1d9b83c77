package testenv

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestFirstMissing feeds wrong quotations.
func TestFirstMissing(t *testing.T) {
	printed := "one\n  two\nthree\n"
	for block, want := range map[string]string{
		"one\n...\nthree\n": "",
		"two\n\nthree\n":    "",
		"one\nfour\n":       "four",
		"two\none\n":        "one",
		"three\nthree\n":    "three",
		"thr\n":             "thr",
	} {
		if got := FirstMissing(block, printed); got != want {
			t.Errorf("%q: %q is missing, not %q", block, got, want)
		}
	}
}

// TestBlocks checks languages, names and texts of blocks.
func TestBlocks(t *testing.T) {
	page := "# A\n```sh\ntrue\n```\ntext\n```yaml job.yaml\na: 1\n```\n"
	if got := GuideBlocks(page); !slices.Equal(got, []GuideBlock{{"sh", "", "true\n"}, {"yaml", "job.yaml", "a: 1\n"}}) {
		t.Errorf("%q", got)
	}
	if got := GuideProse(page); got != "# A\n\ntext\n\n" {
		t.Errorf("%q", got)
	}
}

// TestRun checks what a line prints, and the lines that must fail.
func TestRun(t *testing.T) {
	for _, c := range []struct {
		line, printed string
		ok            bool
	}{{"echo $A", "b\n", true}, {"false", "", false}, {"! false", "", true}, {"! true", "", false}} {
		if printed, err := RunGuide(t.TempDir(), c.line, "A=b"); printed != c.printed || (err == nil) != c.ok {
			t.Errorf("%q: %q, %v", c.line, printed, err)
		}
	}
}

// TestStrays: files that a guide writes outside the scratch directory are found, those inside are not.
func TestStrays(t *testing.T) {
	root, copied := t.TempDir(), t.TempDir()
	write := func(dir, name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(root, "main.go", "package main")
	write(root, "docs/a.md", "a")
	if err := CopyRepository(root, copied); err != nil {
		t.Fatal(err)
	}
	write(copied, "runs/heating.c", "")
	if strays, err := Strays(root, copied); err != nil || len(strays) > 0 {
		t.Errorf("%q, %v", strays, err)
	}
	write(copied, "heating.c", "")
	write(copied, "docs/a.md", "b")
	if strays, err := Strays(root, copied); err != nil || !slices.Equal(strays, []string{"docs/a.md", "heating.c"}) {
		t.Errorf("%q, %v", strays, err)
	}
}
