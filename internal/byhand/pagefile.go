package byhand

import (
	"errors"
	"io"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/page"
)

func init() { Register(Format{Title: "page", Extensions: []string{".txt"}, Read: ReadPage}) }

// ReadPage reads the text of a page or of several, see [page.ParseAll], without what `tskgraph show` prints after it. name is
// the path of the file. A fault is an [Error].
func ReadPage(r io.Reader, name string) (*Rulebook, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxSize+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxSize {
		return nil, Errorf(name, 0, 0, "more than %d bytes: no page is that long", maxSize)
	}
	all, err := page.ParseAll(words.CutPage(string(text)))
	if err != nil {
		var at *page.Error
		if errors.As(err, &at) {
			return nil, Errorf(name, at.Line, at.Column, "%s", at.Message)
		}
		return nil, Errorf(name, 0, 0, "%v", err)
	}
	book := &Rulebook{File: name, Pages: all}
	for _, p := range all {
		book.Rules = append(book.Rules, make([]Rule, len(p.Rules))...)
	}
	return book, nil
}

// pagePreprocessing returns what a page states of its columns and target. The values of a column of numbers are taken to be uniform over
// its range and that of its borders, the levels of a column equally frequent.
func pagePreprocessing(pg *page.Page) model.Preprocessing {
	var p model.Preprocessing
	for _, c := range pg.Columns {
		p.ImputeMeans = p.ImputeMeans || c.Missing != nil
		column := table.NewColumn(c.Name, c.Unit, c.Levels, false)
		column.Missing = c.Own || c.Missing != nil && c.Missing.Level == page.MissingLevel
		p.Schema.Columns = append(p.Schema.Columns, column)
		if c.Levels == nil {
			low, high := rangeOf(pg, c)
			p.Features = append(p.Features, uniform(low, high))
		}
		levels := c.Levels
		if c.Own {
			levels = []string{page.MissingLevel}
		}
		share := 1 / float64(len(levels)+1)
		for range levels {
			f := model.Feature{Mean: share, SD: math.Sqrt((1 - share) * share), Max: 1}
			f.Quantiles = quantiles(func(at float64) float64 { return math.Floor(min(at+share, 1)) })
			p.Features = append(p.Features, f)
		}
	}
	for i, name := range p.Schema.Features() {
		p.Features[i].Name = name
	}
	p.Schema.Target, p.Schema.TargetUnit = pg.Target, pg.Unit
	p.Target = targetOf(Target{Name: pg.Target, Range: &[2]float64{pg.Low, pg.High}})
	return p
}

// rangeOf returns the range of a column of numbers: that of terms and tables, extended to the borders and to a missing cell.
func rangeOf(pg *page.Page, c page.Column) (low, high float64) {
	values := []float64{c.Low, c.High}
	if c.Low == c.High {
		values = nil // only conditions have it
	}
	if c.Missing != nil {
		values = append(values, c.Missing.Number)
	}
	for _, r := range pg.Rules {
		for _, one := range r.Conditions {
			for _, b := range []*page.Border{one.Above, one.AtMost} {
				if b != nil && one.Column == c.Name {
					values = append(values, b.From, b.At, b.To)
				}
			}
		}
	}
	if values == nil {
		return 0, 1
	}
	if low, high = slices.Min(values), slices.Max(values); low == high {
		return low - 1, high + 1
	}
	return low, high
}

