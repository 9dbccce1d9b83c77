package contract_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// RowsArePredictedAlone checks that no bit of a prediction depends on the other samples:
// in reverse order, one by one, and many at once.
func RowsArePredictedAlone(e Estimator) error {
	m, err := e.Fit(table(samples), 0)
	if err != nil {
		return err
	}
	x := table(1500).X // more than a block
	want, err := values(m, x)
	if err != nil {
		return err
	}
	backwards := slices.Clone(x)
	slices.Reverse(backwards)
	got, err := values(m, backwards)
	if err != nil {
		return err
	}
	slices.Reverse(got)
	if err := same(got, want); err != nil {
		return fmt.Errorf("in reverse order: %w", err)
	}
	for i := 0; i < len(x); i += 37 {
		one, err := values(m, x[i:i+1])
		if err != nil {
			return err
		}
		if err := same(one, want[i:i+1]); err != nil {
			return fmt.Errorf("sample %d alone: %w", i, err)
		}
	}
	return nil
}

// ColumnsGoByName checks that reordered and additional columns of a table do not change
// its predictions.
func ColumnsGoByName(e Estimator) error {
	d := table(samples)
	m, err := e.Fit(d, 0)
	if err != nil {
		return err
	}
	want, err := values(m, d.X)
	if err != nil {
		return err
	}
	var in, out bytes.Buffer
	w := csv.NewWriter(&in)
	records := [][]string{{"c", "note", "a", "y", "b"}}
	text := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for i, x := range d.X {
		records = append(records, []string{text(x[2]), "n" + strconv.Itoa(i), text(x[0]), text(d.Y[i]), text(x[1])})
	}
	if err := w.WriteAll(records); err != nil {
		return err
	}
	if _, err := m.PredictTable(context.Background(), data.Input{Name: "shuffled.csv", Reader: &in}, model.TableOptions{Delimiter: "comma"},
		&out); err != nil {
		return err
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		return err
	}
	got := make([]float64, 0, samples)
	for _, row := range rows[1:] {
		v, err := strconv.ParseFloat(row[len(row)-1], 64)
		if err != nil {
			return err
		}
		got = append(got, v)
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d rows of %d", len(got), len(want))
	}
	return same(got, want)
}

// PredictLeavesItsInputs checks that prediction changes neither its samples nor the model.
func PredictLeavesItsInputs(e Estimator) error {
	m, err := e.Fit(table(samples), 0)
	if err != nil {
		return err
	}
	before, err := file(m)
	if err != nil {
		return err
	}
	x := table(samples).X
	if _, err := values(m, x); err != nil {
		return err
	}
	if !reflect.DeepEqual(x, table(samples).X) {
		return errors.New("prediction changed its samples")
	}
	if after, err := file(m); err != nil || after != before {
		return fmt.Errorf("prediction changed the model (%v)", err)
	}
	return nil
}

// PredictsSideBySide checks that one model predicts in several goroutines concurrently,
// with the same predictions as alone.
func PredictsSideBySide(e Estimator) error {
	m, err := e.Fit(table(samples), 0)
	if err != nil {
		return err
	}
	const goroutines = 4
	x := table(goroutines * samples).X
	want, err := values(m, x)
	if err != nil {
		return err
	}
	errs := make([]error, goroutines)
	var wg sync.WaitGroup
	for i := range goroutines {
		wg.Go(func() {
			part := want[i*samples : (i+1)*samples]
			got, err := values(m, x[i*samples:(i+1)*samples])
			if err == nil {
				err = same(got, part)
			}
			errs[i] = err
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// FilePredictsTheSame checks that a model read from its file predicts the same bits, and
// encodes to the same file.
func FilePredictsTheSame(e Estimator) error {
	d := table(samples)
	m, err := e.Fit(d, 0)
	if err != nil {
		return err
	}
	want, err := values(m, d.X)
	if err != nil {
		return err
	}
	before, err := file(m)
	if err != nil {
		return err
	}
	again, err := model.Decode(strings.NewReader(before))
	if err != nil {
		return err
	}
	got, err := values(again, d.X)
	if err != nil {
		return err
	}
	if err := same(got, want); err != nil {
		return err
	}
	if after, err := file(again); err != nil || after != before {
		return fmt.Errorf("encoded again, the file differs (%v)", err)
	}
	return nil
}

// UntrainedIsRefused checks that an untrained or incomplete model returns an error when it
// predicts or is saved.
func UntrainedIsRefused(e Estimator) error {
	for i, m := range e.Untrained() {
		for _, x := range [][][]float64{table(3).X, {{}}, nil} {
			if _, err := m.Predict(x); err == nil {
				return fmt.Errorf("model %d predicts %v", i, x)
			}
		}
		t := data.Input{Name: "t.csv", Reader: strings.NewReader("a,b,c\n1,2,3\n")}
		if _, err := m.PredictTable(context.Background(), t, model.TableOptions{}, &bytes.Buffer{}); err == nil {
			return fmt.Errorf("model %d predicts a table", i)
		}
		if err := m.Encode(&bytes.Buffer{}); err == nil {
			return fmt.Errorf("model %d is saved", i)
		}
	}
	return nil
}
