package dossier

import (
	"bytes"
	"maps"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// printed adds the model as `show` prints it.
func (b *builder) printed() error {
	d := b.Described
	if d.Readability != nil && d.Readability.Page != nil {
		readability, of := *d.Readability, *d.Readability.Page
		of.Price = nil // which depends on the runs that are beside this one now
		readability.Page, d.Readability = &of, &readability
	}
	var text bytes.Buffer
	if err := d.WriteWords(&text); err != nil {
		return err
	}
	b.add("tskgraph show --model .", "The rules, as the command below prints them; what it may add about other runs is left out, and promises are in section 7.").Printed = text.String()
	return nil
}

// versions names what made the model, and the files of the run.
func (b *builder) versions() error {
	rows := [][]string{}
	for _, f := range b.Files {
		rows = append(rows, []string{f.Name, f.SHA256})
	}
	files := []string{"sha256sum"}
	for _, f := range b.Files {
		files = append(files, f.Name)
	}
	b.addTable(escape.ShellLine(files...), 2, []string{"file", "SHA-256"}, rows, "The files of the run.")
	rows = nil
	for _, name := range slices.Sorted(maps.Keys(b.m.Training.Versions)) {
		rows = append(rows, []string{name, b.m.Training.Versions[name]})
	}
	b.addTable(itself, 2, []string{"program", "version"}, rows, "What trained the model, with seed %d, as model.json records it.",
		b.m.Training.Seed)
	rows = nil
	for _, p := range b.Program {
		rows = append(rows, p[:])
	}
	b.addTable("tskgraph version", 2, []string{"program", "version"}, rows, "What computed the figures of this dossier.")
	return nil
}

// repeat lists the commands that make the model and this dossier again.
func (b *builder) repeat() error {
	b.add(b.training("train"), "To train the model again: the same table, seed, program and kind of processor give the same bits, so that "+
		"model.json has the hash of section 9. %s", where)
	b.add("tskgraph dossier --check .", "To compute all figures again, and to compare them with this document.")
	b.add("tskgraph dossier .", "To write this document again.")
	return nil
}
