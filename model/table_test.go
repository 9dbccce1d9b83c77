package model

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// predictTable predicts a table.
func predictTable(m *Model, in io.Reader, o TableOptions) (string, TableCounts, error) {
	var out strings.Builder
	counts, err := m.PredictTable(context.Background(), data.Input{Name: "t.csv", Reader: in}, o, &out)
	return out.String(), counts, err
}

// predictText is predictTable for a text.
func predictText(m *Model, table string, o TableOptions) (string, error) {
	out, _, err := predictTable(m, strings.NewReader(table), o)
	return out, err
}

// tableText returns a table of n rows, some with cells that need quotes.
func tableText(n int) string {
	rng := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	b.WriteString("id,a\n")
	for i := range n {
		id := [...]string{"x", `"p,q"`, "\"two\nlines\"", " z", "\"\"\"\""}[rng.IntN(5)]
		fmt.Fprintf(&b, "%s,%.3f\n", id, 10+2*rng.NormFloat64())
		if i%100 == 0 {
			b.WriteString("\r\n")
		}
	}
	return b.String()
}

// PredictTable gives the same rows as encoding/csv and Predict for a table of many
// blocks, for any number of workers and any size of reads.
func TestPredictTable(t *testing.T) {
	table := tableText(testenv.CaseNumber(15_000, 15_000, 40_000))
	in := csv.NewReader(strings.NewReader(table))
	records := testenv.Must(in.ReadAll())
	var want bytes.Buffer
	w := csv.NewWriter(&want)
	_ = w.Write([]string{"id", "a", "y_predicted"})
	sum := TableCounts{Missing: data.Missing{Policy: "mean"}}
	for _, record := range records[1:] {
		a := testenv.Must(strconv.ParseFloat(record[1], 64))
		p := predict(t, small(), [][]float64{{a}})
		_ = w.Write(append(record, strconv.FormatFloat(p.Values[0], 'g', -1, 64)))
		sum.Rows++
		sum.OutOfRange += p.OutOfRange
		sum.Uncovered += p.Uncovered
	}
	w.Flush()
	for _, workers := range []int{1, 2, 3, 8} {
		before := runtime.GOMAXPROCS(workers)
		for name, in := range map[string]io.Reader{"whole": strings.NewReader(table), "halves": iotest.HalfReader(strings.NewReader(table))} {
			got, counts, err := predictTable(small(), in, TableOptions{})
			if err != nil || got != want.String() || !reflect.DeepEqual(counts, sum) {
				t.Errorf("%d workers, %s: wrong table; %+v, want %+v; %v", workers, name, counts, sum, err)
			}
		}
		runtime.GOMAXPROCS(before)
	}
}

// A faulty row is an error with its line; all rows before it are written.
func TestPredictTableFaults(t *testing.T) {
	many := strings.Repeat("1,10\n", 60_000)
	for _, c := range []struct {
		table, want string
		rows        int
	}{
		{"id,a\n1,10\n2,x1\n3,10\n",
			`t.csv:3:3: column "a": "x1" is not a plain decimal number: correct it`, 1},
		{"id,a\n" + many + "1\n" + many, "t.csv:60002:2: the row has 1 cells, the header 2: is the row cut off?", 60_000},
		{"id,a\n" + many + "1,\n" + many, `t.csv:60002:3: column "a": the cell is blank: give it a value`, 60_000},
		{"id,a\n1,10\n\n\"x\ny\",10\n2,1e100\n3,x1\n",
			`t.csv:6: feature "a" is 1e+100: 1e+100 standard deviations or more from the mean of the training data: correct it`, 2},
		{"id,b\n", `t.csv:1: a column of the model: the table has no column "a" (its columns: "id", "b")`, -1},
		{"a,y_predicted\n1,2\n", `t.csv:1: column "y_predicted" already exists: rename or remove it`, -1},
	} {
		m := small()
		m.Features[0].SD = 0.1
		out, counts, err := predictTable(m, strings.NewReader(c.table), TableOptions{Strict: true})
		if err == nil || err.Error() != c.want || !errors.As(err, new(*data.Error)) {
			t.Errorf("error\n%v, want\n%s", err, c.want)
		}
		records, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil || len(records)-1 != c.rows || counts.Rows != max(c.rows, 0) {
			t.Errorf("%s: %d rows written and %d counted, want %d; %v", c.want, len(records)-1, counts.Rows, c.rows, err)
		}
	}
}

// PredictTable stops at a failed read, a failed write and the end of its context.
func TestPredictTableEnds(t *testing.T) {
	gone := errors.New("the disk is gone")
	out, _, err := predictTable(small(), io.MultiReader(strings.NewReader("a\n10\n1"), iotest.ErrReader(gone)), TableOptions{})
	if !errors.Is(err, gone) || strings.Count(out, "\n") != 2 {
		t.Errorf("%q, then %v", out, err)
	}
	for failing := range 2 { // the header, or a row
		if _, err := small().PredictTable(context.Background(), data.Input{Name: "t.csv",
			Reader: strings.NewReader(tableText(10_000))}, TableOptions{}, &fails{failing, gone}); !errors.Is(err, gone) {
			t.Errorf("write %d fails: %v", failing, err)
		}
	}
	for _, begun := range []string{"", "a", "a\n10\n"} {
		ctx, cancel := context.WithCancel(context.Background())
		endless, feed := io.Pipe()
		defer feed.Close()
		go func() {
			_, _ = io.WriteString(feed, begun)
			cancel()
		}()
		if _, err := small().PredictTable(ctx, data.Input{Name: "t.csv", Reader: endless}, TableOptions{},
			io.Discard); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled after %q: %v", begun, err)
		}
	}
}

// fails accepts a number of writes, then fails.
type fails struct {
	left int
	err  error
}

