package page

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// odd are names that need quotes, and names that do not.
var odd = []string{"age", "sun in W", "größe", "is", "a or b", "wind, m/s", "1st", "2.5", "-", "+x", "p.a.", "two\nlines", "\x1b[31m",
	"say \"x\"", " lead", "a  b", "日 本", "No value", "Table", "all", "x/y", "a / b", "(k)", "\xff", "%", "°C", "to", "no", "No", "Rule 1",
	"back\\slash", "\u202e", "x:y", "e5"}

// levels are those of a category of random pages.
func levels(rng *rand.Rand) []string {
	all := slices.Clone(odd)
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:2+rng.IntN(4)]
}

// random returns a valid page: the leaves of a random tree, with everything that a page may have.
func random(rng *rand.Rand) *Page {
	p := &Page{Target: odd[rng.IntN(len(odd))], Low: -1e4, High: 1e5, Samples: rng.IntN(2) * 5000}
	if rng.IntN(2) == 0 {
		p.Unit = odd[rng.IntN(len(odd))]
	}
	names := rng.Perm(len(odd))
	for i := range 6 {
		c := Column{Name: odd[names[i]]}
		if i%2 == 1 {
			c.Levels = levels(rng)
		} else if c.Low, c.High = -50+rng.NormFloat64(), 50+number3(rng); rng.IntN(2) == 0 {
			c.Unit = odd[rng.IntN(len(odd))]
		}
		switch rng.IntN(4) {
		case 0:
			c.Missing = &Fill{}
		case 1:
			if c.Levels == nil {
				c.Missing = &Fill{Number: number3(rng)}
			} else {
				c.Missing = &Fill{Level: c.Levels[rng.IntN(len(c.Levels))]}
			}
		}
		p.Columns = append(p.Columns, c)
	}
	switch rng.IntN(4) {
	case 0:
		p.Class = odd[rng.IntN(len(odd))]
	case 1:
		p.Below = true
	}
	p.grow(rng, nil, 3)
	p.Terms = p.terms(rng)
	p.Factors = rng.IntN(3) == 0
	for _, c := range p.Columns {
		if t := c.randomTable(rng); rng.IntN(2) == 0 && (!p.Factors || t.divides(p.Rules)) {
			for k := range t.Entries {
				if p.Factors {
					t.Entries[k] = math.Exp(t.Entries[k] / 20)
				}
			}
			p.Tables = append(p.Tables, t)
		}
	}
	p.Factors = p.Factors && p.Tables != nil
	return p
}

// number3 returns a number with few digits or with many.
func number3(rng *rand.Rand) float64 {
	v := 20 * rng.NormFloat64()
	if rng.IntN(2) == 0 {
		return math.Round(v)
	}
	return v
}

// grow appends the rules of a random tree below a path.
func (p *Page) grow(rng *rand.Rand, path []Condition, depth int) {
	var columns []int
	for i, c := range p.Columns {
		if !slices.ContainsFunc(path, func(o Condition) bool { return o.Column == c.Name }) {
			columns = append(columns, i)
		}
	}
	if depth == 0 || rng.IntN(5) == 0 {
		r := Rule{Conditions: path, About: 100 * number3(rng), Terms: p.terms(rng)}
		if rng.IntN(3) > 0 {
			r.Rows, r.Mean, r.Within = 1+rng.IntN(400), number3(rng), math.Abs(number3(rng))
			switch r.Counted = rng.IntN(8) == 0; {
			case r.Counted, rng.IntN(8) == 0:
				r.Mean, r.Within = 0, 0
			}
			if p.Class != "" {
				r.Mean = 0
			}
			if !r.Counted && (p.Class != "" || p.Below) {
				r.Within, r.Percent = 0, float64(rng.IntN(1001))/10
			}
		}
		p.Rules = append(p.Rules, r)
		return
	}
	c := p.Columns[columns[rng.IntN(len(columns))]]
	with := func(one Condition) []Condition {
		one.Column = c.Name
		return append(slices.Clone(path), one)
	}
	if c.Levels != nil {
		some := c.Levels[:1+rng.IntN(len(c.Levels))]
		p.grow(rng, with(Condition{Levels: some}), depth-1)
		p.grow(rng, with(Condition{Levels: some, Not: true}), depth-1)
		return
	}
	at := number3(rng)
	low, high := step(at), step(at+1+rng.Float64())
	if rng.IntN(3) == 0 {
		low.From, low.To = at-0.5, at+rng.Float64()
	} else if rng.IntN(2) == 0 { // "at least": the number before a round one
		low, high = step(before(math.Round(at))), step(math.Round(at)+float64(rng.IntN(2)))
	}
	p.grow(rng, with(Condition{AtMost: low}), depth-1)
	p.grow(rng, with(Condition{Above: low, AtMost: high}), depth-1)
	p.grow(rng, with(Condition{Above: high}), depth-1)
}

