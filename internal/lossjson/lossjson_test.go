package lossjson

import (
	"reflect"
	"testing"
)

type figures struct {
	RMSE  float64            `json:"rmse"`
	Train *float64           `json:"rmse_train,omitempty"`
	Text  string             `json:"text"`
	Parts []figures          `json:"parts,omitempty"`
	Of    map[string]float64 `json:"of,omitempty"`
}

// TestKeys: the criterion decides the keys of figures, also those of parts, and text stays.
func TestKeys(t *testing.T) {
	two := 2.0
	v := figures{1, &two, `,"rmse":1, {"loss":2`, []figures{{RMSE: 3, Text: "rmse"}}, map[string]float64{"lossy": 1}}
	for metric, want := range map[string]string{
		"RMSE":     `{"rmse":1,"rmse_train":2,"text":",\"rmse\":1, {\"loss\":2","parts":[{"rmse":3,"text":"rmse"}],"of":{"lossy":1}}`,
		"log loss": `{"loss":1,"loss_train":2,"text":",\"rmse\":1, {\"loss\":2","parts":[{"loss":3,"text":"rmse"}],"of":{"lossy":1},"metric":"log loss"}`,
	} {
		text, err := Marshal(v, metric)
		if err != nil || string(text) != want {
			t.Errorf("%s: %s, %v", metric, text, err)
		}
		var got figures
		if name, err := Unmarshal(text, &got); err != nil || name != metric || !reflect.DeepEqual(got, v) {
			t.Errorf("%s: read %+v, %q, %v", metric, got, name, err)
		}
	}
	for _, bad := range []string{``, `[]`, `{"metric":1}`, `{"rmse":"x"}`} {
		if _, err := Unmarshal([]byte(bad), new(figures)); err == nil {
			t.Errorf("%s was read", bad)
		}
	}
}
