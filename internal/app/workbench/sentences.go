package workbench

import (
	"context"
	"io"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/app/view"
	"github.com/tskgraph/tskgraph/model"
)

// described describes the model of the run in a directory as show does, on its training part if the run has it: on at most so
// many rows; 0: all.
func described(ctx context.Context, m *model.Model, path string, most int) (words.Description, error) {
	recorded, err := view.Readability(path, 0)
	if err != nil {
		return words.Description{}, err
	}
	return view.Describe(ctx, io.Discard, m, prediction.TrainingTable(path), data.Options{Lenient: true, Run: true}, view.Spread{Most: most}, recorded)
}

// sentences returns a sentence for each rule of a model: those that fire most come first. Of a committee they are those of its first
// member.
func sentences(d words.Description) []string {
	if len(d.Members) > 0 {
		d = d.Members[0]
	}
	all := []string{}
	for _, r := range d.Sentences().Rules {
		all = append(all, r.Sentence())
	}
	return all
}
