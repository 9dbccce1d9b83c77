package dossier

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
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
	i := b.add("tskgraph show --model .",
		"The rules, as the command below prints them; what it may add about other runs is left out, and promises are in section 7.")
	i.Printed = text.String()
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
	command := b.training("train")
	if s := b.Summary; s != nil && s.Before != nil {
		command = b.pruning()
		b.add("", "The model was pruned from %s.", s.Before.Model)
	}
	b.add(command, "To make the model again: the same table, seed, program and kind of processor give the same bits, so that model.json has "+
		"the hash of section 9. %s", where)
	b.add("tskgraph dossier --check .", "To compute all figures again, and to compare them with this document.")
	b.add("tskgraph dossier .", "To write this document again.")
	return nil
}

// StabilityFile is the name of what `stability --json` printed, in the directory of a run.
const StabilityFile = "stability.json"

// training returns a command that trains by the configuration of the run, of a pruned model by that of the run before, to be run where
// training was.
func (b *builder) training(verb string, more ...string) string {
	dir := b.runDir()
	if s := b.Summary; s != nil && s.Before != nil {
		dir = filepath.Dir(s.Before.Model)
	}
	return escape.ShellLine(slices.Concat([]string{"tskgraph", verb, "--config", filepath.Join(dir, "config.yaml")}, more)...)
}

// pruning returns the command that prunes the model again, likewise.
func (b *builder) pruning() string {
	s := b.Summary
	line := []string{"tskgraph", "prune", "--model", s.Before.Model, "--data", b.Source, "--config", filepath.Join(b.runDir(), "config.yaml")}
	switch {
	case b.m.Pages != nil:
		line = append(line, "--page", b.m.Training.Options["model.page"])
	case s.Path != nil && s.Rules < s.Before.Rules:
		line = append(line, "--path", "--rules", fmt.Sprint(s.Rules))
	case s.Path != nil:
		line = append(line, "--path")
	}
	return escape.ShellLine(line...)
}

// runDir returns the directory of the run as training named it.
func (b *builder) runDir() string {
	if b.Summary != nil && b.Summary.RunDir != "" {
		return b.Summary.RunDir
	}
	return "RUN"
}

// where says where commands that train are run.
const where = "Run it where training ran, in a directory from which data.path leads to the table, without TSKGRAPH_ variables of the " +
	"environment."

// stability says how much the model depends on its seed.
func (b *builder) stability() error {
	defer b.samples()
	s := b.Stability
	switch {
	case s == nil && b.Summary != nil && b.Summary.Before != nil:
		b.add(b.training("stability", "--seeds", "5"),
			"It was not measured. The command below measures that of the model before it was pruned, in the time of several trainings. %s", where)
		return nil
	case s == nil:
		b.add(b.training("stability", "--seeds", "5", "--json")+" > "+escape.ShellLine(filepath.Join(b.runDir(), StabilityFile)),
			"It was not measured. The command below measures it, in the time of several trainings. %s", where)
		return nil
	}
	command := b.training("stability", "--seeds", fmt.Sprint(len(s.Seeds)))
	b.add(command, "Trained with %d seeds on the same training part, the models have a %s of %s on average, with a standard deviation of %s, "+
		"on %s of the %s part. %s", len(s.Seeds), s.Metric, figure(s.Loss), figure(s.LossSD), numeric.Counted(s.Samples, "row"), s.Part, where)
	differ := "the predictions of two models differ by %s of the standard deviation of the target (root mean square) on average, by %s at most"
	if s.TotalVariation != nil {
		differ = "two models put %s of the rows into different classes on average, %s at most"
	}
	b.add(command, "Between seeds, "+differ+".", share(s.Difference, 1), share(s.MaxDifference, 1))
	if r := s.Rules; r != nil {
		b.add(command, "Of the rules of a model, %s have a counterpart in another one (Jaccard similarity of firing levels of at least %.2g), "+
			"at least %s; the mean similarity of counterparts is %.2f.", share(r.Share, 1), r.Least, share(r.MinShare, 1), r.Similarity)
	}
	var rows [][]string
	for _, c := range s.Curves {
		ratio := "–"
		if c.Range > 0 {
			ratio = share(c.Spread, c.Range)
		}
		rows = append(rows, []string{c.Feature, figure(c.Range), figure(c.Spread), ratio})
	}
	b.addTable(command, 1, []string{"response curve of", "range", "spread between seeds", "spread / range"}, rows,
		"What differs much between seeds is no ground for a conclusion.")
	return nil
}

// samples adds what training found of a page in other samples of the rows.
func (b *builder) samples() {
	if s := b.Summary; s != nil && s.Page != nil && len(s.Page.Lines) > 0 {
		b.add("tskgraph show --model .", "What training found in other samples of the rows, and with other sizes of the page.").Printed =
			strings.Join(s.Page.Lines, "\n") + "\n"
	}
}
