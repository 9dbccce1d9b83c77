package workbench

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"
)

func TestTry(t *testing.T) {
	args := os.Getenv("TRY")
	if args == "" {
		t.Skip()
	}
	b := New(Options{Tables: "/tmp/trywb/tables", Runs: "/tmp/trywb/runs", Table: os.Getenv("TRYTABLE")})
	start := time.Now()
	last := ""
	got, err := b.Call(context.Background(), os.Getenv("METHOD"), json.RawMessage(args), func(e any) {
		text, _ := json.Marshal(e)
		var m map[string]any
		json.Unmarshal(text, &m)
		key := fmt.Sprint(m["event"], m["stage"])
		if key != last || m["event"] != "progress" || os.Getenv("ALL") != "" {
			fmt.Printf("%.2f %.600s\n", time.Since(start).Seconds(), text)
		}
		last = key
	})
	text, _ := json.MarshalIndent(got, "", " ")
	fmt.Printf("%.2f %.6000s %v\n", time.Since(start).Seconds(), text, err)
}
