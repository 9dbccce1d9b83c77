package workbench

import (
	"encoding/json"
	"os"
	"testing"
)

func TestTrial(t *testing.T) {
	b := bench(t)
	ask[trained](t, b, "train", `{"table": "heating.csv"}`)
	ask[trained](t, b, "train", `{"table": "heating.csv","set":{"model.page": 24}}`)
	ask[trained](t, b, "train", `{"table": "heating.csv","set":{"data.split_seed": 7}}`)
	ask[trained](t, b, "train", `{"table": "heating.csv","preset":"robust","set":{"train.iterations": 90, "model.rules": 5,"train.race_splits":1}}`)
	for _, runs := range []string{`"heating-readable-001","heating-readable-002"`,`"heating-readable-001","heating-readable-003"`, `"heating-readable-001","heating-sigmoid-001"`} {
		_, _ = os.Stat(b.options.Runs)
		got, _ := ask[comparison](t, b, "compare", `{"runs":[`+runs+`]}`)
		if got.Compared != nil {
			for i := range got.Compared.Pictures {
				p := &got.Compared.Pictures[i]
				p.A, p.B, p.Numbers = p.A[:3], p.B[:3], p.Numbers[:3]
			}
		}
		text, _ := json.MarshalIndent(got, "", " ")
		t.Logf("%s", text)
	}
	got, err := os.ReadDir(b.options.Runs)
	t.Log(got, err)
}
