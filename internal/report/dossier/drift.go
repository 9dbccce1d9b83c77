package dossier

import (
	"strconv"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/drift"
	"github.com/tskgraph/tskgraph/model"
)

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
