package config

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/yamltext"
)

// nasty are texts that were made to do harm, with what reading must say of each; nothing
// if they are harmless.
var nasty = []struct{ name, text, want string }{
	{"empty", "", ""},
	{"a comment", "# nothing\n", ""},
	{"null", "~\n", ""},
	{"a word", "paper\n", `c.yaml:1:1: "paper": want keys`},
	{"a section of comments", "train:\n  # batch: 5\n", ""},
	{"a byte order mark", "\ufeffpreset: paper\n", ""},
	{"CRLF", "preset: paper\r\ntrain: {batch: 5}\r\n", ""},
	{"two documents", "preset: paper\n---\npreset: robust\n", "c.yaml:2:1: a second YAML document"},
	{"two documents, the second broken", "preset: paper\n---\n[", "a second YAML document"},
	{"an end and no more", "preset: paper\n...\n", ""},
	{"10 MB", "# " + strings.Repeat("x", 10<<20), "c.yaml: more than 1048576 bytes"},
	{"9,000 deep in brackets", "train: {race: " + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + "}",
		"more than 20 values within one another"},
	{"9,000 deep in dashes", strings.Repeat("- ", 9000) + "a", "more than 20 values within one another"},
	{"9,000 deep in braces", strings.Repeat("{train: ", 9000) + strings.Repeat("}", 9000), "more than 20 values within one another"},
	{"20,000 deep", strings.Repeat("[", 20000), "c.yaml:1:100"},
	{"a billion laughs", "a: &a [x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, " +
		"*b, *b, *b]\ntrain: {race: *c}\n",
		"c.yaml:2:8: *a: aliases are not read"},
	{"an alias of itself", "train: &t\n  race: *t\n", "c.yaml:2:9: *t: aliases are not read"},
	{"an alias for a section", "a: &a {batch: 5}\ntrain: *a\n", "c.yaml:2:8: *a: aliases are not read"},
	{"an alias for a key", "&a preset: paper\n*a : robust\n", "aliases are not read"},
	{"a merge", "model: {<<: {rules: 5}}\n", "c.yaml:1:9: model.<<: no such key"},
	{"a key twice", "train: {batch: 1, batch: 2}\n", "c.yaml:1:19: train.batch: is given twice"},
	{"a section twice", "train: {batch: 1}\ntrain: {seed: 2}\n", "c.yaml:2:1: train: is given twice"},
	{"a key in another case", "train: {batch: 1, Batch: 2}\n", "c.yaml:1:19: train.Batch: no such key; did you mean train.batch?"},
	{"a section in another case", "Train: {batch: 1}\n", "c.yaml:1:1: Train: no such key; did you mean train?"},
	{"a key with a dot", "train.batch: 5\n", "c.yaml:1:1: train.batch: write batch in section train"},
	{"a list for a key", "? [a]\n: b\n", "c.yaml:1:3: a list for a key"},
	{"no key", "'': b\n", `c.yaml:1:1: "" for a key`},
	{"a number for a key", "train: {5: 6}\n", "c.yaml:1:9: train.5: no such key"},
	{"colours in a key", "train: {\"\\e[31mred\": 6}\n", `c.yaml:1:9: "train.\x1b[31mred": no such key`},
	{"colours in a value", "train: {batch: !x \"\\e[31mred\"}\n", `c.yaml:1:16: train.batch: "\x1b[31mred": want a whole number`},
	{"NUL", "preset: \x00", "c.yaml:1:9: not a character of UTF-8 text"},
	{"Latin-1", "data: {target: \xe9}", "c.yaml:1:16: not a character of UTF-8 text"},
	{"UTF-16", "\xff\xfep\x00r\x00", "c.yaml:1:1: not a character of UTF-8 text"},
	{"a tag", "train: {batch: !!str 5}\n", `train.batch: "5": want a whole number`},
	{"binary", "data: {target: !!binary aGk=}\n", "data.target"},
	{"a date for a name", "data: {target: 2024-01-01}\n", "data.target: 2024-01-01: want a name or text: put it in quotes"},
	{"hex", "train: {batch: 0x10}\n", "train.batch: 0x10: want a whole number"},
	{"digits in groups", "train: {batch: 1_000}\n", "train.batch: 1_000: want a whole number"},
	{"a count that is too large", "train: {batch: 99999999999999999999}\n", "train.batch: 99999999999999999999: too large"},
	{"a seed that is too large", "train: {seed: 18446744073709551616}\n", "train.seed: 18446744073709551616: too large"},
	{"infinity", "train: {l2: .inf}\n", "c.yaml:1:13: train.l2: .inf: want a number"},
	{"no number", "train: {learning_rate: .nan}\n", "c.yaml:1:24: train.learning_rate: .nan: want a number"},
	{"beyond the largest number", "train: {l2: 1e309}\n", "c.yaml:1:13: train.l2: \"1e309\": want a number"},
	{"less than the least number", "train: {learning_rate: 1e-400}\n", "c.yaml:1:24: train.learning_rate: 1e-400: must be above 0"},
	{"learning rate 0", "train: {learning_rate: 0}\n", "c.yaml:1:24: train.learning_rate: 0: must be above 0"},
	{"learning rate -1", "train: {learning_rate: -1}\n", "c.yaml:1:24: train.learning_rate: -1: must be above 0"},
	{"P 0", "train: {droprule: 0}\n", "c.yaml:1:19: train.droprule: 0: must be above 0 and at most 1"},
	{"P 1", "train: {droprule: 1}\n", ""},
	{"P that no mask can have", "train: {droprule: 1e-9}\n", "c.yaml:1:19: train.droprule: 1e-09: the probability"},
	{"all rows twice", "data: {train: 0.8, validation: 0.5}\n",
		"c.yaml:1:32: data.validation: 0.5: with data.train, 0.8, it makes more than all rows"},
	{"no rows to train on", "data: {train: 0}\n", "c.yaml:1:15: data.train: 0: must be above 0 and at most 1"},
	{"rules for all memory", "model: {rules: 1000000000}\n", "c.yaml:1:16: model.rules: 1000000000: must be at least 1 and at most 100000"},
	{"iterations for ever", "train: {iterations: 9223372036854775807}\n", "c.yaml:1:21: train.iterations"},
	{"the race, a key in it", "train:\n  race:\n  - {l2: 1}\n  - {l2: 1,\n     itertions: 5}\n",
		"c.yaml:5:6: train.race: setting 2: itertions: no such key; did you mean iterations?"},
	{"the race, a value in it", "train:\n  race:\n  - {l2: 1}\n  - {l2: 1,\n     iterations: 0}\n",
		"c.yaml:5:18: train.race: setting 2: iterations: 0: must be at least 1"},
	{"the race, what does not go together", "preset: paper\ntrain:\n  optimizer: anfis\n  batch: 0\n  race: [{l2: 1}, {l2: 2, batch: 5}]\n",
		"c.yaml:5:34: train.race: setting 2: train.batch: 5: optimizer anfis"},
	{"a formula, a parameter of it",
		"model:\n  membership:\n    name: m\n    expr: x - c\n    params:\n      c: {init: center,\n          min: low}\n",
		`c.yaml:7:16: model.membership: params: c: min: "low": want a number`},
	{"a formula, where a parameter starts", "model:\n  membership:\n    name: m\n    expr: x - c\n    params:\n      c: {init: 2*centre}\n",
		`c.yaml:6:17: model.membership: init of c: column 3 of "2*centre": unknown name centre`},
	{"a shape, misspelt", "model: {membership: Gausian}\n", `c.yaml:1:21: model.membership: unknown shape "Gausian"`},
	{"a shape, in a list", "tune: {membership: [gaussian, round]}\n", `c.yaml:1:31: tune.membership: unknown shape "round"`},
	{"an option of another optimizer", "train: {optimizer: sgd, beta1: 0.5}\n",
		"c.yaml:1:32: train.beta1: 0.5: solver sgd does not use it (used by adabound, "},
	{"an option out of range", "train: {optimizer: sgd, momentum: 1}\n", "c.yaml:1:35: train.momentum: 1: must be at least 0 and below 1"},
	{"the place of what does not go together", "preset: paper\ntrain: {optimizer: anfis}\n", "c.yaml:2:20: train.batch: 64: optimizer anfis"},
	{"one column, two roles", "data: {path: a, target: y, ignore: [y]}\n",
		`c.yaml:1:36: data.ignore: column "y" is already named by data.target`},
	{"a tab", "train:\n\tbatch: 5\n", "c.yaml:2:1: found"},
	{"two colons", "train: batch: 5\n", "c.yaml:1:13: mapping values are not allowed"},
	{"a colon is missing", "preset: paper\ntrain\ndata: {}\n", "c.yaml:3:1: could not find expected ':'"},
	{"no end", "preset: \"paper\n", "c.yaml:1:15: found unexpected end of stream"},
}

