package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/internal/train/pages"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/page"
	"github.com/tskgraph/tskgraph/rules"
)

// StageMeasures is the stage after those of the search of a page, see [pages.StageSearch].
const StageMeasures = "measures"

// onPage trains a page. There are neither iterations nor run states: a training that resumes starts again.
func (t *trainer) onPage(ctx context.Context) (*Result, error) {
	if t.Start != nil {
		return nil, startsItself(recipe.PageInit)
	}
	prep := t.prep // that of the set may be shared
	prep.ReadMissing()
	if err := prep.Limit(float64(t.Recipe.Model.PageMargin()), (*[2]float64)(t.Recipe.Model.Range)); err != nil {
		return nil, err
	}
	o := pageOptions(t.Recipe)
	all, err := pageOutputs(prep, t.data, t.Recipe, o)
	if err != nil {
		return nil, err
	}
	o.Peers = t.Peers
	if o.OnStep = t.OnPage; t.OnLeader != nil && len(all) == 1 && !t.Recipe.Model.FromPage() {
		o.OnPage = func(pg *page.Page) { t.provisional(prep, pg) }
	}
	made, err := t.findPages(ctx, prep, all, o)
	if ctx.Err() != nil {
		return nil, interrupted(ctx)
	}
	if err != nil {
		return nil, err
	}
	prep.FillPage(made...)
	if made, err = t.trainPages(ctx, prep, all, o, made); err != nil {
		return nil, err
	}
	for c, pg := range made {
		if err := all[c].Check(pg); err != nil {
			return nil, fmt.Errorf("the page that was found is not what model.roles, model.interactions and model.monotone promise: %w", err)
		}
	}
	if t.OnPage != nil {
		t.OnPage(StageMeasures, 0, 1)
	}
	m, err := t.pageModel(ctx, prep, made)
	if m == nil {
		return nil, err
	}
	r := t.made
	r.Model, r.Training.Stopped = m, optim.StoppedCompleted
	return &r, err
}

// provisional reports the model of a page that is not the result, if the page becomes rules.
func (t *trainer) provisional(prep model.Preprocessing, pg *page.Page) {
	prep.FillPage(pg)
	if err := prep.PageLimits(pg); err != nil {
		return
	}
	if rb, err := prep.PageRules(pg); err == nil {
		t.OnLeader(&model.Model{Preprocessing: prep, RuleBase: rb, Pages: []*page.Page{pg}})
	}
}

// findPages finds one page of each output or, of a file, fits the numbers of its page, and notes the errors in cross-validation of both. Of
// several outputs, pages have as many rules as those that these become have room for.
func (t *trainer) findPages(ctx context.Context, prep model.Preprocessing, all []pages.Samples, o pages.Options) ([]*page.Page, error) {
	if t.Recipe.Model.FromPage() {
		return t.fitPage(ctx, all, o)
	}
	for {
		found, err := pages.FindEach(ctx, all, o)
		if err != nil {
			return nil, err
		}
		var made []*page.Page
		for _, f := range found {
			if f.Page.Sizes = f.Sizes; len(all) > 1 { // those of all together are not known
				f.Page.Sizes, f.Page.Measure = nil, ""
			}
			made = append(made, f.Page)
		}
		if _, err := prep.PageRules(made...); err == nil || len(all) == 1 || o.Rules <= 1 {
			return made, errors.Join(err, t.noteCost(ctx, all, o, found[0]))
		}
		o.Rules--
	}
}

// noteCost notes what the directions of columns cost: the errors in cross-validation of the page, and of the one that is found without
// them.
func (t *trainer) noteCost(ctx context.Context, all []pages.Samples, o pages.Options, with *pages.Found) error {
	if len(t.Recipe.Model.Monotone) == 0 || t.Unmeasured || len(all) > 1 {
		return nil
	}
	s := all[0]
	s.Columns = slices.Clone(s.Columns)
	for j := range s.Columns {
		c := &s.Columns[j]
		c.Sign, c.NoIf = 0, t.Recipe.Model.Roles.Lacks(c.Name)&rules.KeepIf != 0
	}
	o.OnPage = nil
	without, err := pages.Find(ctx, s, o)
	if err != nil {
		return err
	}
	t.made.StartNotes = fmt.Sprintf("monotone columns (model.monotone): %s %s in cross-validation, and %s without them", s.Measure(),
		numeric.Show(with.Error(), 4), numeric.Show(without.Error(), 4))
	return nil
}

