package page

import (
	"fmt"
	"strings"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
)

// Question says what the model predicts from how many columns.
func (p *Page) Question() string {
	used := 0
	for _, c := range p.content.Columns {
		if !c.Unused {
			used++
		}
	}
	return fmt.Sprintf("It predicts %s from %s.", label(p.Target, p.Unit), numeric.Counted(used, "column"))
}

// Verdict compares the error of the model with those of the baselines, all on the data.
func (p *Page) Verdict() string {
	model, others := p.compared()
	var all []string
	text := fmt.Sprintf("On %s its %s is %s", p.in.Data.Name, p.content.Figure.Name, withUnit(figure(model.Loss), p.content.Figure.Unit))
	for _, o := range others {
		name := strings.ToLower(o.Who[:1]) + o.Who[1:]
		if name == baseline.NamesOf(p.in.Model).Constant {
			name = "the " + name
		}
		if o.Loss > 0 {
			all = append(all, words.Than(model.Loss/o.Loss)+" "+name)
		}
	}
	if all != nil {
		text += ", " + strings.Join(all, " and ")
	}
	return text + "."
}

// compared returns the scores of the model and of the baselines on the data, of several targets those of all together.
func (p *Page) compared() (model Score, others []Score) {
	seen := map[string]bool{}
	for _, s := range p.Scores {
		if s.Part != p.in.Data.Name || seen[s.Who] {
			continue
		}
		seen[s.Who] = true
		if s.Who == This {
			model = s
		} else {
			others = append(others, s)
		}
	}
	return model, others
}
