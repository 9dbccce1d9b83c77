package dossier

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
)

// Difference is a line of a written dossier that is not what was computed again.
type Difference struct {
	File       string `json:"file"`
	Line       int    `json:"line"`             // from 1; 0: an item that is missing
	Place      string `json:"place"`            // of the item
	Figure     int    `json:"figure,omitempty"` // its number in the line, from 1; 0: the line differs in more than figures
	Written    string `json:"written"`
	Recomputed string `json:"recomputed"`
	Command    string `json:"command,omitempty"`
}

// String returns the difference in a line.
func (d Difference) String() string {
	at, figure, by := d.File, "", ""
	if d.Line > 0 {
		at = fmt.Sprintf("%s:%d", d.File, d.Line)
	}
	if d.Figure > 0 {
		figure = fmt.Sprintf(", figure %d", d.Figure)
	}
	if d.Command != "" {
		by = " (" + d.Command + ")"
	}
	switch {
	case d.Written == "":
		return fmt.Sprintf("%s: %s: missing: %s%s", at, d.Place, d.Recomputed, by)
	case d.Recomputed == "":
		return fmt.Sprintf("%s: %s: not computed: %s", at, d.Place, d.Written)
	}
	return fmt.Sprintf("%s: %s%s: %s, recomputed %s%s", at, d.Place, figure, d.Written, d.Recomputed, by)
}

// places find the line with which an item begins, in Markdown and in HTML.
var places = regexp.MustCompile(`^(?:\*\*(\d+\.\d+)\*\* |<div class="item[a-z ]*" id="i(\d+\.\d+)"><a [^>]*>[^<]*</a>)`)

// sections find the line with which a section begins.
var sections = regexp.MustCompile(`^(?:## (\d+)\. .*|<section id="s(\d+)">$)`)

// chunk is the lines of an item, or those before the first item of a section, without blank ones.
type chunk struct {
	place string // of the item, or number of the section; 0: before the first section
	key   string // place, or with a number if it is not the first chunk of this place
	lines []line
}

// line is a line of a file.
type line struct {
	number int // from 1
	text   string
}

// chunks divides a written document.
func chunks(text []byte) []chunk {
	all, count := []chunk{{place: "0", key: "0"}}, map[string]int{}
	for i, s := range strings.Split(string(text), "\n") {
		s = strings.TrimSpace(s)
		m := places.FindStringSubmatch(s)
		if m == nil {
			m = sections.FindStringSubmatch(s)
		}
		if m != nil {
			place := m[1] + m[2]
			count[place]++
			all = append(all, chunk{place: place, key: fmt.Sprint(place, " ", count[place])})
		}
		if s != "" {
			last := &all[len(all)-1]
			last.lines = append(last.lines, line{i + 1, s})
		}
	}
	return all
}

// Check compares a written dossier, Markdown or HTML, the content of a file of a name, with the document. It returns the number of figures
// that agree, and what differs, in the order of the document. What people wrote is not compared.
func (d *Document) Check(file string, written []byte) (same int, all []Difference, err error) {
	if !IsDossier(written) {
		return 0, nil, fmt.Errorf("%s: no dossier of tskgraph", file)
	}
	var again bytes.Buffer
	write, isHTML := d.WriteMarkdown, bytes.HasPrefix(written, []byte("<!DOCTYPE"))
	if isHTML {
		write = d.WriteHTML
	}
	if err := write(&again); err != nil {
		return 0, nil, err
	}
	look := comparison{file: file, html: isHTML, commands: map[string]string{}}
	byHand := map[string]bool{}
	for _, s := range d.Sections {
		for _, i := range s.Items {
			look.commands[i.Place], byHand[i.Place] = i.Command, s.ByHand
		}
	}
	was, known := map[string]chunk{}, map[string]bool{}
	for _, c := range chunks(written) {
		was[c.key] = c
	}
	for _, is := range chunks(again.Bytes()) {
		if known[is.key] = true; !byHand[is.place] {
			look.compare(is.place, was[is.key].lines, is.lines)
		}
	}
	for _, c := range chunks(written) {
		if !known[c.key] {
			look.differ(c.place, c.lines[0], 0, look.plain(c.lines[0]), "")
		}
	}
	return look.same, look.all, nil
}

// IsDossier reports whether the content of a file is a dossier.
func IsDossier(content []byte) bool {
	return bytes.Contains(content[:min(len(content), 200)], []byte(Mark))
}

// comparison collects differences of a file.
type comparison struct {
	file     string
	html     bool
	commands map[string]string
	same     int
	all      []Difference
}

func (c *comparison) differ(place string, at line, figure int, written, recomputed string) {
	c.all = append(c.all, Difference{c.file, at.number, place, figure, written, recomputed, c.commands[place]})
}

// tags are those of HTML.
var tags = regexp.MustCompile(`<[^>]*>`)

// plain returns the text of a line, without the place of its item.
func (c *comparison) plain(l line) string {
	text := places.ReplaceAllString(l.text, "")
	if c.html {
		text = html.UnescapeString(tags.ReplaceAllString(text, " "))
	}
	return strings.Join(strings.Fields(text), " ")
}

// compare compares the lines of an item.
func (c *comparison) compare(place string, was, is []line) {
	for i := range max(len(was), len(is)) {
		switch {
		case i >= len(was):
			c.differ(place, line{}, 0, "", c.plain(is[i]))
			return
		case i >= len(is):
			c.differ(place, was[i], 0, c.plain(was[i]), "")
			return
		case was[i].text != is[i].text:
			c.within(place, was[i], c.plain(was[i]), c.plain(is[i]))
		case place != "0": // which has the style of a page
			c.same += len(figures.FindAllString(c.plain(is[i]), -1))
		}
	}
}

// figures are numbers and hashes.
var figures = regexp.MustCompile(`[0-9a-f]{64}|[-−+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?%?`)

// within compares two lines that differ, figure by figure if their words are the same.
func (c *comparison) within(place string, at line, written, recomputed string) {
	was, is := figures.FindAllString(written, -1), figures.FindAllString(recomputed, -1)
	if figures.ReplaceAllString(written, "#") != figures.ReplaceAllString(recomputed, "#") || slices.Equal(was, is) {
		c.differ(place, at, 0, written, recomputed)
		return
	}
	for k, v := range was {
		if v == is[k] {
			c.same++
		} else {
			c.differ(place, at, k+1, v, is[k])
		}
	}
}
