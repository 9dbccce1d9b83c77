package data

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// piecesOf divides the rows of files, of which each is its lines, into so many pieces of lines.
func piecesOf(names []string, texts []string, n int, rng *rand.Rand) (pieces []Piece) {
	row := 0
	for i, text := range texts {
		lines := slices.Collect(strings.Lines(text))
		header, lines := lines[0], lines[1:]
		for from, k := 0, 0; from < len(lines); k++ {
			end := min(len(lines), from+1+rng.IntN(2*len(lines)/n+1))
			if k == n-1 {
				end = len(lines)
			}
			body := header + strings.Join(lines[from:end], "")
			pieces = append(pieces, Piece{Input: table.Input{Name: names[i], Reader: strings.NewReader(body), LinesBefore: from}, Row: row,
				Rows: end - from})
			row += end - from
			from = end
		}
	}
	return pieces
}

// encoded returns v as encoding/gob returns it.
func encoded[T any](t *testing.T, v *T) *T {
	t.Helper()
	var b bytes.Buffer
	testenv.OK(t, gob.NewEncoder(&b).Encode(v))
	back := new(T)
	testenv.OK(t, gob.NewDecoder(&b).Decode(back))
	return back
}

// merge ingests the pieces in random order, through encodings, and merges them.
func merge(t *testing.T, s Source, pieces []Piece, o PieceOptions) (*Merged, error) {
	t.Helper()
	ctx := context.Background()
	again := func(p Piece) Piece {
		_, _ = p.Reader.(*strings.Reader).Seek(0, 0)
		return p
	}
	plan, err := NewSharded(ctx, s, pieces[0])
	if err != nil {
		return nil, err
	}
	plan.Rows = pieces[len(pieces)-1].Row + pieces[len(pieces)-1].Rows
	plan = encoded(t, plan)
	priors := make([]*Prior, len(pieces))
	if plan.Outlined {
		outlines := make([]*Outline, len(pieces))
		for _, i := range rand.Perm(len(pieces)) {
			one, err := plan.Outline(ctx, again(pieces[i]))
			if err != nil {
				return nil, err
			}
			outlines[i] = encoded(t, one)
		}
		all, err := plan.Priors(outlines)
		if err != nil {
			return nil, err
		}
		for i := range all {
			priors[i] = encoded(t, &all[i])
		}
	}
	partials := make([]*Partial, len(pieces))
	for _, i := range rand.Perm(len(pieces)) {
		one, err := plan.Ingest(ctx, again(pieces[i]), priors[i], o)
		if err != nil {
			return nil, err
		}
		partials[i] = encoded(t, one)
	}
	return plan.Merge(partials)
}

// sameParts compares all that parts have.
func sameParts(t *testing.T, got, want *Parts) {
	t.Helper()
	for at, d := range got.byShard() {
		name, w := PartNames()[at], want.byShard()[at]
		testenv.Equal(t, (d == nil), (w == nil), "%s: %v, want %v", name, d, w)
		if d == nil || w == nil {
			continue
		}
		if !slices.Equal(d.Rows, w.Rows) || !same(d.X, w.X) || !slices.Equal(d.Y, w.Y) || !reflect.DeepEqual(d.Others, w.Others) ||
			!slices.Equal(d.Weights, w.Weights) {
			t.Errorf("%s: other values or rows: %d rows, want %d", name, d.Len(), w.Len())
		}
		if !slices.Equal(d.Groups, w.Groups) || d.table.header != w.table.header || !slices.Equal(d.table.records, w.table.records) {
			t.Errorf("%s: other groups or records", name)
		}
		g := fmt.Sprint(d.Schema, d.Missing, d.Commas, d.Weightless, d.Ordered)
		if w := fmt.Sprint(w.Schema, w.Missing, w.Commas, w.Weightless, w.Ordered); g != w {
			t.Errorf("%s: %s, want %s", name, g, w)
		}
	}
}