func TestNasty(t *testing.T) {
	for _, c := range nasty {
		_, err := load(t, c.text, nil, nil)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s:\n got %v\nwant %s", c.name, err, c.want)
		}
	}
}

// located is the place that every fault of a file has.
var located = regexp.MustCompile(`^c\.yaml:(\d+):(\d+)$`)

// FuzzRead: whatever the text, reading ends, with faults that are all *Errors of one
// printable line each, those of the file within it, or with a configuration that its
// own text gives again.
func FuzzRead(f *testing.F) {
	for _, c := range nasty {
		if len(c.text) < 1000 {
			f.Add(c.text)
		}
	}
	for _, file := range []string{"../../config.yaml", "../../README.md", "../../docs/new-shape.md"} {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if filepath.Ext(file) == ".yaml" {
			f.Add(string(text))
			f.Add(strings.ReplaceAll(string(text), "  # ", "  "))
		}
		for _, block := range inMarkdown.FindAllStringSubmatch(string(text), -1) {
			f.Add(block[1])
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := read(text)
		if err != nil {
			lines, _ := yamltext.Position([]byte(text), len(text))
			for _, e := range parts(err) {
				fault := new(Error)
				if !errors.As(e, &fault) || fault.Message == "" || strings.ContainsFunc(e.Error(), func(r rune) bool { return r < ' ' || r == 0x7f }) {
					t.Fatalf("%T: %q", e, e)
				}
				if fault.Where != "" && (!located.MatchString(fault.Where) || fault.line > lines || fault.column > len(text)+1) {
					t.Fatalf("%q is not within the text", fault.Where)
				}
			}
			return
		}
		again, err := read(string(c.YAML()))
		if err != nil {
			t.Fatalf("%v in\n%s", err, c.YAML())
		}
		if string(again.YAML()) != string(c.YAML()) {
			t.Fatalf("printed\n%s\nand again\n%s", c.YAML(), again.YAML())
		}
	})
}

