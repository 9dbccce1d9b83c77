// Package dossier writes what a validator of a model asks for, after the guidance on model risk management SR 26-2 and Article 13 of the
// EU AI Act: purpose, data, the model as printed, errors, stability, intervals, promises, limits, versions, and how to repeat it.
//
//	d, err := dossier.New(ctx, dossier.Input{Model: m, Train: train, Test: test})
//	err = d.WriteMarkdown(w)
//
// A [Document] is one list of items, each a sentence, a table or a printed text with the command that computes its figures. It is written
// twice, as Markdown and as an HTML page that needs no network, and [Document.Check] compares either with the items computed again.
package dossier

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/drift"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/model"
)

// Input is what a dossier is about: a model, and what the directory of its run holds.
type Input struct {
	Model *model.Model

	// The parts of the run, read by the model's schema, with missing cells filled in. Train is needed; the others are nil if the run has none.
	Train, Calibration, Validation, Test *data.Dataset

	Described words.Description // of the model on Train, as `show` prints it
	Summary   *report.Summary   // nil if it is not known
	Stability *report.Stability // nil if it was not measured
	Answers   map[string]string // to [Questions], by key
	Files     []File            // of the run
	Program   [][2]string       // what is known about the running program: name and version
	Source    string            // the table that was divided into parts; empty if it is not known
	Options   [][2]string       // promises of the configuration: key and value

	Certificate []byte // the content of the run's certificate; nil if it has none
}

// File is a file of a run with the hash of its content.
type File struct{ Name, SHA256 string }

// Document is a dossier.
type Document struct {
	Title    string    `json:"title"`
	Lead     []string  `json:"lead"`
	Sections []Section `json:"sections"`

	mark string // in place of Mark
}

// Section is a numbered part of a document.
type Section struct {
	Number int    `json:"number"`
	Title  string `json:"title"`
	Items  []Item `json:"items"`
	ByHand bool   `json:"by_hand,omitempty"` // written by people, see [Questions]: nothing computes it
}

// Item is a sentence, which a table or a printed text may follow.
type Item struct {
	Place   string     `json:"place"` // such as 4.2
	Text    string     `json:"text"`
	Answer  string     `json:"answer,omitempty"`  // to a question of people
	Command string     `json:"command,omitempty"` // computes the figures; empty: there are none
	Head    []string   `json:"head,omitempty"`    // of the table
	Rows    [][]string `json:"rows,omitempty"`
	Printed string     `json:"printed,omitempty"`
	Blank   bool       `json:"blank,omitempty"` // to be filled in
	Warning bool       `json:"warning,omitempty"`

	left int // columns aligned to the left
}

// New computes a dossier. The errors are those of measuring; a data set that does not match the model's schema is a *data.Error.
func New(ctx context.Context, in Input) (*Document, error) {
	if in.Model == nil || in.Train == nil {
		return nil, errors.New("dossier: a model and its training part are needed")
	}
	b := &builder{ctx: ctx, Input: in, m: in.Model, Document: &Document{
		Title: "Dossier: " + escape.Text(strings.Join(in.Model.Schema.Targets(), ", ")),
		Lead: []string{
			"For the validation of a model, after the guidance on model risk management SR 26-2 and Article 13 of the EU AI Act.",
			"Below each figure stands the command that computes it, to be run in the directory of the run unless it says otherwise. " +
				"Section 10 says how to compute all figures of sections 2 to 9 again.",
		},
	}}
	for _, part := range []**data.Dataset{&b.Train, &b.Calibration, &b.Validation, &b.Test} {
		if *part == nil {
			continue
		}
		if err := in.Model.CheckFeatures(*part); err != nil {
			return nil, err
		}
		weighed, err := (*part).Weighed()
		if err != nil {
			return nil, err
		}
		*part = weighed
	}
	b.section("Purpose and use", b.purpose)
	for _, s := range []struct {
		title string
		write func() error
	}{{"Data", b.data}, {"The model as printed", b.printed}, {"Errors", b.errors}, {"Stability over seeds", b.stability},
		{"Intervals and their coverage", b.intervals}, {"Promises and their proofs", b.promises}, {"Limits", b.limits},
		{"Versions and hashes", b.versions}, {"How to repeat it", b.repeat}} {
		if err := b.section(s.title, s.write); err != nil {
			return nil, err
		}
	}
	return b.Document, nil
}

