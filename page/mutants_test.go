package page

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// insurance is a page with what a person writes.
const insurance = `charges is the value of the one rule whose IF holds, or of several in proportion, plus the entries
  of the tables.

Rule 1 (741 of 937 rows, mean 8700 $, within 900 $ in 9 of 10)
  IF   smoker is no
  THEN 8400 $ at age 40 years, children 1.1, without the tables and the terms for all rules
         + 264 $ per years of age
         + 603 $ per children up to 3

Rule 2 (89 of 937 rows, mean 21400 $, within 1200 $ in 9 of 10)
  IF   smoker is not no
  AND  bmi is at most 30, from 28 to 32 in proportion
  THEN 21400 $ at age 38 years, without the tables and the terms for all rules
         + 264 $ per years of age from 20 years up to 60 years

Rule 3 (107 of 937 rows, mean 41500 $, within 900.5 $ in 9 of 10)
  IF   smoker is not no
  AND  bmi is above 30, from 28 to 32 in proportion
  THEN 41500 $, without the tables and the terms for all rules
         - 120 $ if sex is male, + 50 $ if not

Table bmi (between entries in proportion)
  20: -100 $, 30: +0 $, 40: +250.5 $

Table region
  north / "2" / "north or south": +100 $, all others: -20 $

For all rules: - 3 $ per bmi up to 35, counted from 28

In formulas and tables, age counts as at least 18 years and at most 64 years; children counts as
  at least 0 and at most 5; bmi counts as at least 16 and at most 50.
No value is below 0 $ or above 60000 $.
`

// byHand is a page as a person may write it.
const byHand = `charges is the value of the one rule whose IF holds.
Rule 1
IF smoker is no
THEN about 8700
Rule 2
IF smoker is not no AND bmi is below 30
THEN about 21400 at age 38 +264 per age
Rule 3
IF smoker is not
  no AND bmi is at least 30 THEN about 41500
`

// premium is a page whose tables are factors.
const premium = `"log odds of ill" is the value of the one rule whose IF holds, times the factors of the tables.

Rule 1
  IF   age is at most 40
  THEN 500 at age 30, without the tables and the terms for all rules
         + 2.5 per age

Rule 2
  IF   age is above 40
  THEN 650, without the tables and the terms for all rules

Table age (between entries in proportion)
  20: x0.75, 40: x1, 60: x1.5

Table town
  A / B: x1.25, all others: x0.8

For all rules: + 10 if town is A
`

// row returns a row of numbers and levels.
func row(cells ...any) Row {
	return func(column string) (float64, string, bool) {
		for i := 0; i < len(cells); i += 2 {
			if cells[i] == column {
				v, number := cells[i+1].(float64)
				level, text := cells[i+1].(string)
				return v, level, number || text
			}
		}
		return 0, "", false
	}
}