func read(text string) (*Config, error) {
	r := newReading()
	r.text(origin{file: "c.yaml"}, []byte(text))
	return r.load(nil)
}

func parts(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	return []error{err}
}

// FuzzSet: whatever --set and the environment say, reading ends, with *Errors or with a
// configuration that its own text gives again.
func FuzzSet(f *testing.F) {
	for _, entry := range []string{
		"train.seed=5", "train.seed=", "train.seed", "=", "rules=5", "data.ignore=a,b", "data.ignore=['a,b']", "data.path=\u2028\ufeff",
		"data.target=null",
		"tune.rules=4,8", "tune.membership=gaussian", "model.membership={name: m, expr: x-c, params: {c: {init: center}}}", "train.race=[]",
		"train.race=[{l2: 1}]", "train.l2=1\n---\n2", "train.l2=*x", "data.units={a: °C}", "output.dir=\x00", "output.dir=\xff", "model.init=./x",
	} {
		f.Add(entry)
	}
	f.Fuzz(func(t *testing.T, entry string) {
		r := newReading()
		r.flags([]string{entry})
		r.environment([]string{"TSKGRAPH_" + strings.ToUpper(strings.Replace(entry, ".", "_", 1))})
		c, err := r.load(nil)
		if err != nil {
			for _, e := range parts(err) {
				if !errors.As(e, new(*Error)) || strings.ContainsFunc(e.Error(), func(r rune) bool { return r < ' ' || r == 0x7f }) {
					t.Fatalf("%T: %q", e, e)
				}
			}
			return
		}
		if again, err := read(string(c.YAML())); err != nil || string(again.YAML()) != string(c.YAML()) {
			t.Fatalf("%v in\n%s", err, c.YAML())
		}
	})
}
