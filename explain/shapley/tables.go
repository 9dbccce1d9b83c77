package shapley

import (
	"context"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/model"
)

// tables is the working memory for the games of one row.
type tables struct {
	differs         []bool    // [P]
	grade, term     []float64 // [R], of the players that do not differ
	level, output   []float64 // [rows,R], of the upper half of the players; [P+1,R] in a walk
	wide            []float64 // [rows,2R]
	tall            []float64 // [2R,columns]
	sum             []float64 // [columns]
	zero            []float64 // [columns]
	levels, outputs []float64 // [rows,columns]
}

// newTables returns memory for games of P players and R rules.
func newTables(P, R int) tables {
	d := min(P, Exact)
	rows, columns := 1<<(d/2), 1<<((d+1)/2)
	vector := func(n int) []float64 { return make([]float64, n) }
	most := max(rows, P+1)
	return tables{
		differs: make([]bool, P), grade: vector(R), term: vector(R), level: vector(most * R), output: vector(most * R),
		wide: vector(rows * 2 * R), tall: vector(2 * R * columns), sum: vector(columns), zero: vector(columns),
		levels: vector(rows * columns), outputs: vector(rows * columns),
	}
}

// subsets computes the tables of both halves of the players and multiplies them.
func (f *factored) subsets(v []float64, weight float64, b int, players []int) error {
	R := f.model.RuleBase.Rules()
	low, high := players[:(len(players)+1)/2], players[(len(players)+1)/2:]
	rows, columns := 1<<len(high), 1<<len(low)
	f.common(players)
	f.upper(high, b)
	f.lower(low, b)
	kernel.Consequents(f.levels, f.level, f.tall, f.zero, rows, R, columns)
	kernel.Consequents(f.outputs, f.wide, f.tall, f.zero, rows, 2*R, columns)
	var again []int
	for s := range v {
		if value, ok := f.predict(f.levels[s], f.outputs[s]); ok {
			v[s] += float64(weight * value)
		} else {
			again = append(again, s)
		}
	}
	return f.some(v, weight, b, players, again)
}

// upper sets level to the firing levels F for all subsets of some players, with those of the
// players that do not differ, and wide to the matrix (F Y, F), where Y are the outputs.
func (f *factored) upper(some []int, b int) {
	R, size := f.model.RuleBase.Rules(), 1
	copy(f.level, f.grade)
	copy(f.output, f.term)
	for _, p := range some {
		x, y := f.now.of(p, R), f.rows[b].of(p, R)
		for s := range size {
			level, output := f.level[s*R:][:R], f.output[s*R:][:R]
			join(f.level[(s+size)*R:][:R], f.output[(s+size)*R:][:R], level, output, x)
			join(level, output, level, output, y)
		}
		size *= 2
	}
	for s := range size {
		level, output := f.level[s*R:][:R], f.output[s*R:][:R]
		products := f.wide[2*s*R:][:R]
		for r, l := range level {
			products[r] = l * output[r]
		}
		copy(f.wide[(2*s+1)*R:], level)
	}
}

// lower sets tall to the matrix of the firing levels F over F Y for all subsets of some players.
func (f *factored) lower(some []int, b int) {
	R, full := f.model.RuleBase.Rules(), 1<<len(some)
	x, y, output := f.now, f.rows[b], f.sum[:full]
	for r := range R {
		level, products := f.tall[r*full:][:full], f.tall[(R+r)*full:][:full]
		level[0], output[0] = 1, 0
		size := 1
		for _, p := range some {
			gx, gy, tx, ty := x.grade[p*R+r], y.grade[p*R+r], x.term[p*R+r], y.term[p*R+r]
			for s, l := range level[:size] {
				level[s+size], level[s] = l*gx, l*gy
			}
			for s, o := range output[:size] {
				output[s+size], output[s] = o+tx, o+ty
			}
			size *= 2
		}
		for s, l := range level {
			products[s] = l * output[s]
		}
	}
}

