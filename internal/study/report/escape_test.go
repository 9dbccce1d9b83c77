package report

import (
	"strings"
	"testing"
)

const hostile = "\x1b[31m|<script>alert(1)</script>\u202e=cmd"

// TestTableEscapes: a hostile name stays text within its cell in every form of a table.
func TestTableEscapes(t *testing.T) {
	table := &Table{Name: "t", Caption: "caption", Words: 1, Heads: []string{hostile, "n"}, Cells: [][]string{{hostile, "1"}}}
	var b strings.Builder
	if err := table.Write(&b); err != nil {
		t.Fatal(err)
	}
	if shown := `\x1b[31m|<script>alert(1)</script>\u202e=cmd`; strings.Count(b.String(), shown) != 2 || strings.ContainsAny(b.String(), "\x1b\u202e") {
		t.Errorf("on a terminal:\n%q", b.String())
	}
	want := "| " + `\\x1b[31m\|\<script>alert(1)\</script>\\u202e=cmd` + " | "
	if got := table.Markdown(); strings.Count(got, want) != 2 || strings.ContainsAny(got, "\x1b\u202e") {
		t.Errorf("in Markdown:\n%s", got)
	}
}