// TestByHand computes rows by the words of a page.
func TestByHand(t *testing.T) {
	p := testenv.Must(Parse(insurance))
	testenv.Equal(t, p.String(), insurance)
	of := func(smoker string, age, bmi, children float64, sex, region string) Row {
		return row("smoker", smoker, "age", age, "bmi", bmi, "children", children, "sex", sex, "region", region)
	}
	for _, c := range []struct {
		row  Row
		want float64
	}{
		{of("no", 50, 30, 4, "male", "north"), 8400 + 264*10 + 603*(3-1.1) - 3*2 + 0 + 100},
		{of("no", 99, 40, 0, "male", "east"), 8400 + 264*24 - 603*1.1 - 3*7 + 250.5 - 20},
		{of("yes", 10, 25, 0, "male", "2"), 21400 + 264*(20-38) + 9 - 50 + 100},
		{of("?", 38, 29, 0, "?", "?"), 0.75*21400 + 0.25*41550 - 3 - 10 - 20},
		{of("yes", 38, 32, 0, "male", "north or south"), 41380 - 12 + 50.1 + 100},
		{of("yes", 38, 1e6, 0, "male", ""), 41380 - 21 + 250.5 - 20},
	} {
		if got, err := p.Predict(c.row); err != nil || math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v, %v, want %v", got, err, c.want)
		}
	}
	testenv.Equal(t, testenv.Must(p.Grades(of("yes", 0, 29, 0, "", ""))), []float64{0, 0.75, 0.25})
	testenv.Fails(t, testenv.Err(p.Predict(row("smoker", "no"))), `"age" is missing`)
	testenv.Fails(t, testenv.Err(p.Predict(of("no", 0, math.Inf(1), 0, "", ""))), `"bmi" is +Inf`)
	q := testenv.Must(Parse(byHand))
	for bmi, want := range map[float64]float64{before(30): 21400, 30: 41500} {
		testenv.Equal(t, testenv.Must(q.Predict(row("smoker", "yes", "bmi", bmi, "age", 38.0))), want, "bmi %v", bmi)
	}
	times := testenv.Must(Parse(premium))
	testenv.Equal(t, []any{times.String(), times.Numbers()}, []any{premium, 18})
	for _, c := range []struct {
		age  float64
		town string
		want float64
	}{{30, "A", (500 + 10) * 0.875 * 1.25}, {99, "B", 650 * 1.5 * 1.25}, {0, "", (500 - 75) * 0.75 * 0.8}, {41, "C", 650 * 1.025 * 0.8}} {
		got := testenv.Must(times.Predict(row("age", c.age, "town", c.town)))
		testenv.Equal(t, math.Abs(got-c.want) < 1e-12*c.want, true, "%v, want %v", got, c.want)
	}
	unknown := &Page{Target: "y", Rules: []Rule{{Terms: []Term{{Column: "x"}}}}}
	testenv.FailsWith(t, testenv.Err(unknown.Predict(row())), "no column", "an unknown column")
}

// TestParseErrors: errors name the place, what is there, and what is wanted.
func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"charges is the", "is is the", `line 1, column 1: unexpected "is": want the name of the target; a name with this word is quoted`},
		{"one rule", "rule", `line 1, column 29: unexpected "rule": want "one"`},
		{"IF   smoker is no\n", "IF   smoker is\n",
			`line 6, column 3: unexpected "THEN": want a level, a number, not, above, below, at least, or at most`},
		{"is at most 30", "is at 30", `line 12, column 18: unexpected "30": want "most"`},
		{"is at most 30", "is 3kg", `line 12, column 15: unexpected "k" after 3: a blank separates`},
		{"is at most 30", "is gross, mean", `line 12, column 20: unexpected ",": want AND, or THEN`},
		{"+ 264 $ per years of age\n", "+ 264 $ of age\n", `line 7, column 18: unexpected "of": want per, or if`},
		{"+ 264 $ per years of age\n", "+ 264 $ per kg of age\n", `line 7, column 22: unit "kg", but an earlier number has "years"`},
		{"+ 264 $ per years of age\n", "+ -264 $ per age\n", `line 7, column 12: -264 after a sign`},
		{"+ 264 $ per years of age\n", "", `line 6, column 18: no term is per "age"`},
		{"at age 40", "at age 40, age 41", `line 6, column 26: "age" twice`},
		{"741 of 937", "741 of 938", `line 10, column 15: 937 rows in all, but an earlier rule has 938`},
		{"(741", "(741.5", `line 4, column 9: 741.5: want a number of rows`},
		{"all others: -20 $", "west: -20 $", `line 28, column 1: unexpected "For": want a comma, and the entry of all others`},
		{"40: +250.5 $", "40: 250.5 $", `line 23, column 29: unexpected "250.5": want + or -, and a number`},
		{"Table region", "Table age", `line 25, column 7: "age" has levels in one place, and numbers in another`},
		{"For all rules", "For some rules", `line 28, column 5: unexpected "some": want "all"`},
		{"bmi counts", "bni counts", `line 31, column 29: no term and no table has numbers of "bni"`},
		{"bmi counts", "age counts", `line 31, column 29: "age" twice`},
		{"No value", "no value", `line 32, column 1: unexpected "no": want Rule, Table, For all rules`},
		{"above 60000 $.", "above", `line 33, column 1: the text ends too early: want a number`},
		{"above 60000 $.", "above -1.", `line 32, column 1: from 0 to -1: want a range`},
		{"smoker is no\n", "smoker is \"no\n", `line 5, column 18: a name in quotes does not end on its line`},
		{"smoker is no\n", "smoker is \\no\n", `line 5, column 18: unexpected "\\": a name with this character is quoted`},
		{"smoker is no\n", "smoker is -no\n", `line 5, column 18: unexpected "-": a name that begins with it is quoted`},
		{"-20 $", "-1e999 $", `-1e999 is not a finite number`},
		{"20: -100", "30: -100", `table "bmi": an entry at 30 after one at 30: want them ascending`},
		{"from 20 years up to 60", "from 20 years up to 20", `term of "age": from 20 up to 20`},
	} {
		text := strings.Replace(insurance, c.old, c.new, 1)
		_, err := Parse(text)
		testenv.FailsWith(t, err, c.want, "%s", c.new)
	}
	for _, c := range []struct{ old, new, want string }{
		{"times the", "plus the", `line 1, column 73: unexpected "factors": want "entries"`},
		{"x0.75", "+0.75", `line 13, column 7: unexpected "+0.75": want a factor, such as x1.2`},
		{"x0.75", "0.75", `line 13, column 7: unexpected "0.75": want a factor`},
		{"x0.75", "xNaN", `line 13, column 7: unexpected "xNaN": want a factor`},
		{"x0.75", "x0", `table "age": want factors above 0`},
		{"x0.75", "x-0.75", `table "age": want factors above 0`},
		{"Table town\n  A / B: x1.25, all others", "Table age\n  20: x1.25, 60", `table "age": want one table of factors of a column`},
		{"at most 40\n", "at most 41\n", `table "age": a condition has a border between two entries`},
		{"above 40", "above 40, from 39 to 41 in proportion", `table "age": a condition has a border between two entries`},
	} {
		testenv.FailsWith(t, testenv.Err(Parse(strings.Replace(premium, c.old, c.new, 1))), c.want, "%s", c.new)
	}
	tables := strings.Index(premium, "Table")
	testenv.FailsWith(t, testenv.Err(Parse(premium[:tables])), "there is no table", "factors without tables")
	testenv.FailsWith(t, testenv.Err(Parse(strings.Repeat(" ", maxText+1))), "a page has at most", "a long text")
	testenv.FailsWith(t, testenv.Err(Parse("")), "line 1, column 1: the text ends too early: want the name", "an empty text")
}