// A table that is ingested in pieces has the parts that one ingest of the whole has, and statistics that do not depend
// on the pieces, for every kind of division and column.
func TestShardedParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	texts := []string{largeTable(1500), permuted(largeTable(700)), strings.ReplaceAll(largeTable(300), ",", ";")}
	marked := func(o table.Options) table.Options { o.Weight, o.SplitColumn = "", "part"; return o }
	for name, c := range map[string]struct {
		o  table.Options
		sp Split
	}{
		"random":      {largeOptions, Split{Train: 0.6, Validation: 0.2, Seed: 3}},
		"calibration": {largeOptions, Split{Train: 0.6, Seed: 4, Calibration: 0.25}},
		"classes": {table.Options{Target: "kind", Features: []string{"a", "b", "colour"}, Missing: "drop", Weight: "w"},
			Split{Train: 0.5, Calibration: 0.3}},
		"number class": {table.Options{Target: "w", Task: "classification", Features: []string{"a", "size"}, Missing: "mean"},
			Split{Train: 0.5, Validation: 0.3, Calibration: 0.1}},
		"targets": {table.Options{Target: "y", Others: []string{"b"}, Features: []string{"size", "a"}, Missing: "mean"}, Split{Train: 0.7}},
		"own":     {table.Options{Target: "y", Features: []string{"a", "b", "colour"}, Missing: "own", Weight: "w"}, Split{Train: 0.7}},
		"groups": {table.Options{Target: "y", Group: "g", Features: []string{"a", "b"}, Missing: "mean"},
			Split{Train: 0.5, Calibration: 0.3}},
		"chronological": {table.Options{Target: "y", Features: []string{"b", "a"}, Missing: "drop"},
			Split{Kind: "chronological", Train: 0.5, Validation: 0.2, Calibration: 0.1}},
		"column": {marked(largeOptions), Split{Kind: "column", Column: "part"}},
		"blanks": {table.Options{Target: "y", Features: []string{"a"}, SplitColumn: "part"}, Split{Kind: "column", Column: "part"}},
	} {
		t.Run(name, func(t *testing.T) {
			of := slices.Clone(texts)
			if name != "groups" && name != "targets" { // of one delimiter: other cells
				of = of[:2]
			}
			if c.sp.Kind == splitColumn {
				for i := range of {
					of[i] = withMarks(of[i])
				}
			}
			s := Source{Path: table.List(written(t, of)), Options: c.o, Split: c.sp}
			p, g := ingestFiles(t, s)
			var statistics string
			for _, n := range []int{1, 2, 4, 8} {
				m := testenv.Must(merge(t, s, piecesOf(table.Names(s.Path), of, n, rng), PieceOptions{}))
				if m.Kept() != g.kept || m.Read() < m.Kept() {
					t.Errorf("%d of %d rows kept, want %d", m.Kept(), m.Read(), g.kept)
				}
				closeTo(t, (&ingested{ingest: m.ingest, shard: m.shards[trainShard]}).Features(),
					(&ingested{ingest: g, shard: g.shards[trainShard]}).Features())
				now := fmt.Sprint(textOf(m.Statistics()))
				if statistics != "" && now != statistics {
					t.Errorf("%d pieces: statistics %s, were %s", n, now, statistics)
				}
				statistics = now
				parts := testenv.Must(m.Parts(context.Background(), s))
				sameParts(t, parts, p)
			}
		})
	}
}

// permuted returns a table with its last column first.
func permuted(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		at := strings.LastIndexByte(line, ',')
		b.WriteString(line[at+1:] + "," + line[:at] + "\n")
	}
	return b.String()
}

// withMarks returns a table with a column of parts: each row that lacks a is of the test part.
func withMarks(text string) string {
	var b strings.Builder
	n, a := 0, 0
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		cells := strings.Split(line, ",")
		mark := []string{"train", "Test", "train", "validation"}[n%4]
		switch {
		case n == 0:
			mark, a = "part", slices.Index(cells, "a")
		case cells[a] == "":
			mark = "test"
		}
		b.WriteString(line + "," + mark + "\n")
		n++
	}
	return b.String()
}

func written(t *testing.T, texts []string) (names []string) {
	t.Helper()
	dir := t.TempDir()
	for i, text := range texts {
		names = append(names, filepath.Join(dir, fmt.Sprintf("part-%d.csv", i)))
		testenv.OK(t, os.WriteFile(names[i], []byte(text), 0o600))
	}
	return names
}

