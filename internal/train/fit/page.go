package fit

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/internal/train/pages"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/page"
)

// onPage trains a page. There are neither iterations nor run states: a training that resumes starts again.
func (t *trainer) onPage(ctx context.Context) (*Result, error) {
	if t.Start != nil {
		return nil, startsItself(recipe.PageInit)
	}
	prep := t.prep // that of the set may be shared
	prep.ReadMissing()
	o, err := pageOptions(t.Recipe, prep)
	if err != nil {
		return nil, err
	}
	s := pageSamples(prep, t.data)
	if s.Folds, err = pageFolds(t.data, o.Seed); err != nil {
		return nil, err
	}
	found, err := t.findPage(ctx, s, o)
	if ctx.Err() != nil {
		return nil, interrupted(ctx)
	}
	if err != nil {
		return nil, err
	}
	found.Page.Sizes = found.Sizes
	prep.FillPage(found.Page)
	if err := t.trainPage(ctx, prep, s, o, found); err != nil {
		return nil, err
	}
	m, err := t.pageModel(ctx, prep, found)
	if m == nil {
		return nil, err
	}
	r := t.made
	r.Model, r.Training.Stopped = m, optim.StoppedCompleted
	return &r, err
}

// findPage finds a page or, of a file, fits its numbers, and notes the errors in cross-validation of both.
func (t *trainer) findPage(ctx context.Context, s pages.Samples, o pages.Options) (*pages.Found, error) {
	if !t.Recipe.Model.FromPage() {
		return pages.Find(ctx, s, o)
	}
	book, err := byhand.ReadFile(t.Recipe.Model.Init)
	if err != nil {
		return nil, &recipe.Error{Key: "model.init", Message: err.Error()}
	}
	if len(book.Pages) != 1 {
		return nil, &recipe.Error{Key: "model.init", Message: fmt.Sprintf("%s: %d pages, of several outputs: want one", escape.Text(
			t.Recipe.Model.Init), len(book.Pages))}
	}
	fitted, err := pages.Refit(s, book.Pages[0], o)
	if err != nil {
		return nil, &recipe.Error{Key: "model.init", Message: escape.Text(t.Recipe.Model.Init + ": " + err.Error())}
	}
	if t.Unmeasured {
		return &pages.Found{Page: fitted}, nil
	}
	rmse, err := pages.CrossValidated(s, book.Pages[0], o)
	if err != nil {
		return nil, err
	}
	learned, err := pages.Find(ctx, s, o)
	if err != nil {
		return nil, err
	}
	t.made.StartNotes = fmt.Sprintf("the numbers of %s were fitted again: %s, RMSE %s in cross-validation", escape.Text(filepath.Base(
		t.Recipe.Model.Init)), numeric.Counted(fitted.Numbers(), "number"), numeric.Show(rmse, 4))
	numbers := learned.Page.Numbers()
	if i := slices.IndexFunc(learned.Sizes, func(size pages.Size) bool { return size.Numbers == numbers }); i >= 0 {
		t.made.StartNotes += fmt.Sprintf("; the learned page (model.init page) has %d, and %s. This favours a structure that was found "+
			"on the same rows: the learned page is searched in each fold without the rows held out", numbers, numeric.Show(learned.Sizes[i].RMSE, 4))
	}
	return &pages.Found{Page: fitted}, nil
}

// trainPage trains the page on, if it has ramps.
func (t *trainer) trainPage(ctx context.Context, prep model.Preprocessing, s pages.Samples, o pages.Options, found *pages.Found) error {
	fitted := func(rows []int, like []*page.Page) ([]*page.Page, error) {
		if rows == nil {
			pg, err := pages.Refit(s, like[0], o)
			return []*page.Page{pg}, err
		}
		pg, err := pages.RefitRows(s, rows, like[0], o)
		return []*page.Page{pg}, err
	}
	made, note, err := t.trainOn(ctx, prep, []*page.Page{found.Page}, pages.FoldsOf(s, o), fitted)
	if note != "" {
		t.made.StartNotes = strings.TrimPrefix(t.made.StartNotes+"; "+note, "; ")
	}
	if err == nil && made[0] != found.Page {
		was := found.Page
		found.Page = made[0]
		found.Page.Sizes, found.Page.Moved = was.Sizes, was.Moved
		for r := range was.Rules {
			found.Page.Rules[r].Again = was.Rules[r].Again
		}
	}
	return err
}