// terms returns random terms.
func (p *Page) terms(rng *rand.Rand) (all []Term) {
	for _, c := range p.Columns {
		switch {
		case rng.IntN(2) == 0:
		case c.Levels != nil:
			no := number3(rng) * float64(rng.IntN(2))
			all = append(all, Term{Column: c.Name, Level: c.Levels[rng.IntN(len(c.Levels))], Yes: number3(rng), No: no})
		default:
			t := Term{Column: c.Name, Slope: number3(rng) * math.Pow10(rng.IntN(30)-15), At: number3(rng)}
			if rng.IntN(3) == 0 {
				from := number3(rng)
				t.From = &from
			}
			if rng.IntN(3) == 0 {
				to := 80 + number3(rng)/10
				t.To = &to
				if t.From != nil {
					t.To = new(float64)
					*t.To = *t.From + 1
				}
			}
			all = append(all, t)
		}
	}
	return all
}

func (c Column) randomTable(rng *rand.Rand) Table {
	t := Table{Column: c.Name}
	if c.Levels != nil {
		n := 1 + rng.IntN(len(c.Levels)-1)
		t.Groups, t.Entries = [][]string{c.Levels[:n], c.Levels[n:]}, []float64{number3(rng), number3(rng), number3(rng)}
		return t
	}
	for k := range 2 + rng.IntN(5) {
		t.Knots, t.Entries = append(t.Knots, float64(10*k-20)+rng.Float64()), append(t.Entries, number3(rng))
	}
	return t
}

// printed returns the page with the parts that its text has: the columns and levels that it mentions, in the order of the text, and units
// and ranges where numbers need them. It reads the page, not the text.
func printed(p *Page) *Page {
	q := *p
	q.Columns = nil
	seen := map[string]int{}
	mention := func(name string, formula bool, levels ...string) {
		c := p.Columns[slices.IndexFunc(p.Columns, func(c Column) bool { return c.Name == name })]
		i, ok := seen[name]
		if !ok {
			i, seen[name] = len(q.Columns), len(q.Columns)
			one := Column{Name: name, Unit: c.Unit}
			if c.Levels != nil {
				one.Levels = []string{}
			}
			q.Columns = append(q.Columns, one)
		}
		if formula && c.Levels == nil {
			q.Columns[i].Low, q.Columns[i].High = c.Low, c.High
		}
		for _, level := range levels {
			if !slices.Contains(q.Columns[i].Levels, level) {
				q.Columns[i].Levels = append(q.Columns[i].Levels, level)
			}
		}
	}
	terms := func(all []Term) {
		for _, t := range all {
			if t.Level == "" {
				mention(t.Column, true)
			} else {
				mention(t.Column, true, t.Level)
			}
		}
	}
	for _, r := range p.Rules {
		for _, c := range r.Conditions {
			mention(c.Column, false, c.Levels...)
		}
		for _, t := range r.Terms { // their centres come first
			if t.Level == "" {
				mention(t.Column, true)
			}
		}
		terms(r.Terms)
	}
	for _, t := range p.Tables {
		mention(t.Column, true, slices.Concat(t.Groups...)...)
	}
	terms(p.Terms)
	columns := slices.Clone(p.Columns)
	slices.SortFunc(columns, func(a, b Column) int { return strings.Compare(a.Name, b.Name) })
	for _, c := range columns {
		if c.Missing != nil {
			if mention(c.Name, false); c.Missing.Level != "" {
				mention(c.Name, false, c.Missing.Level)
			}
			q.Columns[seen[c.Name]].Missing = c.Missing
		}
	}
	return &q
}

