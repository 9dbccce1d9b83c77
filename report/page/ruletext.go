package page

import (
	"strings"

	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/report"
)

// ruleText is the rules of a model, or of a committee's member, as text. It is the one place where the
// page gets words for rules.
type ruleText struct {
	Member int // from 1; 0: a single model
	Text   string
}

// maxText is how long the text of all rules may be, in bytes.
const maxText = 400e3

// ruleTexts returns none where they are too long.
func ruleTexts(m *model.Model) ([]ruleText, error) {
	d := report.Describe(m)
	d.Interval = nil // shown elsewhere
	described := d.Members
	if !m.Committee() {
		described = []report.Description{d}
	}
	var all []ruleText
	length := 0
	for k, one := range described {
		var b strings.Builder
		if err := one.Write(&b); err != nil {
			return nil, err
		}
		if length += b.Len(); length > maxText {
			return nil, nil
		}
		text := ruleText{Text: b.String()}
		if m.Committee() {
			text.Member = k + 1
		}
		all = append(all, text)
	}
	return all, nil
}
