package workbench

import (
	"bytes"
	"io"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
)

// answerRules returns the rules of a run as rules.yaml.
func answerRules(c call) (any, error) {
	_, path, err := namedRun(c)
	if err != nil {
		return nil, err
	}
	text, _, err := rulesOf(path)
	return struct {
		YAML string `json:"yaml"`
	}{string(text)}, err
}

// worded is the result of words: what `show` prints.
type worded struct {
	Words string  `json:"words"`
	Page  string  `json:"page,omitempty"` // of a model with a page: its text
	Tree  *string `json:"tree"`           // null if the rules did not come from a tree
	Rules []said  `json:"rules"`

	Tried *words.Tried `json:"tried,omitempty"` // beside a page
	Price *words.Price `json:"price,omitempty"` // of a page
}

// said is a rule in a sentence.
type said struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// answerWords describes the rules of a run in words, on its training part.
func answerWords(c call) (any, error) {
	var args ofRun
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	path, m, err := load(c, args.Run)
	if err != nil {
		return nil, err
	}
	d, err := prediction.Describe(c.ctx, io.Discard, m, prediction.Saved{Path: path})
	if err != nil {
		return nil, err
	}
	var text, tree bytes.Buffer
	if err := d.WriteWords(&text); err != nil {
		return nil, err
	}
	w := worded{Words: text.String(), Page: d.Sentences().Page, Rules: sentences(d), Tried: words.TriedFor(m)}
	if r := d.Readability; r != nil && r.Page != nil {
		w.Price = r.Page.Price
	}
	if words.WriteTree(&tree, d) == nil {
		tree := tree.String()
		w.Tree = &tree
	}
	return w, nil
}

// sentences returns the rules of a model in the order in which they are printed; of a committee those of its first member.
func sentences(d words.Description) []said {
	if len(d.Members) > 0 {
		d = d.Members[0]
	}
	all := []said{}
	for _, r := range d.Sentences().Rules {
		all = append(all, said{r.Name, r.Sentence()})
	}
	return all
}