// walk multiplies the grades of the players that joined by those of the players to join.
func (f *factored) walk(v []float64, weight float64, b int, players []int) error {
	R, d := f.model.RuleBase.Rules(), len(players)
	at := func(t int) (level, output []float64) { return f.level[t*R:][:R], f.output[t*R:][:R] } // of those to join after t players
	f.common(players)
	level, output := at(d)
	for r := range level {
		level[r], output[r] = 1, 0
	}
	for t := d - 1; t >= 0; t-- {
		nextLevel, nextOutput := level, output
		level, output = at(t)
		join(level, output, nextLevel, nextOutput, f.rows[b].of(players[t], R))
	}
	for t := range v {
		if t > 0 {
			join(f.grade, f.term, f.grade, f.term, f.now.of(players[t-1], R))
		}
		level, output = at(t)
		levels, outputs := 0.0, 0.0
		for r, l := range level {
			l = float64(l * f.grade[r])
			levels += l
			outputs += float64(l * (f.term[r] + output[r]))
		}
		if value, ok := f.predict(levels, outputs); ok {
			v[t] += float64(weight * value)
			continue
		}
		row := slices.Clone(f.background[b])
		for _, p := range players[:t] {
			f.players[p].copy(row, f.x)
		}
		if err := f.add(v, weight, [][]float64{row}, []int{t}); err != nil {
			return err
		}
	}
	return nil
}

// common sets grade to the product of the grades, and term to the sum of the terms, of the
// players that are not among those that differ, with the bias.
func (f *factored) common(players []int) {
	R := f.model.RuleBase.Rules()
	for r, w := range f.model.RuleBase.Consequents {
		f.grade[r], f.term[r] = 1, w[0]
	}
	for i := range f.differs {
		f.differs[i] = false
	}
	for _, p := range players {
		f.differs[p] = true
	}
	for p, differs := range f.differs {
		if !differs {
			join(f.grade, f.term, f.grade, f.term, f.now.of(p, R))
		}
	}
}

// join writes the grades [R] multiplied by those of a player to level, and the terms [R] with those of the player added to output.
func join(level, output, grade, term []float64, player factors) {
	grade, term, g, t := grade[:len(level)], term[:len(level)], player.grade[:len(level)], player.term[:len(level)]
	output = output[:len(level)]
	for r := range level {
		level[r] = grade[r] * g[r]
		output[r] = term[r] + t[r]
	}
}

var _ model.Explainer = (*Attributor)(nil)

// TableColumns returns the names of the columns of TableCells: shap_background, shap_NAME for each column of the schema that the model
// uses, shap_error_NAME for each if there are more than Exact players, and shap_neighbours if the model has neighbours.
func (a *Attributor) TableColumns() []string {
	names, columns := []string{"shap_background"}, a.model.Schema.Columns
	for _, i := range usedColumns(a.model) {
		names = append(names, "shap_"+columns[i].Name)
	}
	if a.Samples() {
		for _, i := range usedColumns(a.model) {
			names = append(names, "shap_error_"+columns[i].Name)
		}
	}
	if a.model.Neighbours != nil {
		names = append(names, "shap_neighbours")
	}
	return names
}

// TableCells returns the mean prediction of the background, the values, their standard errors,
// and the change by neighbours for samples x [N][M], with the errors of [Attributor.Attribute].
func (a *Attributor) TableCells(ctx context.Context, x [][]float64) ([][]float64, error) {
	all, err := a.Attribute(ctx, x)
	if err != nil {
		return nil, err
	}
	cells := make([][]float64, len(x))
	for n, e := range all {
		cells[n] = append(cells[n], e.Mean)
		for _, i := range usedColumns(a.model) {
			cells[n] = append(cells[n], e.Values[i])
		}
		if a.Samples() {
			for _, i := range usedColumns(a.model) {
				v := 0.0 // exact
				if e.Errors != nil {
					v = e.Errors[i]
				}
				cells[n] = append(cells[n], v)
			}
		}
		if a.model.Neighbours != nil {
			cells[n] = append(cells[n], e.Neighbours)
		}
	}
	return cells, nil
}

// usedColumns returns the indices of the columns of the schema that a model uses.
func usedColumns(m *model.Model) []int {
	var used []int
	for i, c := range m.Schema.Columns {
		if !c.Unused {
			used = append(used, i)
		}
	}
	return used
}
