package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestShowOlderModel: a model file of version 1 has no quantiles; a table has them measured.
func TestShowOlderModel(t *testing.T) {
	const old = "../model/testdata/model.json"
	table := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(table, []byte("a,y\n7,1\n9,3\n11,6\n13,8\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"The model file is of an older version": {"show", "--model", old},
		"IF   a is not low (at least 8 mm)":     {"show", "--model", old, "--data", table},
	} {
		var stdout, stderr strings.Builder
		if code := run(context.Background(), args, nil, &stdout, &stderr); code != 0 || !strings.Contains(stdout.String(), want) {
			t.Errorf("%v: exit code %d, no %q in\n%s%s", args, code, want, &stdout, &stderr)
		}
	}
}
