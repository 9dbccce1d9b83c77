package dossier

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/report/page"
)

// Mark is in the first lines of every dossier, whatever its form.
const Mark = "tskgraph dossier"

// WriteMarkdown writes the document as Markdown.
func (d *Document) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "<!-- %s -->\n\n# %s\n\n", Mark, escape.Markdown(d.Title))
	for _, text := range d.Lead {
		fmt.Fprintf(&b, "%s\n\n", escape.Markdown(text))
	}
	for _, s := range d.Sections {
		fmt.Fprintf(&b, "## %d. %s\n\n", s.Number, escape.Markdown(s.Title))
		for _, i := range s.Items {
			i.markdown(&b)
		}
	}
	_, err := io.WriteString(w, strings.TrimSuffix(b.String(), "\n"))
	return err
}

func (i Item) markdown(b *strings.Builder) {
	text := escape.Markdown(i.Text)
	if i.Warning {
		text = "**" + text + "**"
	}
	fmt.Fprintf(b, "**%s** %s\n\n", i.Place, text)
	switch answer := escape.Markdown(i.Answer); {
	case i.Blank:
		fmt.Fprintf(b, "> **[%s]**\n\n", answer)
	case answer != "":
		fmt.Fprintf(b, "> %s\n\n", answer)
	}
	if i.Command != "" {
		fence := fenceOf(i.Command, "`")
		fmt.Fprintf(b, "%s%s%s\n\n", fence, i.Command, fence)
	}
	if i.Rows != nil {
		fmt.Fprintf(b, "%s\n", escape.MarkdownTable(i.Head, i.Rows, i.Words))
	}
	if i.Printed != "" {
		fence := fenceOf(i.Printed, "```")
		fmt.Fprintf(b, "%s\n%s%s\n\n", fence, i.Printed, fence)
	}
}

// fenceOf returns the shortest run of backticks, as long as least, that a text does not contain.
func fenceOf(text, least string) string {
	for strings.Contains(text, least) {
		least += "`"
	}
	return least
}

//go:embed page.html
var layout string

//go:embed page.css
var style string

var pages = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(layout)) })

// WriteHTML writes the document as a page that loads nothing.
func (d *Document) WriteHTML(w io.Writer) error {
	return pages().Execute(w, struct {
		*Document
		Mark  string
		Style template.CSS
	}{d, cmp.Or(d.mark, Mark), template.CSS(page.PartsStyle + style)})
}

// Words reports whether column c of the table of an item has words, not figures.
func (i Item) Words(c int) bool { return c < i.left }