// TestPartition: a border that is moved, a level that is left out and a rule that is missing or twice are found, with a point where
// the rules are wrong.
func TestPartition(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"IF   smoker is no\n", "IF   always\n", "rules 1 and 2 both hold where smoker is not no and bmi is 28"},
		{"IF   smoker is no\n", "IF   smoker is yes\n", "rules 1 and 2 both hold where smoker is yes and bmi is 28"},
		{"IF   smoker is no\n", "IF   smoker is no or yes\n", "rules 1 and 2 both hold where smoker is yes and bmi is 28"},
		{"bmi is at most 30, from 28 to 32", "bmi is at most 27, from 26 to 28", "no rule holds where smoker is not no and bmi is 28"},
		{"bmi is at most 30, from 28 to 32 in proportion", "bmi is at most 30", "rules 2 and 3 both hold where smoker is not no and bmi is 30"},
		{"bmi is at most 30, from 28 to 32 in proportion", "bmi is 20 to 50", "rules 2 and 3 both hold where smoker is not no and bmi is 50"},
		{"bmi is above 30, from 28 to 32 in proportion", "bmi is above 30, from 28 to 33 in proportion", "bmi is 28"},
		{"bmi is above 30, from 28 to 32 in proportion", "smoker is no", "rule 3: its conditions hold nowhere together"},
		{"bmi is above 30, from", "bmi is above 33, from", `rule 3: condition on "bmi": a border at 33, from 28 to 32 in proportion`},
		{"bmi is above 30, from 28 to 32 in proportion", "bmi is above 30, at most 30", "want the second after the first"},
	} {
		testenv.FailsWith(t, testenv.Err(Parse(strings.Replace(insurance, c.old, c.new, 1))), c.want, "%s", c.new)
	}
	for seed := range 200 {
		rng := rand.New(rand.NewPCG(2, uint64(seed)))
		p := random(rng)
		r := rng.IntN(len(p.Rules))
		if len(p.Rules[r].Conditions) == 0 {
			continue
		}
		c := &p.Rules[r].Conditions[rng.IntN(len(p.Rules[r].Conditions))]
		*c = widened(*c)
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), "hold") && !strings.Contains(err.Error(), "want the second") {
			t.Errorf("seed %d: %v\n%s", seed, err, p)
		}
	}
}

