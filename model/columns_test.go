package model

import (
	"context"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// named explains by zeros under names.
type named []string

func (n named) TableColumns() []string { return n }

func (n named) TableCells(_ context.Context, x [][]float64) ([][]float64, error) {
	return slices.Repeat([][]float64{make([]float64, len(n))}, len(x)), nil
}

// TestAddedColumnsAreDistinct checks that no two added columns have one name, and that a name stays that of the first one.
func TestAddedColumnsAreDistinct(t *testing.T) {
	for _, c := range []struct{ names, want string }{
		{"shap_background shap_x", "shap_background shap_x"},
		{"shap_background shap_background", "shap_background shap_background_2"}, // of a feature background
		{"shap_background shap_background shap_background_2", "shap_background shap_background_3 shap_background_2"},
		{"y_predicted y_lower firing_1 rule_1 firing_1_2", "y_predicted_2 y_lower_2 firing_1 rule_1 firing_1_2"},
	} {
		m := small()
		m.Calibration = &Calibration{Samples: 1, Residuals: []float64{1}}
		o := TableOptions{Interval: 0.5, Explain: named(strings.Fields(c.names)), Firing: true}
		header, _, _ := strings.Cut(testenv.Must(predictText(m, "a\n9\n", o)), "\n")
		got := strings.Split(header, ",")
		if !strings.Contains(header, strings.ReplaceAll(c.want, " ", ",")) || len(slices.Compact(slices.Sorted(slices.Values(got)))) != len(got) {
			t.Errorf("%s: %s, want %s", c.names, header, c.want)
		}
	}
}

// TestResponseTables checks the columns of each response and that their cells are the predictions, with names quoted as they must be.
func TestResponseTables(t *testing.T) {
	for name, want := range map[string]string{
		"targets": "a,y_predicted,z_predicted,y_lower,y_upper,z_lower,z_upper,firing_1,rule_1_y,rule_1_z,firing_2,rule_2_y,rule_2_z",
		"quantiles": "a,y_predicted,y_q0.05,y_q0.5,y_q0.95,y_lower,y_upper,firing_1,rule_1_q0.05,rule_1_q0.5,rule_1_q0.95,firing_2," +
			"rule_2_q0.05,rule_2_q0.5,rule_2_q0.95",
		"counts": "a,y_predicted,y_lower,y_upper,firing_1,rule_1,firing_2,rule_2",
		"binary": "a,y_predicted,y_probability_no,y_probability_yes,y_set,firing_1,rule_1_probability_no,rule_1_probability_yes,firing_2," +
			"rule_2_probability_no,rule_2_probability_yes",
		"classes": "a,y_predicted,y_probability_a,\"y_probability_b,\nc\",y_probability_=c,y_set,firing_1,rule_1_probability_a," +
			"\"rule_1_probability_b,\nc\",rule_1_probability_=c,firing_2,rule_2_probability_a,\"rule_2_probability_b,\nc\",rule_2_probability_=c",
	} {
		m := withResponses()[name]
		m.Calibration = &Calibration{Samples: 1, Residuals: []float64{0.99}}
		o := TableOptions{Firing: true, SafeCells: true, Interval: 0.5}
		if m.Schema.Classes != nil {
			o.Interval, o.Sets = 0, 0.5
		}
		out := testenv.Must(predictText(m, "a\n9\n11.5\n", o))
		header, _, _ := strings.Cut(out, "\n9,")
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil || len(rows) != 3 || header != want {
			t.Fatalf("%s: %v\n%s\nwant\n%s", name, err, out, want)
		}
		p := predict(t, m, [][]float64{{9}, {11.5}})
		for n, row := range rows[1:] {
			first := strconv.FormatFloat(p.Values[n], 'g', -1, 64)
			at := 2
			switch {
			case m.Schema.Classes != nil:
				first = table.SafeCell(m.Schema.Classes[int(p.Values[n])])
			case m.Response.Targets != nil:
				at = 1
			}
			if row[1] != first {
				t.Errorf("%s: predicted %s, want %s", name, row[1], first)
			}
			for j, values := range p.Outputs {
				if row[at+j] != fmt.Sprint(values[n]) {
					t.Errorf("%s: value %d is %s, want %v", name, j, row[at+j], values[n])
				}
			}
			if set := row[at+len(p.Outputs)]; m.Schema.Classes != nil && !strings.Contains(table.SafeCell(set), strings.TrimPrefix(first, "'")) {
				t.Errorf("%s: the set %q does not hold %q", name, set, first)
			}
		}
	}
}

// TestSetsAreUnambiguous checks that the classes of a set are read back from its cell, whatever their names.
func TestSetsAreUnambiguous(t *testing.T) {
	m := withResponses()["classes"]
	for k, name := range []string{"a|b", "a", `"b|a"`} {
		m.Schema.Classes[k], m.Response.Classes[k].Name = name, name
	}
	x := [][]float64{{8}, {9}, {10}, {11.5}}
	p, sizes := predict(t, m, x), map[int]bool{}
	for _, score := range []float64{0.1, 0.5, 0.7, 0.9, 0.99} {
		m.Calibration = &Calibration{Samples: 1, Residuals: []float64{score}}
		sets := testenv.Must(m.Sets(p, 0.5))
		rows := testenv.Must(csv.NewReader(strings.NewReader(testenv.Must(predictText(m, "a\n8\n9\n10\n11.5\n",
			TableOptions{Sets: 0.5})))).ReadAll())
		for n, row := range rows[1:] {
			var want []string
			for k, name := range m.Schema.Classes {
				if sets[k][n] {
					want = append(want, name)
				}
			}
			r := csv.NewReader(strings.NewReader(row[len(row)-1]))
			r.Comma = '|'
			if got, err := r.Read(); err != nil || !slices.Equal(got, want) {
				t.Errorf("%q is read as %q, %v; want %q", row[len(row)-1], got, err, want)
			}
			sizes[len(want)] = true
		}
	}
	if len(sizes) < 3 {
		t.Errorf("sets of %v classes only", sizes)
	}
}

// TestSpreadColumns checks the columns of the spread of each response.
func TestSpreadColumns(t *testing.T) {
	for name, want := range map[string]string{
		"targets": "a,y_predicted,z_predicted,y_spread,z_spread", "quantiles": "a,y_predicted,y_q0.05,y_q0.5,y_q0.95,y_spread",
		"counts": "a,y_predicted,y_spread", "binary": "a,y_predicted,y_probability_no,y_probability_yes,y_spread",
	} {
		one, other := withResponses()[name], withResponses()[name]
		other.RuleBase.Consequents[0][0]++
		m := testenv.Must(NewCommittee(one.Preprocessing, []*Model{one, other}, one.Training))
		out := testenv.Must(predictText(m, "a\n9\n", TableOptions{Spread: true}))
		if header, row, _ := strings.Cut(out, "\n"); header != want || strings.Count(row, ",") != strings.Count(want, ",") {
			t.Errorf("%s:\n%s\nwant %s", name, out, want)
		}
	}
}
