package byhand

import (
	"errors"
	"io"

	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// newModel returns a model of the rules, see [Rulebook.Model].
func newModel(b *Rulebook, like *model.Model) (*model.Model, error) {
	if like != nil && like.Committee() {
		return nil, errors.New("the model whose columns are used is a committee, whose members have columns of their own: choose a single model")
	}
	training := model.Training{Samples: 1, Engine: "fused", Options: map[string]string{}, Versions: buildinfo.Versions(), Metrics: map[string]float64{}}
	p, loss := model.Preprocessing{}, ""
	var err error
	switch {
	case like != nil:
		p, loss, training.Samples = like.Preprocessing, like.Training.Options["train.loss"], like.Training.Samples
	case b.Saved != nil:
		p, loss, training.Samples = b.Saved.preprocessing(), b.Saved.Loss, b.Saved.Samples
	default:
		if p, err = preprocessing(b); err != nil {
			return nil, err
		}
	}
	if loss != "" {
		training.Options["train.loss"] = loss
	}
	rb, err := start(b, p, membership.Gaussian{})
	if err != nil {
		return nil, err
	}
	m := &model.Model{Preprocessing: p, RuleBase: rb, Training: training, Rules: make([]model.RuleSummary, rb.Rules())}
	for r := range m.Rules {
		m.Rules[r].Share = 1 / float64(rb.Rules())
	}
	if err := m.Encode(io.Discard); err != nil {
		return nil, Errorf(b.File, 0, 0, "%s", escape.Text(err.Error()))
	}
	return m, nil
}