// Only returns the document with the sections and items of a place, such as 4 or 4.2. An error lists the places.
func (d *Document) Only(place string) (*Document, error) {
	one, all := &Document{Title: d.Title}, []string{}
	for _, s := range d.Sections {
		if place != fmt.Sprint(s.Number) {
			s.Items = slices.DeleteFunc(slices.Clone(s.Items), func(i Item) bool {
				all = append(all, i.Place)
				return i.Place != place
			})
		}
		if len(s.Items) > 0 {
			one.Sections = append(one.Sections, s)
		}
	}
	if one.Sections == nil {
		return nil, fmt.Errorf("the dossier has no item %s; it has sections 1 to %d and items %s", escape.Quote(place), len(d.Sections),
			strings.Join(all, ", "))
	}
	return one, nil
}

// builder collects a document.
type builder struct {
	*Document
	Input
	ctx context.Context
	m   *model.Model
}

// section adds a section with the items that write adds.
func (b *builder) section(title string, write func() error) error {
	b.Sections = append(b.Sections, Section{Number: len(b.Sections) + 1, Title: title})
	return write()
}

// last returns the section that is being written.
func (b *builder) last() *Section { return &b.Sections[len(b.Sections)-1] }

// itself stands for the command that computes an item by the dossier, where no other command prints the figures.
const itself = "tskgraph dossier . --item "

// add adds an item, and returns it to be completed.
func (b *builder) add(command, format string, a ...any) *Item {
	s := b.last()
	i := Item{Place: fmt.Sprintf("%d.%d", s.Number, len(s.Items)+1), Text: escape.Text(fmt.Sprintf(format, a...)), Command: command}
	if command == itself {
		i.Command += i.Place
	}
	s.Items = append(s.Items, i)
	return &s.Items[len(s.Items)-1]
}

// addTable adds an item with a table; the cells of the first columns are words.
func (b *builder) addTable(command string, words int, head []string, rows [][]string, format string, a ...any) {
	i := b.add(command, format, a...)
	i.Head, i.left = head, words
	for _, row := range rows {
		safe := make([]string, len(row))
		for c, cell := range row {
			safe[c] = escape.Text(cell)
		}
		i.Rows = append(i.Rows, safe)
	}
}

// figure formats a number with five digits.
func figure(v float64) string { return numeric.Show(v, 5) }

// share formats n of all in percent.
func share(n, all float64) string {
	if all == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f%%", 100*n/all)
}

// Drift returns a comparison of new rows with those of training as a document.
func Drift(m *model.Model, r *drift.Report) *Document {
	d := &Document{Title: "What has changed for " + escape.Text(m.Schema.Target), Lead: r.Lead(), mark: "tskgraph watch"}
	add := func(title string, items ...Item) {
		s := Section{Number: len(d.Sections) + 1, Title: title, Items: items}
		for i := range s.Items {
			s.Items[i].Place = strconv.Itoa(s.Number) + "." + strconv.Itoa(i+1)
		}
		d.Sections = append(d.Sections, s)
	}
	if r.Changes != nil {
		var found []Item
		for _, change := range r.Changes {
			found = append(found, Item{Text: change + ".", Warning: true})
		}
		add("Changes", found...)
	}
	for _, t := range r.Tables() {
		add(t.Title, Item{Text: t.Note, Head: t.Head, Rows: t.Rows, left: 1})
	}
	if r.Refit != nil {
		add("Refit", Item{Text: r.Refit.String()})
	}
	return d
}
