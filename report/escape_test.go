package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph"
)

const hostile = "\x1b[31m|<script>alert(1)</script>\u202e=cmd"

// A hostile name neither leaves its cell nor acts, in any form of a table.
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

// In a figure it is text.
func TestFigureEscapes(t *testing.T) {
	p, err := PathFigure([]tskgraph.PathStep{{Rules: 2, RMSETrain: 1}, {Rules: 1, RMSETrain: 2}}, 1, hostile)
	if err != nil {
		t.Fatal(err)
	}
	var svg bytes.Buffer
	if err := WriteFigure(&svg, p, "svg"); err != nil {
		t.Fatal(err)
	}
	text := ""
	for d := xml.NewDecoder(&svg); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if token.Name.Local == "script" {
				t.Error("there is a script")
			}
		case xml.CharData:
			text += string(token)
		}
	}
	if !strings.Contains(text, `\x1b[31m|<script>alert(1)</script>\u202e=cmd`) {
		t.Errorf("the name is not shown in\n%s", text)
	}
}