// pageModel returns the model of a page, measured.
func (t *trainer) pageModel(ctx context.Context, prep model.Preprocessing, found *pages.Found) (*model.Model, error) {
	if err := prep.PageLimits(found.Page); err != nil {
		return nil, err
	}
	rb, err := prep.PageRules(found.Page)
	if err != nil {
		return nil, err
	}
	training := model.Training{Seed: t.Recipe.Train.Seed, Engine: t.Recipe.Model.Engine, Options: t.Recipe.Values(),
		Versions: buildinfo.Versions(), Metrics: map[string]float64{}}
	training.SetSamples(t.data)
	if t.Unmeasured {
		return &model.Model{Preprocessing: prep, RuleBase: rb, Pages: []*page.Page{found.Page}, Training: training}, nil
	}
	m, err := model.New(context.WithoutCancel(ctx), prep, rb, t.data.X, t.data.Weights, training)
	if err != nil {
		return nil, err
	}
	m.Pages = []*page.Page{found.Page}
	return m, Finish(ctx, m, t.Recipe, t.data, t.validation)
}

// startsItself is the error about clusters for an initialiser that places the rules itself.
func startsItself(init string) error {
	return &recipe.Error{Key: "model.init", Message: fmt.Sprintf("Run.Start does not apply to %s, which places the rules itself", init)}
}

// pageOptions returns the limits of a page. Limits of predictions that the recipe leaves to the page are infinite.
func pageOptions(r recipe.Recipe, prep model.Preprocessing) (pages.Options, error) {
	limit := func(v float64, otherwise int) int {
		if v == 0 {
			return otherwise
		}
		return int(v)
	}
	if err := prep.Limit(float64(r.Model.PageMargin()), (*[2]float64)(r.Model.Bounds)); err != nil {
		return pages.Options{}, err
	}
	o := pages.Options{Numbers: r.Model.Page, Rules: limit(float64(r.Model.Rules), recipe.ReadableRules),
		Conditions: limit(r.Model.Antecedents, recipe.ReadableConditions),
		Terms:      limit(r.Model.Terms, recipe.ReadableTerms), Seed: r.Train.Seed}
	o.Low, o.High = prep.Target.Limits()
	return o, nil
}

// pageFolds returns the folds of a part with groups, which they keep together, or in time order, where each is predicted from the rows
// before it; nil for any other part.
func pageFolds(train *data.Dataset, seed uint64) (all []pages.Fold, err error) {
	if !train.Ordered && train.Groups == nil {
		return nil, nil
	}
	var folds []data.Fold
	for k := pages.FoldCount(train.Len()); k >= 2 && folds == nil; k-- { // there may be few groups
		folds, err = train.Folds(k, rand.New(rand.NewPCG(seed, pageStream)))
	}
	for _, f := range folds {
		all = append(all, pages.Fold(f))
	}
	return all, err
}

// pageStream separates the folds of pages from the other random streams of the same seed.
const pageStream = 0x70616765 // "page"

// pageSamples returns a training part in the units of its table, without constant columns and levels. Missing cells are as the model reads
// them, see model.Preprocessing.ReadMissing.
func pageSamples(prep model.Preprocessing, train *data.Dataset) pages.Samples {
	s := pages.Samples{Y: train.Y, Weight: train.Weights, Target: prep.Schema.Target, Unit: prep.Schema.TargetUnit}
	first := 0
	for _, c := range prep.Schema.Columns {
		features := prep.Features[first:][:c.Width()]
		column := pages.Column{Name: c.Name, Unit: c.Unit}
		switch used := slices.ContainsFunc(features, func(f model.Feature) bool { return !f.Constant }); {
		case !used:
		case c.Nominal():
			column.Levels, column.Codes = pageLevels(c, features, first, train.X)
		default:
			at := features[0].Mean // of a missing cell
			for _, row := range train.X {
				v := row[first]
				if math.IsNaN(v) {
					v = at
				}
				column.Values = append(column.Values, v)
			}
		}
		if !c.Numbers() && column.Values != nil {
			column.Levels, column.Ordered = c.Levels, true
			for _, v := range column.Values {
				column.Codes = append(column.Codes, int(v)-1)
			}
			column.Values = nil
		}
		if column.Values != nil || column.Codes != nil {
			s.Columns = append(s.Columns, column)
		}
		first += c.Width()
	}
	return s
}

// pageLevels returns the levels of a column that occur, and which of them the cell of each row is; their number if none.
func pageLevels(c data.Column, features []model.Feature, first int, x [][]float64) (levels []string, codes []int) {
	var columns []int
	for k, f := range features {
		if !f.Constant {
			levels, columns = append(levels, c.Levels[k]), append(columns, first+k)
		}
	}
	for _, row := range x {
		code := slices.IndexFunc(columns, func(m int) bool { return row[m] == 1 })
		if code < 0 {
			code = len(levels)
		}
		codes = append(codes, code)
	}
	return levels, codes
}