// TestRoundTrip reads the text of random pages back to the bit.
func TestRoundTrip(t *testing.T) {
	for seed := range testenv.CaseNumber(100, 300, 1000) {
		p := random(rand.New(rand.NewPCG(1, uint64(seed))))
		testenv.OK(t, p.Validate())
		text := p.String()
		q, err := Parse(text)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if testenv.Equal(t, q.String(), text, "seed %d", seed); t.Failed() {
			return
		}
		if want := printed(p); fmt.Sprintf("%#v", flat(q)) != fmt.Sprintf("%#v", flat(want)) {
			t.Fatalf("seed %d:\n%s\n%#v, want\n%#v", seed, text, flat(q), flat(want))
		}
		for i, line := range strings.Split(text, "\n") {
			if utf8.RuneCountInString(line) > textColumns {
				t.Errorf("seed %d, line %d has more than %d columns: %s", seed, i+1, textColumns, line)
			}
		}
	}
}

// TestZeros: a rule whose rows all have the target 0 says so, and one of whose rows only the number is known says nothing else, as text and
// as JSON.
func TestZeros(t *testing.T) {
	for _, about := range []string{"(3 of 5 rows, mean 0, within 0 in 9 of 10)", "(3 of 5 rows)", "(0 of 5 rows)", "(3 rows, 0% yes)",
		"(3 rows, mean 0, 0% below)", "(3 rows)"} {
		text := "y is the value of the one rule whose IF holds.\n\nRule 1 " + about + "\n  IF   always\n  THEN about 0\n"
		p := testenv.Must(Parse(text))
		testenv.Equal(t, p.String(), text)
		var q Page
		testenv.OK(t, json.Unmarshal(testenv.Must(json.Marshal(p)), &q))
		testenv.Equal(t, q.String(), text, "from JSON")
	}
	trained := &Page{Target: "y", Samples: 5, Rules: []Rule{{Rows: 3}}}
	if text := trained.String(); !strings.Contains(text, "(3 of 5 rows, mean 0, within 0 in 9 of 10)") {
		t.Error(text)
	}
}

// TestParseAll reads the texts of several pages, one after another.
func TestParseAll(t *testing.T) {
	for seed := range testenv.CaseNumber(30, 100, 300) {
		rng, text := rand.New(rand.NewPCG(6, uint64(seed))), ""
		var all []string
		for k := range 1 + rng.IntN(3) {
			all = append(all, random(rng).String())
			text += []string{"", "\n"}[min(k, 1)] + all[k]
		}
		if len(text) > maxText {
			continue
		}
		got := testenv.Must(ParseAll(text))
		testenv.Equal(t, len(got), len(all), "pages")
		for k, p := range got {
			testenv.Equal(t, p.String(), all[k], "seed %d, page %d", seed, k+1)
		}
		if len(all) > 1 {
			testenv.Fails(t, testenv.Err(Parse(text)), fmt.Sprintf("%d pages: want one", len(all)))
		}
	}
	wrong := strings.Replace(insurance, "IF   smoker is no\n", "IF   always\n", 1)
	testenv.FailsWith(t, testenv.Err(ParseAll(premium+wrong)), `page of "charges": `, "the second page")
}