// fitPage fits the numbers of the pages of a file.
func (t *trainer) fitPage(ctx context.Context, all []pages.Samples, o pages.Options) ([]*page.Page, error) {
	book, err := byhand.ReadFile(t.Recipe.Model.Init)
	if err != nil {
		return nil, &recipe.Error{Key: "model.init", Message: err.Error()}
	}
	if len(book.Pages) != len(all) {
		return nil, &recipe.Error{Key: "model.init", Message: fmt.Sprintf("%s: %d pages, but there are %d outputs: %s", escape.Text(
			t.Recipe.Model.Init), len(book.Pages), len(all), escape.List(targetsOf(all)))}
	}
	fitted, err := pages.RefitEach(all, nil, book.Pages, o)
	if err != nil {
		return nil, &recipe.Error{Key: "model.init", Message: escape.Text(t.Recipe.Model.Init + ": " + err.Error())}
	}
	if t.Unmeasured || len(all) > 1 {
		return fitted, nil
	}
	s := all[0]
	least, err := pages.CrossValidated(s, book.Pages[0], o)
	if err != nil {
		return nil, err
	}
	learned, err := pages.Find(ctx, s, o)
	if err != nil {
		return nil, err
	}
	t.made.StartNotes = fmt.Sprintf("the numbers of %s were fitted again: %s, %s %s in cross-validation", escape.Text(filepath.Base(
		t.Recipe.Model.Init)), numeric.Counted(fitted[0].Numbers(), "number"), s.Measure(), numeric.Show(least, 4))
	if e := learned.Error(); !math.IsNaN(e) {
		t.made.StartNotes += fmt.Sprintf("; the learned page (model.init page) has %d, and %s. This favours a structure that was found "+
			"on the same rows: the learned page is searched in each fold without the rows held out", learned.Page.Numbers(), numeric.Show(e, 4))
	}
	return fitted, nil
}

// targetsOf returns the names of outputs.
func targetsOf(all []pages.Samples) (names []string) {
	for _, s := range all {
		names = append(names, s.Target)
	}
	return names
}

// trainPages trains the ramps of a single page. Several pages are returned as they are: their ramps must remain equal; and so is a page of
// limited values, whose loss is not the recipe's.
func (t *trainer) trainPages(ctx context.Context, prep model.Preprocessing, all []pages.Samples, o pages.Options, from []*page.Page) (
	[]*page.Page, error) {
	if _, clipped := all[0].Loss.(pages.Clipped); len(all) > 1 || clipped {
		return from, nil
	}
	made, note, err := t.trainOn(ctx, prep, from, all[0], o)
	if note != "" {
		t.made.StartNotes = strings.TrimPrefix(t.made.StartNotes+"; "+note, "; ")
	}
	return made, err
}

// pageModel returns the model of pages, measured.
func (t *trainer) pageModel(ctx context.Context, prep model.Preprocessing, made []*page.Page) (*model.Model, error) {
	if err := prep.PageLimits(made...); err != nil {
		return nil, err
	}
	rb, err := prep.PageRules(made...)
	if err != nil {
		return nil, err
	}
	training := model.Training{Seed: t.Recipe.Train.Seed, Engine: t.Recipe.Model.Engine, Options: t.Recipe.Values(),
		Versions: buildinfo.Versions(), Metrics: map[string]float64{}}
	training.SetSamples(t.data)
	if t.Unmeasured {
		return &model.Model{Preprocessing: prep, RuleBase: rb, Pages: made, Training: training}, nil
	}
	m, err := model.New(context.WithoutCancel(ctx), prep, rb, t.data.X, t.data.Weights, training)
	if err != nil {
		return nil, err
	}
	m.Pages = made
	return m, Finish(ctx, m, t.Recipe, t.data, t.validation)
}

// startsItself is the error about clusters for an initialiser that places the rules itself.
func startsItself(init string) error {
	return &recipe.Error{Key: "model.init", Message: fmt.Sprintf("Run.Start does not apply to %s, which places the rules itself", init)}
}

// pageOptions returns the limits of pages, but those of their values.
func pageOptions(r recipe.Recipe) pages.Options {
	limit := func(v float64, otherwise int) int {
		if v == 0 {
			return otherwise
		}
		return int(v)
	}
	return pages.Options{Numbers: r.Model.Page, Rules: limit(float64(r.Model.Rules), recipe.ReadableRules),
		Conditions: limit(r.Model.Antecedents, recipe.ReadableConditions),
		Terms:      limit(r.Model.Terms, recipe.ReadableTerms), Low: math.Inf(-1), High: math.Inf(1), Seed: r.Train.Seed}
}
