package page

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/rules"
	"go.yaml.in/yaml/v3"
)

// piece is a part of rules.yaml: text as it is, a number, a formula or a line that edits replace, or a line that they add.
type piece struct {
	Text    string         `json:"text"`
	Key     string         `json:"key,omitempty"`     // of the edits of a number
	Formula *formulaPieces `json:"formula,omitempty"` // the text is this formula
	Off     *int           `json:"off,omitempty"`     // the text is written if this rule, from 0, is off
	Keep    *keepPiece     `json:"keep,omitempty"`    // the text is the line that keeps parts of a rule; empty if none is kept
}

// keepPiece has the line for each set of parts of a rule, from 0: the element k is that of rules.Keep(k).
type keepPiece struct {
	Rule  int      `json:"rule"`
	Lines []string `json:"lines"`
}

// formulaPieces is a formula of a rule, from 0, and an output, with the decimals of all inputs.
type formulaPieces struct {
	Rule     int          `json:"rule"`
	Output   int          `json:"output"`
	Constant string       `json:"constant"`
	Slopes   []slopePiece `json:"slopes"` // [M]
}

type slopePiece struct {
	Name string `json:"name"` // as formulas write it
	Text string `json:"text"`
}

// rulesFile returns rules.yaml in pieces, which joined are what [byhand.Rulebook.WriteYAML] writes, except for the lines of
// rules that are off. inputs are the names of the inputs of the rules.
func rulesFile(book *byhand.Rulebook, inputs []string) ([]piece, error) {
	var b bytes.Buffer
	if err := book.WriteYAML(&b); err != nil {
		return nil, err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(b.Bytes(), &doc); err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	c := newCutter(b.String())
	root := doc.Content[0]
	if n := valueOf(root, "terms"); n != nil {
		c.terms(book, n)
	}
	for r, n := range valueOf(root, "rules").Content {
		c.rule(book.Rules[r], r, n, inputs)
	}
	return c.pieces(), nil
}

// valueOf returns the value of a key of a mapping; nil if it has none.
func valueOf(mapping *yaml.Node, key string) *yaml.Node {
	for i := 0; i < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}

// cutter cuts a text into pieces at the places of its nodes.
type cutter struct {
	text  string
	lines []int // byte offset of each line
	cuts  []replacement
}

// replacement replaces the bytes from a place to another by a piece.
type replacement struct {
	from, to int
	piece    piece
}

func newCutter(text string) *cutter {
	c := &cutter{text: text, lines: []int{0}}
	for i, b := range []byte(text) {
		if b == '\n' {
			c.lines = append(c.lines, i+1)
		}
	}
	return c
}

// at returns the byte offset of a node, whose column counts characters.
func (c *cutter) at(n *yaml.Node) int {
	offset, column := c.lines[n.Line-1], n.Column
	for i := range c.text[offset:] {
		if column--; column == 0 {
			return offset + i
		}
	}
	return len(c.text)
}

// terms cuts out the parameters of all terms.
func (c *cutter) terms(book *byhand.Rulebook, section *yaml.Node) {
	for t, term := range book.Terms {
		params := valueOf(valueOf(section, term.Column), term.Name)
		for j := range book.Shape.Params() {
			n := params.Content[2*j+1]
			from := c.at(n)
			c.cuts = append(c.cuts, replacement{from, from + len(n.Value), piece{Key: ifKey(t, j)}})
		}
	}
}

// rule cuts out the formulas of rule r and the line that keeps parts of it, and adds the line that switches it off behind its IF part.
func (c *cutter) rule(rule byhand.Rule, r int, n *yaml.Node, inputs []string) {
	next, indent := c.lines[n.Content[1].Line], strings.Repeat(" ", n.Content[0].Column-1)
	c.cuts = append(c.cuts, replacement{next, next, piece{Text: indent + "off: true\n", Off: &r}})
	then := valueOf(n, "then")
	for i, f := range rule.Then {
		value := then
		if then.Kind == yaml.MappingNode {
			value = valueOf(then, f.Output)
		}
		from := c.at(value)
		to := from + strings.IndexByte(c.text[from:], '\n')
		c.cuts = append(c.cuts, replacement{from, to, piece{Formula: newFormulaPieces(f, r, i, inputs)}})
		next = to + 1
	}
	last := next
	if rule.Keep != 0 {
		last += strings.IndexByte(c.text[next:], '\n') + 1 // the line behind the THEN part
	}
	c.cuts = append(c.cuts, replacement{next, last, piece{Keep: &keepPiece{r, keepLines(indent)}}})
}

// keepLines returns the line that keeps each set of parts of a rule.
func keepLines(indent string) []string {
	lines := []string{""}
	for k := rules.KeepIf; k <= rules.KeepAll; k++ {
		lines = append(lines, fmt.Sprintf("%skeep: %s\n", indent, k))
	}
	return lines
}

// newFormulaPieces returns the decimals of a formula.
func newFormulaPieces(f byhand.Formula, r, c int, inputs []string) *formulaPieces {
	constant, slopes := f.Written(inputs)
	p := &formulaPieces{Rule: r, Output: c, Constant: constant}
	for _, s := range slopes {
		p.Slopes = append(p.Slopes, slopePiece{s.Column, s.Decimal})
	}
	return p
}

// pieces returns all of the text in pieces.
func (c *cutter) pieces() []piece {
	slices.SortStableFunc(c.cuts, func(a, b replacement) int { return cmp.Compare(a.from, b.from) })
	var all []piece
	done := 0
	for _, one := range c.cuts {
		if one.from > done {
			all = append(all, piece{Text: c.text[done:one.from]})
		}
		if one.piece.Off == nil {
			one.piece.Text = c.text[one.from:one.to]
		}
		all, done = append(all, one.piece), one.to
	}
	return append(all, piece{Text: c.text[done:]})
}