// widened is a condition with another border, or other levels.
func widened(c Condition) Condition {
	move := func(b *Border, by float64) *Border { return &Border{b.At + by, b.From + by, b.To + by} }
	switch {
	case c.Above != nil:
		c.Above = move(c.Above, -0.25)
	case c.AtMost != nil:
		c.AtMost = move(c.AtMost, -0.25)
	default:
		c.Not = !c.Not
	}
	return c
}

// TestSplits: the tree of a page's rules gives their conditions back, and rules around a middle have none.
func TestSplits(t *testing.T) {
	for seed := range 100 {
		rng := rand.New(rand.NewPCG(3, uint64(seed)))
		p := random(rng)
		splits, ok := p.Splits()
		if !ok || len(splits) != len(p.Rules)-1 {
			t.Fatalf("seed %d: %v, %v\n%s", seed, splits, ok, p)
		}
		for range 15 {
			at := randomRow(rng, p)
			grades := slices.Repeat([]float64{1}, len(p.Rules))
			for _, s := range splits {
				c := Condition{Column: s.Column, AtMost: s.Border, Levels: s.Levels}
				below := (&Rule{Conditions: []Condition{c}}).grade(testenv.Must(p.cells(at)))
				for _, r := range s.Below {
					grades[r] *= below
				}
				for _, r := range s.Above {
					grades[r] *= 1 - below
				}
			}
			for r, g := range testenv.Must(p.Grades(at)) {
				if math.Abs(g-grades[r]) > 1e-12 {
					t.Fatalf("seed %d, rule %d: grade %v, %v by the tree\n%v\n%s", seed, r+1, g, grades[r], splits, p)
				}
			}
		}
	}
	around := "y is the value of the one rule whose IF holds.\n"
	for i, c := range []string{"a is at most 1 AND b is at most 2", "a is above 1 AND b is at most 1", "a is above 2 AND b is above 1",
		"a is at most 2 AND b is above 2", "a is above 1, at most 2 AND b is above 1, at most 2"} {
		around += fmt.Sprintf("Rule %d IF %s\nTHEN about %d\n", i+1, c, i)
	}
	_, ok := testenv.Must(Parse(around)).Splits()
	testenv.Equal(t, ok, false, "a tree of rules around a middle")
	_, ok = (&Page{}).Splits()
	testenv.Equal(t, ok, false, "a tree of an empty page")
}

// randomRow returns a row of a page's columns, near borders and ends, and beyond ranges.
func randomRow(rng *rand.Rand, p *Page) Row {
	var cells []any
	for _, c := range p.Columns {
		if c.Missing != nil && rng.IntN(4) == 0 {
			continue
		}
		if c.Levels != nil {
			cells = append(cells, c.Name, append([]string{"none of them"}, c.Levels...)[rng.IntN(len(c.Levels)+1)])
			continue
		}
		v := 40 * rng.NormFloat64()
		for _, r := range p.Rules {
			for _, one := range r.Conditions {
				for _, b := range []*Border{one.Above, one.AtMost} {
					if b != nil && one.Column == c.Name && rng.IntN(4) == 0 {
						v = []float64{b.At, b.From, b.To, before(b.At), (b.At + b.To) / 2, math.Nextafter(b.To, 1e9)}[rng.IntN(6)]
					}
				}
			}
		}
		cells = append(cells, c.Name, v)
	}
	return row(cells...)
}

// FuzzParse: what can be read is a page, whose text reads back as the same page.
func FuzzParse(f *testing.F) {
	f.Add(insurance)
	f.Add(byHand)
	f.Add(premium)
	for seed := range 4 {
		f.Add(random(rand.New(rand.NewPCG(4, uint64(seed)))).String())
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if err != nil {
			return
		}
		again := p.String()
		q, err := Parse(again)
		if err != nil {
			t.Fatalf("%v\n%q\n%s", err, text, again)
		}
		testenv.Equal(t, q.String(), again)
		testenv.Equal(t, fmt.Sprintf("%#v", flat(q)), fmt.Sprintf("%#v", flat(p)), "%s", again)
		p.Splits()
	})
}
