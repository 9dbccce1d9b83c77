package dossier

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/internal/base/yamltext"
)

// PurposeFile is the name of the file with the answers to [Questions] in the directory of a run.
const PurposeFile = "purpose.yaml"

// Question is what only people can say about a model.
type Question struct{ Key, Text string }

// Questions are asked in the first section of a dossier.
var Questions = []Question{
	{"purpose", "What is the model for?"},
	{"owner", "Who provides it, and who answers questions about it?"},
	{"users", "Who uses its predictions, and for which decisions?"},
	{"misuse", "What must it not be used for?"},
	{"materiality", "How much depends on it, and what does an error cost?"},
	{"oversight", "Who oversees its use, and who can overrule a prediction?"},
	{"monitoring", "How is it monitored, and when is it validated or trained again?"},
}

// checkKey refuses an answer to no question.
func checkKey(key string) error {
	var known []string
	for _, q := range Questions {
		if q.Key == key {
			return nil
		}
		known = append(known, q.Key)
	}
	if closest := registry.Closest(key, known); closest != "" {
		return fmt.Errorf("unknown key %s; did you mean %s?", escape.Quote(key), closest)
	}
	return fmt.Errorf("unknown key %s: choose %s", escape.Quote(key), strings.Join(known, ", "))
}

// ReadAnswers reads answers to [Questions] from YAML, a text by key, of a file of a name. Those of more, such as owner=J. Doe, come
// before them.
func ReadAnswers(name string, content []byte, more []string) (map[string]string, error) {
	answers := map[string]string{}
	root, faults := yamltext.Parse(content, 3)
	if faults != nil {
		return nil, fmt.Errorf("%s:%d:%d: %s", name, faults[0].Line, faults[0].Column, faults[0].Message)
	}
	if root != nil && root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%s:%d: want keys with a text each, such as owner: J. Doe", name, root.Line)
	}
	for i := 0; root != nil && i < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if err := checkKey(key.Value); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, key.Line, err)
		}
		if value.Kind != yaml.ScalarNode {
			return nil, fmt.Errorf("%s:%d: %s: want a text", name, value.Line, key.Value)
		}
		if _, twice := answers[key.Value]; twice {
			return nil, fmt.Errorf("%s:%d: %s occurs twice", name, key.Line, key.Value)
		}
		answers[key.Value] = value.Value
	}
	for _, pair := range more {
		key, value, found := strings.Cut(pair, "=")
		if !found {
			return nil, fmt.Errorf("--answer %s: want KEY=TEXT, such as owner=\"J. Doe\"", escape.Quote(pair))
		}
		if err := checkKey(key); err != nil {
			return nil, fmt.Errorf("--answer: %w", err)
		}
		answers[key] = value
	}
	return answers, nil
}

// purpose writes the answers, and blanks for those that are missing.
func (b *builder) purpose() error {
	b.last().ByHand = true
	for _, q := range Questions {
		i := b.add("", "%s", q.Text)
		if i.Answer = escape.Text(strings.Join(strings.Fields(b.Answers[q.Key]), " ")); i.Answer == "" {
			i.Answer, i.Blank = fmt.Sprintf("To be filled in: write %s: TEXT to %s in the directory of the run.", q.Key, PurposeFile), true
		}
	}
	return nil
}
