package contract_test

import (
	"bytes"
	"context"
	"encoding/csv"
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
func RowsArePredictedAlone(e Estimator) {
	m, x := must(e.Fit(table(samples), 0)), table(1500).X // more than a block
	want, backwards := values(m, x), slices.Clone(x)
	slices.Reverse(backwards)
	got := values(m, backwards)
	slices.Reverse(got)
	same(got, want, "in reverse order: ")
	for i := 0; i < len(x); i += 37 {
		same(values(m, x[i:i+1]), want[i:i+1], "sample %d alone: ", i)
	}
}

// ColumnsGoByName checks that reordered and additional columns of a table do not change
// its predictions.
func ColumnsGoByName(e Estimator) {
	d := table(samples)
	m := must(e.Fit(d, 0))
	var in, out bytes.Buffer
	records := [][]string{{"c", "note", "a", "y", "b"}}
	text := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for i, x := range d.X {
		records = append(records, []string{text(x[2]), "n" + strconv.Itoa(i), text(x[0]), text(d.Y[i]), text(x[1])})
	}
	_ = csv.NewWriter(&in).WriteAll(records) // in memory
	must(m.PredictTable(context.Background(), data.Input{Name: "shuffled.csv", Reader: &in}, model.TableOptions{Delimiter: "comma"}, &out))
	var got []float64
	for _, row := range must(csv.NewReader(&out).ReadAll())[1:] {
		got = append(got, must(strconv.ParseFloat(row[len(row)-1], 64)))
	}
	require(len(got) == samples, "%d rows of %d", len(got), samples)
	same(got, values(m, d.X), "")
}

// PredictLeavesItsInputs checks that prediction changes neither its samples nor the model.
func PredictLeavesItsInputs(e Estimator) {
	m, x := must(e.Fit(table(samples), 0)), table(samples).X
	before := file(m)
	values(m, x)
	require(reflect.DeepEqual(x, table(samples).X), "prediction changed its samples")
	require(file(m) == before, "prediction changed the model")
}

// PredictsSideBySide checks that one model predicts in several goroutines concurrently,
// with the same predictions as alone.
func PredictsSideBySide(e Estimator) {
	const goroutines = 4
	m, x := must(e.Fit(table(samples), 0)), table(goroutines*samples).X
	want := values(m, x)
	errs := make([]error, goroutines)
	var wg sync.WaitGroup
	for i := range goroutines {
		part := Check{holds: func(Estimator) { same(values(m, x[i*samples:(i+1)*samples]), want[i*samples:(i+1)*samples], "") }}
		wg.Go(func() { errs[i] = part.Run(e) })
	}
	wg.Wait()
	for _, err := range errs {
		require(err == nil, "%w", err)
	}
}

// FilePredictsTheSame checks that a model read from its file predicts the same bits, and
// encodes to the same file.
func FilePredictsTheSame(e Estimator) {
	d := table(samples)
	m := must(e.Fit(d, 0))
	before := file(m)
	again := must(model.Decode(strings.NewReader(before)))
	same(values(again, d.X), values(m, d.X), "")
	require(file(again) == before, "encoded again, the file differs")
}

// UntrainedIsRefused checks that an untrained or incomplete model returns an error when it
// predicts or is saved.
func UntrainedIsRefused(e Estimator) {
	for i, m := range e.Untrained() {
		for _, x := range [][][]float64{table(3).X, {{}}, nil} {
			_, err := m.Predict(x)
			require(err != nil, "model %d predicts %v", i, x)
		}
		t := data.Input{Name: "t.csv", Reader: strings.NewReader("a,b,c\n1,2,3\n")}
		_, err := m.PredictTable(context.Background(), t, model.TableOptions{}, &bytes.Buffer{})
		require(err != nil, "model %d predicts a table", i)
		require(m.Encode(&bytes.Buffer{}) != nil, "model %d is saved", i)
	}
}