func (f *fails) Write(p []byte) (int, error) {
	if f.left--; f.left < 0 {
		return 0, f.err
	}
	return len(p), nil
}

// Predictions, metrics and rule summaries are equal to the bit for any number of processors.
func TestWorkersDoNotMatter(t *testing.T) {
	x, y := make([][]float64, 5*blockRows+3), make([]float64, 5*blockRows+3)
	rng := rand.New(rand.NewPCG(5, 6))
	for n := range x {
		x[n], y[n] = []float64{10 + 2*rng.NormFloat64()}, rng.NormFloat64()
	}
	d := testenv.Must(data.New([]string{"a"}, "y", x, y))
	var want string
	for _, workers := range []int{1, 2, 3, 8} {
		before := runtime.GOMAXPROCS(workers)
		m := testenv.Must(New(context.Background(), small().Preprocessing, small().RuleBase, x, nil, Training{}))
		e := testenv.Must(m.Evaluate(t.Context(), d))
		got := fmt.Sprintf("%x %+v %+v", predict(t, m, x).Values, m.Rules, e)
		runtime.GOMAXPROCS(before)
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%d workers give different results from one", workers)
		}
	}
}

// halves explains a prediction of small by two columns.
type halves struct{ fault error }

func (halves) TableColumns() []string { return []string{"half", "=rest"} }

func (h halves) TableCells(_ context.Context, x [][]float64) (cells [][]float64, err error) {
	for _, row := range x {
		if row[0] == 13 && h.fault != nil {
			return nil, h.fault
		}
		cells = append(cells, []float64{row[0] / 2, -row[0]})
	}
	return cells, nil
}

// TestPredictTableExplains: the columns of an explainer; a sample that it cannot explain is an
// error in its line, and any other error ends the table.
func TestPredictTableExplains(t *testing.T) {
	for _, c := range []struct {
		fault       error
		want, wrong string
	}{
		{nil, "a,y_predicted,half,'=rest\n10,5.244918662403709,5,-10\n13,", ""},
		{&SampleError{Sample: 1, Message: "no reason"}, "a,y_predicted,half,'=rest\n10,5.244918662403709,5,-10\n", "t.csv:3: no reason"},
		{errors.New("no memory"), "a,y_predicted,half,'=rest\n", "no memory"},
	} {
		out, err := predictText(small(), "a\n10\n13\n", TableOptions{Explain: halves{c.fault}, SafeCells: true})
		if got := fmt.Sprint(err); c.wrong != "" && got != c.wrong || c.wrong == "" && err != nil {
			t.Errorf("error %v, want %s", err, c.wrong)
		}
		if !strings.HasPrefix(out, c.want) {
			t.Errorf("%q, want %q", out, c.want)
		}
	}
}

// TestPredictTableFiring: every rule's normalised firing level and what it says, whose sum of
// products is the prediction; nothing fires in an uncovered row.
func TestPredictTableFiring(t *testing.T) {
	m := smallTrapezoid()
	o := TableOptions{Firing: true}
	got := testenv.Must(predictText(m, "a\n10\n15\n13\n99\n", o))
	// z = 0, 2.5, 1.5, 44.5; rule 1 says 6 + 2z, rule 2 4 + z/2; legs end at z = 2 and begin at z = 3.
	if got != `a,y_predicted,firing_1,rule_1,firing_2,rule_2
10,6,1,6,0,4
15,5,0,11,0,5.25
13,9,1,9,0,4.75
99,5,0,95,0,26.25
` {
		t.Error(got)
	}
	if _, err := predictText(m, "a,rule_2\n1,2\n", o); err == nil || !strings.Contains(err.Error(), `"rule_2" already exists`) {
		t.Errorf("a column of that name: %v", err)
	}
	c := testenv.Must(NewCommittee(m.Preprocessing, []*Model{m, m}, Training{}))
	if _, err := o.Columns(c); err == nil || !strings.Contains(err.Error(), "committee's rules") {
		t.Errorf("a committee: %v", err)
	}
}

// TestSafeFiring: a rule that overflows is shown, as text that no spreadsheet reads as a formula.
func TestSafeFiring(t *testing.T) {
	m := smallTrapezoid()
	m.RuleBase.Consequents[1] = []float64{0, -1e308}
	for safe, want := range map[bool]string{true: "13,9,1,9,0,'-Inf", false: "13,9,1,9,0,-Inf"} {
		m.Target.SD = 4
		m.RuleBase.Consequents[0] = []float64{0.25, 0.5}
		if out := testenv.Must(predictText(m, "a\n13\n", TableOptions{Firing: true, SafeCells: safe})); !strings.HasSuffix(out, want+"\n") {
			t.Errorf("%q, want %q", out, want)
		}
	}
}

func BenchmarkPredictTableFiring(b *testing.B) {
	table := tableText(40_000)
	for _, firing := range []bool{false, true} {
		b.Run(fmt.Sprint(firing), func(b *testing.B) {
			b.SetBytes(int64(len(table)))
			for b.Loop() {
				if _, err := small().PredictTable(context.Background(), data.Input{Name: "t.csv", Reader: strings.NewReader(table)},
					TableOptions{Firing: firing}, io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// waiting is an explainer that ends with its context only.
type waiting struct{ started func() }

func (waiting) TableColumns() []string { return []string{"never"} }

func (w waiting) TableCells(ctx context.Context, _ [][]float64) ([][]float64, error) {
	w.started()
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestInterruptedPredictTableEndsExplaining(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	table := data.Input{Name: "t.csv", Reader: strings.NewReader("a\n10\n13\n")}
	if _, err := small().PredictTable(ctx, table, TableOptions{Explain: waiting{cancel}}, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want it interrupted", err)
	}
}
