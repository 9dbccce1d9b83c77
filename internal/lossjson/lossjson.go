// Package lossjson writes and reads the JSON of figures of a criterion (see model.Criterion).
// A structure has the keys rmse, rmse_train, ... of the RMSE; of another criterion they are
// written as loss, loss_train, ..., and the key metric names the criterion.
package lossjson

import (
	"bytes"
	"encoding/json"
	"regexp"
)

// rmse is the name of the criterion whose figures have keys of their own.
const rmse = "RMSE"

// An object key follows a brace or a comma; a quote inside a string is escaped and follows a
// backslash.
var (
	plainKey = regexp.MustCompile(`([{,]")rmse(_\w+)?":`)
	lossKey  = regexp.MustCompile(`([{,]")loss(_\w+)?":`)
)

// Marshal returns the JSON of v, a struct that has no MarshalJSON method, at least one field
// and no key metric.
func Marshal(v any, metric string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // which the caller's encoder does if it should be done
	err := e.Encode(v)
	text := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	if err != nil || metric == "" || metric == rmse {
		return text, err
	}
	name, err := json.Marshal(metric)
	text = plainKey.ReplaceAll(text, []byte(`${1}loss${2}":`))
	return append(append(append(text[:len(text)-1], `,"metric":`...), name...), '}'), err
}

// Plain returns JSON of Marshal with the keys of the struct, and the name of the criterion.
func Plain(text []byte) (plain []byte, metric string, err error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, "", err
	}
	named, ok := fields["metric"]
	if !ok {
		return text, rmse, nil
	}
	if err := json.Unmarshal(named, &metric); err != nil {
		return nil, "", err
	}
	delete(fields, "metric")
	if text, err = json.Marshal(fields); err != nil { // which compacts it
		return nil, "", err
	}
	return lossKey.ReplaceAll(text, []byte(`${1}rmse${2}":`)), metric, nil
}

// Unmarshal reads JSON of Marshal into v, a pointer to the struct, and returns the name of the
// criterion.
func Unmarshal(text []byte, v any) (metric string, err error) {
	text, metric, err = Plain(text)
	if err == nil {
		err = json.Unmarshal(text, v)
	}
	return metric, err
}