// pageModel returns the model of pages, with the columns of another model (nil: those that a single page states).
func (b *Rulebook) pageModel(like *model.Model, training model.Training) (*model.Model, error) {
	m := &model.Model{Training: training}
	for _, p := range b.Pages {
		pg := *p
		m.Pages = append(m.Pages, &pg)
	}
	if like == nil {
		if err := b.stated(); err != nil {
			return nil, err
		}
		m.Preprocessing = pagePreprocessing(m.Pages[0])
	} else {
		m.Preprocessing = like.Preprocessing
		m.Components, m.Features = nil, slices.Clone(like.Features)
		for i := range m.Features {
			m.Features[i].Power = nil
		}
		for c, pg := range m.Pages {
			if c < len(like.Pages) && pg.String() == like.Pages[c].String() {
				*pg = *like.Pages[c] // with what the text does not have
			} else {
				complete(pg, like, c)
			}
		}
	}
	m.ReadMissing()
	err := m.TakeMissing(m.Pages...)
	if err == nil {
		m.FillPage(m.Pages...)
		err = m.PageLimits(m.Pages...)
	}
	if err == nil {
		m.RuleBase, err = m.PageRules(m.Pages...)
	}
	if err != nil {
		return nil, Errorf(b.File, 0, 0, "%s", escape.Text(err.Error()))
	}
	m.Rules = make([]model.RuleSummary, m.RuleBase.Rules())
	for r := range m.Rules {
		m.Rules[r].Share = 1 / float64(len(m.Rules))
	}
	if err := m.Encode(io.Discard); err != nil {
		return nil, Errorf(b.File, 0, 0, "%s", escape.Text(err.Error()))
	}
	return m, nil
}

// stated checks that a single page states the ranges of the columns of its terms and tables, and the limits of the value.
func (b *Rulebook) stated() error {
	if len(b.Pages) > 1 {
		return Errorf(b.File, 0, 0, "%d pages, of several outputs: read them with the columns of a model (--model)", len(b.Pages))
	}
	pg := b.Pages[0]
	of := slices.Clone(pg.Terms)
	for _, r := range pg.Rules {
		of = append(of, r.Terms...)
	}
	for _, t := range pg.Tables {
		of = append(of, page.Term{Column: t.Column})
	}
	for _, c := range pg.Columns {
		if c.Levels == nil && c.Low == c.High && slices.ContainsFunc(of, func(t page.Term) bool { return t.Column == c.Name }) {
			return Errorf(b.File, 0, 0, "the range of %s is not known: state it, such as In formulas and tables, %s counts as at least 0 and at "+
				"most 10. Or use that of a model (--model)", escape.Quote(c.Name), escape.Quote(c.Name))
		}
	}
	if pg.Class != "" {
		return Errorf(b.File, 0, 0, "a page of %s: read it with the columns and classes of a model (--model)", escape.Quote(pg.Target))
	}
	if pg.Low == pg.High {
		return Errorf(b.File, 0, 0, "the limits of the value are not known: state them, such as No value is below 0 or above 100. Or use "+
			"those of a model (--model)")
	}
	return nil
}

// complete adds to the page of output c what its text may lack: the order of its columns, all their levels, their ranges, and the limits of
// the value.
func complete(pg *page.Page, like *model.Model, c int) {
	place := func(c page.Column) int {
		return slices.IndexFunc(like.Schema.Columns, func(o data.Column) bool { return o.Name == c.Name })
	}
	pg.Columns = slices.Clone(pg.Columns)
	slices.SortStableFunc(pg.Columns, func(a, b page.Column) int { return place(a) - place(b) })
	for i, c := range pg.Columns {
		k := place(c)
		if k < 0 {
			continue // an error later
		}
		pg.Columns[i].Levels = like.Schema.Columns[k].Levels
		if f := featureOf(like, k); c.Levels == nil && c.Low == c.High {
			pg.Columns[i].Low, pg.Columns[i].High = f.Min, f.Max
		}
	}
	if pg.Low == pg.High && like.Scaled() && c < like.OutputCount() {
		target := (&model.Model{Preprocessing: like.Preprocessing}).Output(c).Target
		pg.Low, pg.High = target.Min, target.Max
	}
}

// featureOf returns the first feature of column k of a model.
func featureOf(m *model.Model, k int) model.Feature {
	first := 0
	for _, c := range m.Schema.Columns[:k] {
		first += c.Width()
	}
	return m.Features[first]
}
