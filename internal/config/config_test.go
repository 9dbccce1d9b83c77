package config

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	_ "github.com/tskgraph/tskgraph/data/table/csv"      // the tests read tables of this format
	_ "github.com/tskgraph/tskgraph/internal/byhand/fis" // config.yaml names its extension
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/internal/train/tune"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func load(t *testing.T, text string, env, set []string) (*Config, error) {
	t.Helper()
	return Load(Source{Path: write(t, text), Env: env, Set: set})
}

// optionsOf returns all options of an optimizer.
func optionsOf(t *testing.T, optimizer string, v optim.Values) optim.Values {
	t.Helper()
	m := testenv.Must(optim.Lookup(optimizer, v))
	return optim.ValuesOf(m)
}

func TestDefaultsAreRobust(t *testing.T) {
	c := testenv.Must(Load(Source{}))
	want := recipe.Robust()
	want.Preset, want.Train.Solver = "", optionsOf(t, "adabound", want.Train.Solver) // the race is final
	if !reflect.DeepEqual(c.Recipe, want) || c.Output.Dir != "runs" || c.Data.Builtin != "mackey-glass" {
		t.Errorf("%+v", c)
	}
}

func TestPrecedence(t *testing.T) {
	text := "train:\n  iterations: 20\n  batch: 20\n  l2: 0.25\n"
	env := []string{"TSKGRAPH_TRAIN_BATCH=30", "TSKGRAPH_TRAIN_SEED=30", "TSKGRAPH_DATA=/somewhere", "PATH=/bin"}
	c := testenv.Must(load(t, text, env, []string{"train.seed=40", "train.seed=41", "model.rules=7"}))
	got := []any{c.Recipe.Train.Iterations, c.Recipe.Train.Batch, c.Recipe.Train.L2, c.Recipe.Train.Seed, c.Data.Split.Seed,
		c.Recipe.Model.Rules}
	want := []any{20, 30, 0.25, uint64(41), uint64(41), 7}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestEveryKeyIsRead(t *testing.T) {
	text := `
preset: paper
task: regression
data:
  path: a.csv
  target: [y, z]
  features: [b, "c,d", A]
  ignore: [e]
  weight: w
  delimiter: semicolon
  missing: mean
  categorical: {A: onehot, b: [S, M, L]}
  units: {y: MW, b: deg C}
  split: chronological
  train: 0.5
  validation: 0.25
  split_seed: 9
  pca: 7
  calibration: 0.2
model: {rules: 5, membership: trapezoid, tnorm: minimum, defuzzification: logtsk, init: kmeans, page: 40, engine: autodiff,
  consequents: gradient, antecedents: 2.5, order: 1, curves: own, knots: 5, transform: none, softness: 0.4, spread_floor: 0.2,
  margin: 0.1, neighbours: auto}
train: {iterations: 10, batch: 3, optimizer: sgd, learning_rate: 0.5, momentum: 0.9, l2: 0, droprule: 1, batch_norm: true, patience: 4,
  validate_every: 2, members: 6, seed: 8,
  consequent_rate: 0.25, schedule: cosine, loss: mean, log_spreads: true, shrink: mean, uniform: 0.125, race_splits: 7,
  race: [{init: fcm, iterations: 9, l2: 0.5, rules: 4, membership: pi, softness: 0.2}, {antecedents: 3, batch: 2, learning_rate: 0.1,
  consequent_rate: 0.2, droprule: 0.4, uniform: 0.3, least_samples: 50}]}
tune: {rules: [2, 3], membership: [gaussian, {name: mine, expr: 1/(1+((x-c)/s)^2), params: {c: {init: center}, s: {init: spread}}}],
  antecedents: [2, 0], droprule: [1], l2: [0, 0.5], uniform: [0.1], iterations: [7], learning_rate: [0.5, 1], folds: 4, repeats: 3,
  split: random, choose: best}
prune: {rounds: 3, gamma: 0.25, theta: 1}
output: {dir: out}
`
	c := testenv.Must(load(t, text, nil, nil))
	want := data.Source{
		Path: "a.csv",
		Options: data.Options{
			Target: "y", Others: []string{"z"}, Task: "regression", Features: []string{"b", "c,d", "A"}, Ignore: []string{"e"}, Weight: "w",
			Delimiter: "semicolon", Missing: "mean",
			Categorical: map[string]data.Coding{"A": {Encoding: data.OneHot}, "b": {Encoding: data.Ordinal, Levels: []string{"S", "M", "L"}}},
			Units:       map[string]string{"y": "MW", "b": "deg C"},
		},
		Split: data.Split{Kind: "chronological", Train: 0.5, Validation: 0.25, Seed: 9, Calibration: 0.2},
	}
	if !reflect.DeepEqual(c.Data, want) {
		t.Errorf("data\n got %+v\nwant %+v", c.Data, want)
	}
	if m := c.Recipe.Model; !reflect.DeepEqual(m, recipe.Model{Rules: 5, Membership: membership.Trapezoid{}, TNorm: "minimum",
		Defuzzification: "logtsk", Init: "kmeans", Page: 40, Engine: "autodiff", Consequents: "gradient", PCA: 7, Antecedents: 2.5, Order: 1,
		Curves: "own", Knots: 5, Transform: "none", Softness: 0.4, SpreadFloor: 0.2, Margin: 0.1, Neighbours: "auto"}) {
		t.Errorf("model %+v", m)
	}
	o := c.Recipe.Train
	if o.Iterations != 10 || o.Batch != 3 || o.Optimizer != "sgd" || o.Solver["learning_rate"] != 0.5 || o.Solver["momentum"] != 0.9 ||
		o.L2 != 0 || o.DropRule != 1 || !o.BatchNorm || o.Patience != 4 || o.ValidateEvery != 2 || o.Members != 6 || o.Seed != 8 ||
		c.Output.Dir != "out" {
		t.Errorf("train %+v, output %+v", o, c.Output)
	}
	if o.ConsequentRate != 0.25 || o.Schedule != "cosine" || o.Loss != "mean" || !o.LogSpreads || o.Shrink != "mean" ||
		o.Params["uniform"][0] != 0.125 ||
		o.RaceSplits != 7 {
		t.Errorf("train %+v", o)
	}
	race := []recipe.Setting{
		{"init": "fcm", "iterations": 9, "l2": 0.5, "rules": 4, "membership": "pi", "softness": 0.2},
		{"antecedents": 3.0, "batch": 2, "learning_rate": 0.1, "consequent_rate": 0.2, "droprule": 0.4, "uniform": 0.3, "least_samples": 50},
	}
	if !reflect.DeepEqual(o.Race, race) {
		t.Errorf("race %+v", o.Race)
	}
	s := c.Tune.Space
	if shapes := s["membership"]; len(shapes) != 2 || recipe.Text(shapes[1]) != "mine" {
		t.Errorf("tune.membership %+v", shapes)
	}
	delete(s, "membership")
	if !reflect.DeepEqual(s, tune.Space{"rules": {2, 3}, "antecedents": {2.0, 0.0}, "uniform": {0.1}, "droprule": {1.0}, "l2": {0.0, 0.5},
		"iterations": {7}, "learning_rate": {0.5, 1.0}}) ||
		c.Tune.Folds != 4 || c.Tune.Repeats != 3 || c.Tune.Split != "random" || c.Tune.Choose != "best" {
		t.Errorf("tune %+v", c.Tune)
	}
	if p := c.Recipe.Prune; p != (recipe.Prune{Rounds: 3, Gamma: 0.25, Theta: 1}) {
		t.Errorf("prune %+v", p)
	}
}

// TestSavedModel: the options of a saved model take the preset's place, below
// whatever is set.
func TestSavedModel(t *testing.T) {
	m := testenv.Must(model.Load("../../model/testdata/model.json"))
	m.Training.Options = map[string]string{
		"train.iterations": "1003", "train.batch": "16", "train.optimizer": "sgd", "train.momentum": "0.9", "train.learning_rate": "0.125",
		"train.patience": "9", "train.seed": "6", "prune.rounds": "4", "prune.gamma": "0.1",
	}
	for text, want := range map[string]func(o *recipe.Recipe){
		"":                                 func(*recipe.Recipe) {},
		"train: {batch: 8, iterations: 7}": func(o *recipe.Recipe) { o.Train.Batch, o.Train.Iterations = 8, 7 },
		"prune: {rounds: 2, theta: 1}":     func(o *recipe.Recipe) { o.Prune.Rounds, o.Prune.Theta = 2, 1 },
		"train: {optimizer: sgd, seed: 2}": func(o *recipe.Recipe) { o.Train.Seed = 2 },
		"train: {optimizer: rmsprop}": func(o *recipe.Recipe) {
			o.Train.Optimizer, o.Train.Solver = "rmsprop",
				optionsOf(t, "rmsprop", nil)
		},
		"train: {optimizer: sgd, momentum: 0}": func(o *recipe.Recipe) { o.Train.Solver["momentum"] = 0 },
	} {
		c := testenv.Must(Load(Source{Path: write(t, text), Set: []string{"data.path=x.csv"}, Model: m}))
		o := recipe.Paper()
		o.Preset, o.Model = "", c.Recipe.Model
		o.Train.Iterations, o.Train.Batch, o.Train.Optimizer, o.Train.Seed = 200, 16, "sgd", 6
		o.Train.Solver = optim.Values{"learning_rate": 0.125, "momentum": 0.9}
		o.Prune = recipe.Prune{Rounds: 1, Gamma: 0.5, Theta: 0.5}
		want(&o)
		if !reflect.DeepEqual(c.Recipe, o) {
			t.Errorf("%q\n got %+v\nwant %+v", text, c.Recipe, o)
		}
		if c.Recipe.Model.Rules != 0 || c.Data.Target != "y" || c.Data.Split.Train != 1 {
			t.Errorf("%q: %+v, %+v", text, c.Recipe.Model, c.Data)
		}
	}
	m.Training.Options["model.roles"] = `{"id":"none","x":"if"}`
	c, err := Load(Source{Set: []string{"data.path=x.csv", "data.validation=0.25"}, Model: m})
	if err == nil && (c.Source().Ignore != nil || len(c.Recipe.Model.Roles) != 1) {
		t.Errorf("a saved model without column id ignores it: %v, roles %v", c.Source().Ignore, c.Recipe.Model.Roles)
	}
	delete(m.Training.Options, "model.roles")
	if err != nil || c.Data.Split.Train != 0.75 {
		t.Errorf("with a quarter for validation: train %v, %v", c.Data.Split.Train, err)
	}
	m.Training.Options["train.batch"] = "x"
	if _, err := Load(Source{Model: m}); !errors.Is(err, model.ErrFile) {
		t.Errorf("a batch of x: %v", err)
	}
}

// TestRoundTrip: a printed configuration gives itself again.
func TestRoundTrip(t *testing.T) {
	for _, text := range []string{
		"", "data: {builtin: friedman1}\ntrain: {optimizer: adam, seed: 18446744073709551615}\n",
		"data: {path: x.csv, target: 'yes', categorical: none, features: ['1', a b, 'n: o'], units: {a b: '°C'}}\n",
		"data: {path: x.csv, target: y, na: ['-', -999, .5]}\n",
		"data: {path: x.csv, target: y, na: {a: ['-', '*'], '*': [-999.0]}}\n",
		"data: {path: x.csv, target: y, split: column, split_column: part, categorical: {s: [a, b], t: onehot}}\n",
		"data: {path: x.csv, target: y, test_path: t.csv, validation: 0.1}\ntrain: {patience: 50}\n",
		"data: {path: x.csv, target: y, test_path: t.csv}\noutput: {dir: '#x'}\n",
		"data: {path: x.csv, target: y, group: id, calibration: 0.25}\ntrain: {members: 5}\n",
		"tune: {rules: [2], l2: [0.5, 1], membership: [gaussian, trapezoid], split: chronological, choose: best, folds: 3}\n",

		"train: {race: [{l2: 1}]}\n", "train: {race: [{}]}\n",
		"model: {init: runs/x-001}\nprune: {rounds: 2, gamma: 0.25}\n",
		"model: {init: runs/x-001/model.json, rules: 7}\n",
		"model:\n  membership:\n    name: Mine\n    expr: exp(-abs(x-C)/s)\n    log_expr: -abs(x-C)/s\n    params: {s: {init: 2*spread, " +
			"min: 0.05}, C: {init: center}}\n",
	} {
		first := testenv.Must(load(t, text, nil, nil))
		second, err := load(t, string(first.YAML()), nil, nil)
		if err != nil {
			t.Fatalf("%v in\n%s", err, first.YAML())
		}
		if string(first.YAML()) != string(second.YAML()) {
			t.Errorf("printed\n%sand again\n%s", first.YAML(), second.YAML())
		}
		if !reflect.DeepEqual(first, second) {
			t.Errorf("got\n%+v\nwant\n%+v", second, first)
		}
	}
}

// TestFormula: a shape of one's own keeps its parameters' order and case.
func TestFormula(t *testing.T) {
	c, err := load(t, "model:\n  membership: {name: mine, expr: 1/(1+((x-C)/s)^2)*k, params: {s: {init: spread, min: 0.05}, k: {init: "+
		"1}, C: {init: center}}}\n", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := c.Recipe.Model.Membership
	var names []string
	for _, p := range f.Params() {
		names = append(names, p.Name)
	}
	if got := strings.Join(names, " "); got != "s k C" || f.Name() != "mine" {
		t.Errorf("%s with parameters %s", f.Name(), got)
	}
	if got := f.Place(3, 0.01); !reflect.DeepEqual(got, []float64{0.05, 1, 3}) {
		t.Errorf("placed at %v", got)
	}
}

// TestFaults: what is said of wrong values and of those that do not go together; see also TestNasty, and TestSchemaAndCodeRefuseTheSame of
// limits and types.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string // all of them
	}{
		{"train:\n  iterations: 64.7\n", []string{"c.yaml:2:15: train.iterations: 64.7: want a whole number"}},
		{"train:\n  iterations: \"500\"\n", []string{`train.iterations: "500": want a whole number`}},
		{"train: {batch: -1, l2: -2}", []string{"c.yaml:1:16: train.batch: -1: must be at least 0"}},
		{"train: {seed: -3}", []string{"train.seed: -3: want a whole number, 0 or more"}},
		{"model: {signs: {age: +}}", []string{"c.yaml:1:9: model.signs: is model.monotone now, which holds for every prediction: write " +
			"model.monotone: {age: increasing, outside: decreasing} for {age: +, outside: -}"}},
		{"model: {bounds: [0, ~]}", []string{"c.yaml:1:9: model.bounds: is model.range now: write model.range: [0, ~]"}},
		{"model: {monotone: {age: +, b: -, c: up}}", []string{`column "age": "+": write increasing`, `column "b": "-": write decreasing`,
			`column "c": "up": want increasing (the prediction does not fall where the column rises) or decreasing`}},
		{"model: {roles: {age: maybe}}", []string{`column "age": "maybe": want if (the column occurs in conditions only)`}},
		{"model: {interactions: [age, bmi]}", []string{"group 1"}},
		{"train: {iteration: 5}\nmodle: {}\n", []string{"train.iteration: no such key; did you mean train.iterations?",
			"c.yaml:2:1: modle: no such key; did you mean model?"}},
		{"train: 5", []string{"train: 5: want keys"}},
		{"- a", []string{"a list: want keys"}},
		{"preset: [", []string{"c.yaml:1:10: did not find"}},
		{"preset: papr", []string{"c.yaml:1:9: preset: \"papr\": choose robust, readable or paper; did you mean paper?"}},
		{"train: {optimizer: adamm}", []string{"train.optimizer", "adamm"}},
		{"train: {patience: 5}", nil}, // refused when there is no validation part, by Train
		{"model: {membership: [a]}", []string{"model.membership: a list: want the name of a shape, or a mapping"}},
		{"model: {membership: {name: m, expr: x, parms: {}}}", []string{"parms: no such key; did you mean params?"}},
		{"model: {membership: {name: m, expr: x}}", []string{"0 parameters"}},
		{"model: {membership: {name: m, expr: x-c, params: {c: center}}}", []string{`params: c: "center": want {init: center}`}},
		{"model: {membership: {name: m, expr: x-c, params: {c: {int: center}}}}", []string{"int: no such key: there are init and min"}},
		{"model:\n  membership:\n    name: m\n    expr: x - q\n    params: {c: {init: center}}",
			[]string{"c.yaml:4:11: model.membership: expr: column 5 of \"x - q\": unknown name q"}},
		{"model: {membership: {name: cauchy, expr: x-c, params: {c: {init: center}}}}", []string{"built-in"}},
		{"model: {engine: warp}", []string{"model.engine", "warp"}},
		{"model: {consequents: magic}", []string{`:1:22: model.consequents: "magic": choose gradient or least-squares`}},
		{"preset: paper\nmodel: {consequents: least-squares}", []string{"train.batch: 64: least squares", "set it to 0"}},
		{"preset: paper\nmodel: {consequents: least-squares}\ntrain: {batch: 0}", []string{"train.droprule: 0.5: least squares", "set it to 1"}},
		{"preset: paper\nmodel: {consequents: least-squares}\ntrain: {batch: 0, droprule: 1}", nil},
		{"preset: paper\nmodel: {consequents: least-squares}\ntrain: {batch: 0, droprule: 1, agreement: 0.1}",
			[]string{"train.agreement: 0.1: least squares", "set it to 0"}},
		{"preset: paper\ntrain: {optimizer: anfis}", []string{"train.batch: 64: optimizer anfis", "set it to 0"}},
		{"preset: paper\ntrain: {optimizer: anfis, batch: 0, learning_rate: 0.02}", nil},
		{"preset: paper\ndata: {pca: 5}\nmodel: {init: grid}", nil},
		{"prune: {theta: 1.5}", []string{":1:16: prune.theta: 1.5: must be at least 0 and at most 1"}},
		{"model: {init: luck}",
			[]string{`:1:15: model.init: "luck": choose auto, fcm, kmeans, by-class, one-feature, grid, tree, page or genfis, or the file of `}},
		{"data: {path: a.csv, builtin: sinc, target: y}", []string{`c.yaml:1:30: data.builtin: "sinc" cannot be combined with data.path`}},
		{"data: {path: a.csv}", []string{"data.target"}},
		{"data: {target: y, features: a}", []string{`data.features: "a": want a list`}},
		{"data: {categorical: {s: hot}}", []string{`column "s": "hot": want onehot`}},
		{"data: {categorical: yes}", []string{"data.categorical", "want auto, none"}},
		{"train: {members: -2}", []string{"train.members: -2"}},
		{"tune: {rules: 4}", []string{"tune.rules: 4: want a list of values, such as [8, 16, 32, 64]"}},
		{"tune: {rules: [4, 0.5]}", []string{"c.yaml:1:19: tune.rules: 0.5: want a whole number"}},
		{"tune: {l2: []}", []string{"tune.l2: a list: want a list of values, such as"}},
		{"tune: {membership: gaussian}", []string{`tune.membership: "gaussian": want a list of values, such as [gaussian]`}},
	} {
		_, err := load(t, c.text, nil, nil)
		if c.want == nil {
			if err != nil {
				t.Errorf("%q: %v", c.text, err)
			}
			continue
		}
		if err == nil {
			t.Errorf("%q: accepted", c.text)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q:\n got %v\nwant %s", c.text, err, want)
			}
		}
	}
}

