package config

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	_ "github.com/tskgraph/tskgraph/data/table/postgres" // an example names a database
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/internal/train/tune"
	"github.com/tskgraph/tskgraph/interval"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/optim"
)

// compiled is the schema, as another program reads it.
func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc := testenv.Must(jsonschema.UnmarshalJSON(bytes.NewReader(Schema())))
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft7) // so that $schema must say otherwise
	if err := c.AddResource("config.json", doc); err != nil {
		t.Fatal(err)
	}
	s := testenv.Must(c.Compile("config.json"))
	if s.DraftVersion != 2020 {
		t.Errorf("draft %d", s.DraftVersion)
	}
	return s
}

// bySchema is the schema's verdict on a YAML text.
func bySchema(t *testing.T, s *jsonschema.Schema, text string) error {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return s.Validate(v)
}

// document is a configuration that sets one key.
func document(k key, value string) string {
	section, name := k.section()
	if section == "" {
		return name + ": " + value + "\n"
	}
	return section + ":\n  " + name + ": " + value + "\npreset: paper\n" // without a race, which takes time to check
}

// TestSchemaKnowsEveryKey: the keys of the schema are those of the table, in its order,
// with the doc; and it knows no others.
func TestSchemaKnowsEveryKey(t *testing.T) {
	var root yaml.Node
	if err := yaml.Unmarshal(Schema(), &root); err != nil {
		t.Fatal(err)
	}
	var found []string
	var walk func(prefix string, n *yaml.Node)
	walk = func(prefix string, n *yaml.Node) {
		properties := child(n, "properties")
		for i := 0; i+1 < len(properties.Content); i += 2 {
			name, value := prefix+properties.Content[i].Value, properties.Content[i+1]
			if slices.Contains(sections(), name) {
				walk(name+".", value)
				continue
			}
			found = append(found, name)
			if k, ok := lookup(name); !ok || child(value, "description").Value != k.doc || child(value, "default") == nil &&
				child(value, "examples") == nil {
				t.Errorf("%s is not described", name)
			}
		}
	}
	walk("", root.Content[0])
	if !slices.Equal(found, keyNames()) {
		t.Errorf("the schema has\n%q\nwant\n%q", found, keyNames())
	}
	s := compiled(t)
	for _, text := range []string{"rules: 5", "train: {iteration: 5}", "- a", "train: 5",
		"model: {membership: {name: m, expr: x, params: {c: {int: 1}}}}"} {
		if bySchema(t, s, text) == nil {
			t.Errorf("the schema lets %q in", text)
		}
	}
}

func keyNames() (all []string) {
	for _, k := range keys() {
		all = append(all, k.name)
	}
	return all
}

