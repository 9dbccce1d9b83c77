package c

import (
	"bytes"
	_ "embed" // the templates
	"fmt"
	"strings"
	"text/template"

	"github.com/tskgraph/tskgraph/explain/words"
)

//go:embed interface.h.tmpl
var interfaceText string

//go:embed preamble.c.tmpl
var preambleText string

//go:embed evaluator.c.tmpl
var evaluatorText string

//go:embed filter.c.tmpl
var filterText string

// write returns the header and the source file, which repeats the header: it needs no other file.
func (s *source) write() (header, code []byte, err error) {
	var parts [4]string
	render := func(i int, text string) {
		if err == nil {
			parts[i], err = s.render(text)
		}
	}
	render(0, interfaceText)
	render(2, evaluatorText)
	s.Interface, s.Helpers = parts[0], s.helpers(parts[2])
	render(1, preambleText)
	render(3, filterText)
	return []byte(parts[0]), []byte(strings.Join(parts[1:], "")), err
}

// render executes a template.
func (s *source) render(text string) (string, error) {
	t, err := template.New("").Parse(s.convert.Replace(text))
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	err = t.Execute(&b, s)
	return b.String(), err
}

// Words returns the lines of the rules in words; of a committee, how its members predict.
func (s *source) Words() []string {
	if s.Committee {
		return []string{fmt.Sprintf("A committee of %d models, whose predictions are averaged. tskgraph show prints their rules.", len(s.form.Members))}
	}
	var b strings.Builder
	_ = words.Model(s.form.Model).WriteWords(&b) // a strings.Builder does not fail
	var lines []string
	for line := range strings.Lines(b.String()) {
		lines = append(lines, comment(strings.TrimRight(line, "\n ")))
	}
	return lines
}