func TestEnvironmentAndSetFaults(t *testing.T) {
	for _, c := range []struct {
		env, set []string
		want     string
	}{
		{[]string{"TSKGRAPH_TRAIN_ITERATION=5"}, nil, "TSKGRAPH_TRAIN_ITERATION: no such key; did you mean TSKGRAPH_TRAIN_ITERATIONS?"},
		{[]string{"TSKGRAPH_TRAIN_ITERATIONS=x"}, nil, `TSKGRAPH_TRAIN_ITERATIONS: train.iterations: "x": want a whole number`},
		{nil, []string{"train.iterations"}, "want key=value"},
		{nil, []string{"data={path: x.csv}"}, "--set: data: a section: set one of its keys, such as train.iterations=2000"},
		{nil, []string{"train.seeds=1"}, "--set: train.seeds: no such key; did you mean train.seed?"},
		{nil, []string{"train.seed=1.5"}, "--set: train.seed: 1.5: want a whole number"},
		{nil, []string{"data.categorical={a"}, "--set: data.categorical"},
		{nil, []string{"train.seed="}, "train.seed"},
	} {
		if _, err := Load(Source{Env: c.env, Set: c.set}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v %v:\n got %v\nwant %s", c.env, c.set, err, c.want)
		}
	}
	c, err := Load(Source{Set: []string{"data.path=a b.csv", "data.target=null", "data.ignore=a,b", "data.features=['c,d']",
		"data.categorical={x: onehot}"}})
	if err == nil {
		t.Fatalf("a coding of a column that is no feature was accepted: %+v", c.Data)
	}
	c, err = Load(Source{Set: []string{"data.path=a b.csv", "data.target=null", "data.ignore=a,b", "data.features=['c,d']"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%q %q %q %q", c.Data.Path, c.Data.Target, c.Data.Ignore,
		c.Data.Features); got != `"a b.csv" "null" ["a" "b"] ["c,d"]` {
		t.Error(got)
	}
}

// TestReference: docs/keys.md is what the table of keys gives, with a row for each key.
func TestReference(t *testing.T) {
	file := testenv.Must(os.ReadFile("../../docs/keys.md"))
	if string(file) != string(Reference()) {
		t.Error("docs/keys.md is stale: run make template")
	}
	for _, k := range keys() {
		row, _, found := strings.Cut(string(file), "| `"+k.name+"` |")
		if !found || !strings.HasSuffix(row, "\n") {
			t.Errorf("%s has no row", k.name)
		}
	}
	for _, line := range strings.Split(string(file), "\n") {
		if strings.HasPrefix(line, "|") && strings.Count(line, "|")-strings.Count(line, `\|`) != 4 {
			t.Errorf("a row is not of three cells: %s", line)
		}
	}
}

// TestTemplate: config.yaml is what the table of keys gives, is the paper's system with
// pruning, and names every key; the defaults it shows are the defaults.
func TestTemplate(t *testing.T) {
	file := testenv.Must(os.ReadFile("../../config.yaml"))
	if string(file) != string(Template()) {
		t.Error("config.yaml is stale: run go run ./cmd/tskgraph config print --template > config.yaml")
	}
	for _, k := range keys() {
		if _, name := k.section(); !strings.Contains(string(file), name+":") {
			t.Errorf("%s is not in config.yaml", k.name)
		}
	}
	plain := testenv.Must(Load(Source{Path: "../../config.yaml"}))
	defaults := testenv.Must(Load(Source{Set: []string{"preset=paper", "prune.rounds=2", "train.iterations=5000"}}))
	if !reflect.DeepEqual(plain, defaults) {
		t.Error("config.yaml is not the preset paper with two rounds of pruning")
	}
	// With the sections' comments taken for keys, nothing changes either.
	var active []string
	for _, line := range strings.Split(string(file), "\n") {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "  # "), ":")
		switch _, isModel := lookup("model." + name); {
		case strings.HasPrefix(line, "  #   - "), strings.HasPrefix(line, "  # ") &&
			(isModel || slices.Contains(strings.Fields("tune race race_splits iterations batch optimizer consequent_rate schedule loss "+
				"log_spreads l2 shrink uniform agreement curve_l2 curve_deviation_l2 droprule patience validate_every seed dir learning_rate "+
				"beta1 beta2 epsilon rounds gamma theta"), name)):
			line = strings.Replace(line, "# ", "", 1)
		}
		active = append(active, line)
	}
	spelled := testenv.Must(load(t, strings.Join(active, "\n"), nil, nil))
	if space, err := tune.DefaultSpace(defaults.Recipe, false); err != nil || !reflect.DeepEqual(spelled.Tune.Space, space) {
		t.Errorf("the lists shown in config.yaml, %+v, are not the defaults, %+v, %v", spelled.Tune.Space, space, err)
	}
	spelled.Tune = defaults.Tune
	if string(spelled.YAML()) != string(defaults.YAML()) {
		t.Errorf("the values shown in config.yaml are not the defaults:\n%s\nwant\n%s", spelled.YAML(), defaults.YAML())
	}
}

// A search's choice, written down and read back, is the choice.
func TestTunedIsReadBack(t *testing.T) {
	c, err := load(t, "data: {builtin: friedman1, train: 0.2}\nmodel: {rules: 2}\ntrain: {race: [{init: one-feature, iterations: 5, "+
		"consequent_rate: 0.03}, {iterations: 9, batch: 32}]}", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	parts := testenv.Must(c.Data.Load(context.Background()))
	result, err := tune.Search(t.Context(), parts.Train, c.Recipe,
		tune.Options{Trials: 40, Space: tune.Space{"rules": {2}, "iterations": {5, 9, 200}}})
	if err != nil {
		t.Fatal(err)
	}
	c.Recipe = result.Options
	back := testenv.Must(load(t, string(c.YAML()), nil, nil))
	if want := result.Options; len(want.Train.Race) != 0 || !reflect.DeepEqual(back.Recipe, want) {
		t.Errorf("chosen\n%+v\nread back\n%+v", want, back.Recipe)
	}
}