// ingestFiles ingests the table of a source as a large one.
func ingestFiles(t *testing.T, s Source) (*Parts, *ingest) {
	t.Helper()
	testenv.OK(t, s.Validate())
	o := testenv.Must(s.options())
	o.Scratch = t.TempDir()
	g := testenv.Must(loadingBy(o, o.Input(s.Path)).ingest(context.Background(), assignment{Split: s.Split}, o))
	p := testenv.Must(g.parts())
	t.Cleanup(func() { _ = p.Close() })
	return p, g
}

// textOf returns statistics to the last bit.
func textOf(all []PartStatistics) string {
	var b strings.Builder
	for _, p := range all {
		fmt.Fprintf(&b, "%s %d %x\n", p.Name, p.Rows, p.Weight)
		for _, c := range p.Columns {
			fmt.Fprintf(&b, "%s %d %d %v", c.Name, c.Values, c.Missing, c.Levels)
			for _, v := range []*float64{c.Mean, c.SD, c.Min, c.Max} {
				if v != nil {
					fmt.Fprintf(&b, " %x", *v)
				}
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Faults of the table are those of the whole, with the line of the file, also where each piece alone has none.
func TestShardedFaults(t *testing.T) {
	rows := func(from, to int, cell string) string {
		var b strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, cell+",%d\n", i, i)
		}
		return b.String()
	}
	for name, c := range map[string]struct{ text, fault string }{
		"number, then word": {"a,y\n" + rows(0, 20, "%d") + "red,1\n" + rows(0, 19, "w%d"),
			"part-0.csv:22:1: column \"a\": \"red\" is not a plain decimal number: correct it, or ignore the column (data.ignore), or code it " +
				"(data.categorical)"},
		"word, then number": {"a,y\n" + rows(0, 20, "w%d") + rows(20, 40, "%d"),
			"part-0.csv:2:1: column \"a\": \"w0\" is not a plain decimal number: correct it, or ignore the column (data.ignore), or code it " +
				"(data.categorical) (\"20\" in a later row is not a category)"},
		"too many levels": {"a,y\n" + rows(0, 60, "w%d"), "part-0.csv:52:1: column \"a\" has more than 50 levels"},
		"ragged":          {"a,y\n" + rows(0, 30, "%d") + "1\n" + rows(0, 9, "%d"), "part-0.csv:32:2: the row has 1 cells, the header 2"},
		"blank":           {"a,y\n" + rows(0, 30, "%d") + ",1\n" + rows(0, 9, "%d"), "part-0.csv:32:1: column \"a\": the cell is blank"},
		"rare class": {"a,y\n" + rows(0, 30, "%d") + "1,x\n" + rows(0, 9, "%d"),
			"part-0.csv:32:3: column \"y\": \"x\" is not a plain decimal number"},
		"a group's blank": {"a,y\n1,2\n", "the table has no column"},
	} {
		names := written(t, []string{c.text})
		s := Source{Path: names[0], Options: table.Options{Target: "y"}, Split: Split{Train: 0.9999999}}
		if strings.Contains(name, "group") {
			s.Group = "g"
		}
		_, err := merge(t, s, piecesOf(names, []string{c.text}, 2, rand.New(rand.NewPCG(1, 1))), PieceOptions{})
		testenv.FailsWith(t, err, c.fault, "%s", name)
		if whole, werr := s.Load(context.Background()); err != nil && (werr == nil || werr.Error() != err.Error()) {
			t.Errorf("%s: %v\nthe whole table: %v %v", name, err, werr, whole)
		}
	}
}

// Samples of a table of more than SampleRows rows are those of the whole, though each piece keeps fewer rows.
func TestShardedSamples(t *testing.T) {
	const n = SampleRows + 80_000
	var b strings.Builder
	b.WriteString("x,y\n")
	for i := range n {
		fmt.Fprintf(&b, "%d,%d.50\n", i, i%7)
	}
	text := b.String()
	names := written(t, []string{text})
	s := Source{Path: names[0], Options: table.Options{Target: "y", Features: []string{"x"}}, Split: Split{Train: 0.9, Seed: 5}}
	p, _ := ingestFiles(t, s)
	m := testenv.Must(merge(t, s, piecesOf(names, []string{text}, 5, rand.New(rand.NewPCG(1, 9))), PieceOptions{}))
	parts := testenv.Must(m.Parts(context.Background(), s))
	sameParts(t, parts, p)
	w := parts.Train.Whole
	if w == nil || w.Len() != SampleRows || w.Features()[0].N != p.Train.Whole.Len() || p.Test.Whole != nil || parts.Test.Whole != nil {
		t.Fatalf("whole %v", w)
	}
	closeTo(t, w.Features(), p.Train.Whole.Features())
	closeTo(t, w.Targets(), p.Train.Whole.Targets())
	rows := 0
	for i := range w.Buckets() {
		d := testenv.Must(w.Bucket(i))
		rows += d.Len()
	}
	testenv.Equal(t, rows, SampleRows, "rows in the buckets")
}

// A sample of which a piece kept too few rows is found out, and whole with PieceOptions.Complete.
func TestShardedScarce(t *testing.T) {
	text := largeTable(1000)
	names := written(t, []string{text})
	s := Source{Path: names[0], Options: table.Options{Target: "y", Features: []string{"b"}}, Split: Split{Train: 0.9}}
	plan := testenv.Must(NewSharded(context.Background(), s, Piece{Input: table.Input{Name: names[0]}}))
	for rows, want := range map[int]error{1000: nil, 1_000_000: ErrScarce} {
		plan.Rows = rows
		p := testenv.Must(plan.Ingest(context.Background(), Piece{Input: table.Input{Name: names[0]}, Rows: 1000}, nil, PieceOptions{}))
		testenv.Equal(t, second(plan.Merge([]*Partial{p})), want, "of %d rows", rows)
	}
	p := testenv.Must(plan.Ingest(context.Background(), Piece{Input: table.Input{Name: names[0]}, Rows: 1000}, nil,
		PieceOptions{Complete: true}))
	if _, err := plan.Merge([]*Partial{p}); err != nil {
		t.Error(err)
	}
	if _, err := plan.Ingest(context.Background(), Piece{Input: table.Input{Name: names[0]}, Rows: 999}, nil, PieceOptions{}); err == nil ||
		!strings.Contains(err.Error(), "1000 rows were read where 999 were counted before") {
		t.Error(err)
	}
}

// The rows of a committee's members are disjoint, and together all training rows of a small table; so are those of groups.
func TestShardedMembers(t *testing.T) {
	text := largeTable(2000)
	names := written(t, []string{text})
	for _, group := range []string{"", "g"} {
		s := Source{Path: names[0], Options: table.Options{Target: "y", Features: []string{"b"}, Group: group},
			Split: Split{Train: 0.6, Validation: 0.2, Calibration: 0.1}}
		plan := testenv.Must(NewSharded(context.Background(), s, Piece{Input: table.Input{Name: names[0]}}))
		plan.Rows = 2000
		piece := Piece{Input: table.Input{Name: names[0]}, Rows: 2000}
		var prior *Prior
		if plan.Outlined != (group != "") {
			t.Fatalf("group %q: outlined %v", group, plan.Outlined)
		}
		if plan.Outlined {
			o := testenv.Must(plan.Outline(context.Background(), piece))
			priors := testenv.Must(plan.Priors([]*Outline{o}))
			prior = &priors[0]
		}
		p := testenv.Must(plan.Ingest(context.Background(), piece, prior, PieceOptions{Members: 3}))
		p = encoded(t, p)
		rows, of := map[int]int{}, map[int]int{} // the member of each row and group
		var features []Moments
		for k := range 3 {
			m := testenv.Must(plan.Merge([]*Partial{encoded(t, p.Member(k))}))
			parts := testenv.Must(m.Parts(context.Background(), s))
			if parts.Test != nil || parts.Calibration != nil || parts.Validation.Len() < 300 || parts.Train.Whole.Len() != parts.Train.Len() {
				t.Errorf("member %d: %+v", k, parts)
			}
			for i, row := range parts.Train.Rows {
				rows[row] = k
				if group != "" {
					if one, known := of[parts.Train.Groups[i]]; known && one != k {
						t.Fatalf("group %d has rows of members %d and %d", parts.Train.Groups[i], one, k)
					}
					of[parts.Train.Groups[i]] = k
				}
			}
			if features != nil && !reflect.DeepEqual(features, parts.Train.Whole.Features()) {
				t.Errorf("member %d has statistics of its own", k)
			}
			features = parts.Train.Whole.Features()
		}
		testenv.Equal(t, len(rows), p.Parts[trainShard].N, "group %q: the members have", group)
	}
}
