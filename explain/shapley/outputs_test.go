package shapley

import (
	"context"
	"reflect"
	"testing"
)

// TestOutputs: the columns of several outputs are those of each, with its name.
func TestOutputs(t *testing.T) {
	m, d := numbers(t, 2, 3)
	other := *m
	other.Target.Mean++
	first, second := attributor(t, m, d), attributor(t, &other, d)
	both := Outputs{{"a", first}, {"b", second}}
	want := []string{}
	for _, one := range both {
		for _, name := range one.Attributor.TableColumns() {
			want = append(want, name+"_"+one.Name)
		}
	}
	if got := both.TableColumns(); !reflect.DeepEqual(got, want) || got[0] != "shap_background_a" {
		t.Errorf("%v, want %v", got, want)
	}
	cells, err := both.TableCells(context.Background(), d.X[:3])
	if err != nil {
		t.Fatal(err)
	}
	of := func(a *Attributor) [][]float64 {
		alone, err := a.TableCells(context.Background(), d.X[:3])
		if err != nil {
			t.Fatal(err)
		}
		return alone
	}
	ones, twos := of(first), of(second)
	for n := range cells {
		if !reflect.DeepEqual(cells[n], append(ones[n], twos[n]...)) || ones[n][0] == twos[n][0] {
			t.Errorf("row %d: %v, want %v and %v", n, cells[n], ones[n], twos[n])
		}
	}
}