// flat returns the parts of a page without pointers, whose format tells -0 from 0.
func flat(p *Page) (all []any) {
	all = append(all, p.Target, p.Unit, p.Low, p.High, p.Samples, p.Factors)
	for _, c := range p.Columns {
		if c.Missing != nil {
			all = append(all, *c.Missing)
		}
		c.Missing = nil
		all = append(all, fmt.Sprint(c))
	}
	term := func(t Term) {
		for _, v := range []*float64{t.From, t.To} {
			if v != nil {
				all = append(all, *v)
			}
		}
		all = append(all, t.From == nil, t.To == nil, t.Column, t.Slope, t.At, t.Level, t.Yes, t.No)
	}
	for _, r := range p.Rules {
		said := r.Rows > 0 && !r.Counted
		all = append(all, "rule", r.About, r.Rows, r.Mean, r.Within, r.Percent, r.Counted, said && p.Below, said && p.Class != "")
		for _, c := range r.Conditions {
			all = append(all, c.Column, fmt.Sprint(c.Levels), c.Not)
			for _, b := range []*Border{c.Above, c.AtMost} {
				if b != nil {
					all = append(all, *b)
				}
				all = append(all, b == nil)
			}
		}
		for _, t := range r.Terms {
			term(t)
		}
	}
	for _, t := range p.Terms {
		term(t)
	}
	for _, t := range p.Tables {
		all = append(all, t.Column, t.Knots, fmt.Sprint(t.Groups), t.Entries)
	}
	return all
}

// ofMissing is a page whose rules, terms and tables name missing cells of numbers, beside their numbers, and of a category.
const ofMissing = `rent is the value of the one rule whose IF holds, plus the entries of the tables.

Rule 1
  IF   income is missing
  AND  deck is not missing or F
  THEN 20 EUR at rooms 3, without the tables and the terms for all rules
         + 2 EUR per rooms
         + 1.5 EUR if age is missing, - 0.5 EUR if not

Rule 2
  IF   income is missing
  AND  deck is missing or F
  THEN 25 EUR, without the tables and the terms for all rules

Rule 3
  IF   income is not missing
  AND  income is at most 30
  THEN 10 EUR, without the tables and the terms for all rules

Rule 4
  IF   income is not missing
  AND  income is above 30
  THEN 40 EUR, without the tables and the terms for all rules

Table age (between entries in proportion)
  20: +1 EUR, 60: -1 EUR

Table age
  missing: +3 EUR, all others: +0 EUR

For all rules: + 0.25 EUR per income, counted from 30; + 0.5 EUR if deck is missing

In formulas and tables, rooms counts as at least 1 and at most 9; age counts as at least 20 and at
  most 60; income counts as at least 10 and at most 90.
A missing age counts as 35; a missing deck counts as missing; a missing income counts as 31; a
  missing rooms counts as 3.
No value is below 0 EUR or above 99 EUR.
`

// TestOfMissing: a missing cell of a number is a level where a page asks for it, and a number elsewhere.
func TestOfMissing(t *testing.T) {
	p := testenv.Must(Parse(ofMissing))
	testenv.Equal(t, p.String(), ofMissing, "text")
	for _, c := range []struct {
		income, age any
		deck        string
		want        float64
	}{
		{31.0, 35.0, "F", 40 + 0.25 + 0.25}, {nil, 35.0, "F", 25 + 0.25 + 0.25}, {nil, 35.0, "A", 20 - 0.5 + 0.25 + 0.25},
		{nil, nil, "A", 20 + 1.5 + 0.25 + 3 + 0.25}, {20.0, nil, "", 10 + 0.25 + 3 - 2.5 + 0.5}, {nil, 60.0, "", 25 - 1 + 0.25 + 0.5},
	} {
		got := testenv.Must(p.Predict(func(column string) (float64, string, bool) {
			switch v := map[string]any{"income": c.income, "age": c.age, "rooms": 3.0}[column].(type) {
			case float64:
				return v, "", true
			case nil:
				return 0, c.deck, column == "deck" && c.deck != ""
			}
			return 0, "", false
		}))
		testenv.Equal(t, got, c.want, c)
	}
	for _, wrong := range [][3]string{
		{"income is not missing\n  AND  income is above 30", "income is above 30", "rules 1 and 4 both hold where"},
		{"a missing income counts as 31; ", "", "income"},
		{"a missing income counts as 31", "a missing income counts as F", "income"},
	} {
		pg, err := Parse(strings.Replace(ofMissing, wrong[0], wrong[1], 1))
		if err == nil {
			_, err = pg.Predict(func(column string) (float64, string, bool) { return 50, "A", column != "income" })
		}
		testenv.FailsWith(t, err, wrong[2], wrong[1])
	}
}
