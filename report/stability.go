package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/tune"
)

// Stability is how much a model depends on its seed: what `stability --json`
// prints.
type Stability struct {
	Data    string `json:"data"`
	Target  string `json:"target"`
	Part    string `json:"part"` // on which the models are compared: test or train
	Members int    `json:"members,omitempty"`
	*tune.Dependence
}

// Write writes the figures and the features as tables.
func (s *Stability) Write(w io.Writer) error {
	var b strings.Builder
	facts := newTable(&b, 1)
	facts.Header(fmt.Sprintf("%d seeds, on %d %s of the %s part", len(s.Seeds), s.Samples, sampleNoun(s.Weighted), s.Part), "")
	facts.Append("RMSE, mean over the seeds", figure(s.RMSE))
	facts.Append("RMSE, standard deviation", figure(s.RMSESD))
	facts.Append("predictions of two models differ by (RMS / sd of the target)", percent(s.Difference))
	facts.Append("at most", percent(s.MaxDifference))
	if r := s.Rules; r != nil {
		facts.Append(fmt.Sprintf("rules with a counterpart (Jaccard similarity at least %.2g)", r.Least), percent(r.Share))
		facts.Append("at least", percent(r.MinShare))
		facts.Append("similarity of counterparts, mean", fmt.Sprintf("%.2f", r.Similarity))
	}
	if err := facts.Render(); err != nil {
		return err
	}
	curves := newTable(&b, 1)
	curves.Header("response curve of", "range", "spread between seeds", "spread / range")
	for _, c := range s.Curves {
		ratio := "-"
		if c.Range > 0 {
			ratio = percent(c.Spread / c.Range)
		}
		curves.Append(plain(c.Feature), figure(c.Range), figure(c.Spread), ratio)
	}
	if err := curves.Render(); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// percent shows a share with one decimal.
func percent(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) + "%" }