func child(n *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

// outside returns values just outside an interval, edge those at its ends.
func outsideOf(i *interval.Interval) (outside, edge []float64) {
	if i.WithoutLow {
		outside, edge = append(outside, i.Low, i.Low-1), append(edge, i.Low+1e-4)
	} else {
		outside, edge = append(outside, i.Low-1), append(edge, i.Low)
	}
	switch {
	case math.IsInf(i.High, 1):
	case i.WithoutHigh:
		outside, edge = append(outside, i.High), append(edge, i.High-1e-4)
	default:
		outside, edge = append(outside, i.High+1), append(edge, i.High)
	}
	return outside, edge
}

// TestSchemaAndCodeRefuseTheSame: for every key, values of another type, outside the
// range, or not among the choices are refused by the schema and by reading, which names
// place and key; the ends of the range and every choice are let in by both. By default every third key is tried.
func TestSchemaAndCodeRefuseTheSame(t *testing.T) {
	if testenv.Race {
		t.Skip("too slow with the race detector, and on one goroutine")
	}
	s := compiled(t)
	refuse := func(k key, value string) {
		t.Helper()
		text := document(k, value)
		if bySchema(t, s, text) == nil {
			t.Errorf("the schema lets in %s", text)
		}
		_, err := load(t, text, nil, nil)
		if err == nil || !regexp.MustCompile(`c\.yaml:[12]:\d+: `+regexp.QuoteMeta(k.name)).MatchString(err.Error()) {
			t.Errorf("%s: %v, want a fault of %s and its place", text, err, k.name)
		}
	}
	allow := func(k key, value string) {
		t.Helper()
		text := document(k, value)
		if err := bySchema(t, s, text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if _, err := load(t, text, nil, nil); err != nil &&
			regexp.MustCompile(regexp.QuoteMeta(k.name)+".*(must be (at|above)|choose)").MatchString(err.Error()) {
			t.Errorf("%s: %v", text, err)
		}
	}
	decimal := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	for _, k := range testenv.Draw(keys(), 3, 2, 0) {
		wrong, items := []string{}, "%s"
		switch f := k.field(&Config{}).(type) {
		case text:
			wrong = []string{"[a]", "{a: b}", "5", "true"}
		case whole, seed:
			wrong = []string{"64.7", "\"5\"", "five", "[5]", "true", "-1e3", "99999999999999999999999"}
		case real:
			wrong = []string{"much", "\"0.5\"", "[0.5]", "{}", "true"}
		case flag:
			wrong = []string{"1", "\"true\"", "[]"}
		case *names:
			wrong = []string{"a", "[[a]]", "[null]", "{a: b}"}
		case *listed:
			switch items = "[%s]"; fieldOf(f.of.Field(new(recipe.Recipe))).(type) {
			case whole:
				wrong = []string{"5", "[]", "[0.5]", "[a]"}
			case real:
				wrong = []string{"5", "[]", "[a]", "[[1]]"}
			case shape:
				wrong = []string{"gaussian", "[]", "[round]", "[[gaussian]]"}
			default:
				wrong = []string{"5", "[]", "[[1]]"}
			}
		case numbers:
			items, wrong = "[%s]", []string{"0.5", "[a]", "[[1]]", "{}", "[null]"}
		case race:
			wrong = []string{"fast", "[fast]", "[{iteration: 5}]", "[{least_samples: 0}]", "[{init: a/b}]", "[{init: luck}]"}
			for _, r := range settingKeys() {
				if limits := r.limits; limits != nil {
					outside, _ := outsideOf(limits)
					for _, v := range outside {
						wrong = append(wrong, fmt.Sprintf("[{%s: %s}]", r.name, decimal(v)))
					}
				}
			}
		case shape:
			wrong = []string{"round", "5", "[gaussian]", "{name: m}", "{name: m, expr: x-c, params: {c: center}}",
				"{name: m, expr: [x], params: {c: {init: center}}}"}
			for _, name := range membership.Names() {
				allow(k, name)
			}
		case margin:
			wrong = []string{"much", "\"0.5\"", "[0.5]", "{}", "true", "null"}
			allow(k, "none")
		case limits:
			wrong = []string{"0", "[]", "[0]", "[0, 1, 2]", "[a, 1]", "[[0], 1]", "[\"0\", 1]", "{}"}
			for _, open := range []string{"[0, ~]", "[0, .]", "[., 5.5]", "[0, .inf]", "[-.inf, 0]", "[-1, 1]"} {
				allow(k, open)
			}
		case *target:
			wrong = []string{"5", "{a: b}", "[]", "[[a]]", "[null]", "null"}
			allow(k, "[y1, y2]")
		case *files:
			wrong = []string{"5", "{a: b}", "[]", "[[a]]", "[null]", "null"}
			allow(k, "[a.csv, \"b-*.csv\"]")
		case *categorical:
			wrong = []string{"all", "[a]", "{a: hot}", "{a: [null]}", "true"}
		case *na:
			wrong = []string{"a", "5", "[[a]]", "[null]", "{a: b}", "{a: [null]}", "{a: [[b]]}"}
			for _, texts := range []string{"[-999, \"-\"]", "{a: [x], \"*\": [-1]}", "[]"} {
				allow(k, texts)
			}
		case *size:
			wrong = []string{"5", "much", "[1GB]", "{}", "true", "null", "1GB2", "-1GB", "\"67108864\""}
			for _, text := range []string{"auto", "64MiB", "1.5 GB", "4G"} {
				allow(k, text)
			}
		case monotone:
			wrong = []string{"-1", "[a]", "{a: up}", "{a: +}", "{a: [increasing]}", "{a: 1}", "{a: null}", "{a: {b: down}}",
				"{a: {b: {c: increasing}}}"}
			for _, text := range []string{"{a: decreasing, b: increasing}", "{a: {\"*\": decreasing, y: increasing}}", "{}"} {
				allow(k, text)
			}
		case roles:
			wrong = []string{"if", "[a]", "{a: when}", "{a: [if]}", "{a: null}", "{a: {b: if}}"}
			allow(k, "{a: if, b: then, c: both, d: none}")
			allow(k, "{}")
		case interactions:
			wrong = []string{"a", "[a]", "{a: b}", "[[a], b]", "[[[a]]]", "[[null]]"}
			allow(k, "[[a, b], [b, c]]")
			allow(k, "[]")
		case *columnLimits:
			wrong = []string{"0", "[0, 1]", "{a: 0}", "{a: [0]}", "{a: [0, 1, 2]}", "{a: [b, 1]}", "{a: null}"}
			allow(k, "{a: [0, ~], b: [-1.5, 2]}")
		case *lags:
			wrong = []string{"1", "[1]", "{y: one}", "{y: 0.5}", "{y: [[1]]}", "{y: null}", "{y: {a: 1}}"}
			for _, text := range []string{"{y: 1}", "{y: 1..3}", "{y: [1, 24..26], outside: 0}"} {
				allow(k, text)
			}
		case *horizon:
			wrong = []string{"soon", "[1]", "{}", "1.5", "null", "true"}
			allow(k, "24")
			allow(k, "1..24")
		case *units:
			wrong = []string{"m", "[m]", "{a: [m]}", "{a: null}"}
		default:
			t.Errorf("%s: a field of an unknown type", k.name)
		}
		if k.limits != nil {
			outside, edge := outsideOf(k.limits)
			for _, v := range outside {
				wrong = append(wrong, fmt.Sprintf(items, decimal(v)))
			}
			for _, v := range edge {
				allow(k, fmt.Sprintf(items, decimal(v)))
			}
		}
		if k.choices != nil {
			wrong = append(wrong, "nonsense", strings.ToUpper(k.choices[0]), "''")
			for _, word := range k.choices {
				allow(k, fmt.Sprintf(items, word))
			}
		}
		if k.filled {
			wrong = append(wrong, "''")
		}
		if k.orModel {
			allow(k, "runs/x-001")
			allow(k, `'runs\x'`)
		}
		for _, value := range wrong {
			refuse(k, value)
		}
		_, again, _ := strings.Cut(k.templateValue(presetConfig(recipe.Presets()[0])), "\n")
		if again == "" { // a value in one line
			allow(k, k.templateValue(presetConfig(recipe.Presets()[0])))
		}
	}
}

// TestTheLibraryRefusesToo: what the table of keys does not let in, package tskgraph and
// the packages below refuse as well, as the option of that name.
func TestTheLibraryRefusesToo(t *testing.T) {
	tried := 0
	refused := func(k key, set func(c *Config)) {
		t.Helper()
		tried++
		c := presetConfig(recipe.Presets()[0])
		if section, _ := k.section(); section == "data" && k.name != "data.builtin" {
			c.Data.Path, c.Data.Target = "x.csv", "y"
		}
		for _, option := range optim.OptionsOfSolvers() {
			if _, own := k.section(); own == option.Name {
				c.Recipe.Train.Optimizer = option.Solvers[0]
			}
		}
		if slices.ContainsFunc(timeKeys, func(of key) bool { return of.name == k.name }) {
			c.Data.Time = &c.time
		}
		set(c)
		_, err := recipe.Preset(c.Preset)
		text := fmt.Sprint(err, "\n", c.Recipe.Validate(), "\n", c.Data.Validate(), "\n", c.Tune.Validate(c.Recipe))
		if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(k.name) + `: `).MatchString(text) {
			t.Errorf("%s: %s", k.name, text)
		}
	}
	for _, k := range keys() {
		if k.choices != nil {
			refused(k, func(c *Config) {
				switch f := k.field(c).(type) {
				case text:
					_ = f.Set("nonsense")
				case *listed:
					c.Tune.Space = tune.Space{f.of.Own(): {"nonsense"}}
				}
			})
		}
		if k.limits == nil {
			continue
		}
		outside, _ := outsideOf(k.limits)
		for _, v := range outside {
			if _, isList := k.field(new(Config)).(numbers); v == 0 && !isList && k.name != "model.rules" && k.name != "train.droprule" &&
				(!strings.HasPrefix(k.name, "tune.") || k.name == "tune.repeats") {
				continue // zero is the default
			}
			refused(k, func(c *Config) {
				switch f := k.field(c).(type) {
				case whole:
					_ = f.Set(int(v))
				case real:
					_ = f.Set(v)
				case margin:
					_ = f.Set(recipe.Margin(v))
				case numbers:
					_ = f.Set(recipe.Numbers{v})
				case *listed:
					c.Tune.Space = tune.Space{f.of.Own(): {v}}
				}
			})
		}
	}
	if tried < 50 {
		t.Errorf("only %d values tried", tried)
	}
}

// notConfigured matches files of rules and of Kubernetes, which are no configurations.
var notConfigured = regexp.MustCompile("(?m)^(terms|rules|apiVersion|purpose):")

// inMarkdown finds the blocks of YAML.
var inMarkdown = regexp.MustCompile("(?ms)^```yaml[^\n]*\n(.*?)^```")

// TestExamples: config.yaml, the resolved configurations of both presets, and every
// configuration in README, docs and transcripts pass the schema and are read; those
// named bad are refused by both.
func TestExamples(t *testing.T) {
	s := compiled(t)
	examples := map[string]string{"template": string(Template())}
	for _, preset := range recipe.Presets() {
		c := testenv.Must(Load(Source{Set: []string{"preset=" + preset}}))
		examples[preset] = string(c.YAML())
	}
	for _, pattern := range []string{"../../README.md", "../../docs/*.md", "../../cli/testdata/*.txt"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		for _, file := range files {
			text := testenv.Must(os.ReadFile(file))
			for i, block := range inMarkdown.FindAllStringSubmatch(string(text), -1) {
				examples[fmt.Sprintf("%s, %d", file, i+1)] = block[1]
			}
			for _, f := range txtar.Parse(text).Files {
				if filepath.Ext(f.Name) == ".yaml" {
					examples[file+", "+f.Name] = string(f.Data)
				}
			}
		}
	}
	maps.DeleteFunc(examples, func(_, text string) bool { return notConfigured.MatchString(text) })
	if len(examples) < 12 {
		t.Fatalf("only %d examples found", len(examples))
	}
	for at, text := range examples {
		_, err := load(t, text, nil, nil)
		bad := strings.Contains(at, ", bad")
		if verdict := bySchema(t, s, text); (verdict != nil) != bad || (err != nil) != bad {
			t.Errorf("%s: the schema says %v, reading %v\n%s", at, verdict, err, text)
		}
	}
}

// TestTexts: every key has its text, and every text of the embedded files its key, once.
func TestTexts(t *testing.T) {
	files, err := filepath.Glob("../train/recipe/keys/*.txt")
	if err != nil || len(files) < 6 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text := testenv.Must(os.ReadFile(file))
		seen := map[string]bool{}
		for line := range strings.Lines(string(text)) {
			name, _, _ := strings.Cut(strings.TrimSpace(line), ": ")
			if name != "" && line[0] != '#' && line[0] != ' ' {
				if _, known := lookup(name); !known || seen[name] {
					t.Errorf("%s: %s is no key, or has two texts", file, name)
				}
				seen[name] = true
			}
		}
	}
	for _, k := range keys() {
		if k.doc == "" {
			t.Errorf("%s has no text", k.name)
		}
	}
}
