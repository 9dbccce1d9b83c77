package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheck finds mistakes in files for one platform, there only.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":               "module wrong\n\ngo 1.26\n",
		"wrong.go":             "// Package wrong is right on linux/amd64.\npackage wrong\n",
		"lock_windows.go":      "package wrong\n\nimport \"os\"\n\nvar lock int = os.Getpid\n",
		"path_darwin_test.go":  "package wrong\n\nfunc path() string { return separator }\n",
		"words_arm64.go":       "package wrong\n\nimport \"fmt\"\n\nfunc words() string { return fmt.Sprintf(\"%d\", \"seven\") }\n",
		"words_arm64_test.go":  "package wrong\n\nimport \"testing\"\n\nfunc TestWords(t *testing.T) { t.Fatalf(\"%s\") }\n",
		"broken_freebsd.go":    "package wrong\n\nfunc {\n",
		"missing_openbsd.go":   "package wrong\n\nimport _ \"wrong/missing\"\n",
		"fields_s390x.go":      "package wrong\n\nimport \"context\"\n\nfunc lost(c context.Context) { _, _ = context.WithCancel(c) }\n",
		"ignored_linux.go":     "//go:build windows\n\npackage wrong\n\nvar here = undefined\n",
		"sound_linux_amd64.go": "package wrong\n\nimport \"fmt\"\n\nfunc words() string { return fmt.Sprint(\"seven\") }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for platform, want := range map[string][]string{
		"linux/amd64":   nil,
		"windows/amd64": {"lock_windows.go:5:16: cannot use os.Getpid"},
		"darwin/amd64":  {"path_darwin_test.go:3:29: undefined: separator"},
		"linux/arm64": {"words_arm64.go:5:43: fmt.Sprintf format %d has arg \"seven\" of wrong type string",
			"words_arm64_test.go:5:42: (*testing.common).Fatalf format %s reads arg #1"},
		"freebsd/amd64": {"broken_freebsd.go:3:6: expected 'IDENT'"},
		"openbsd/amd64": {"missing_openbsd.go:3:10: could not import wrong/missing",
			"missing_openbsd.go:3:8: package wrong/missing is not in std"},
		"linux/s390x": {"fields_s390x.go:5:35: the cancel function returned by context.WithCancel should be called"},
	} {
		problems, err := check(dir, platform, "./...")
		if err != nil {
			t.Errorf("%s: %v", platform, err)
		}
		if len(problems) != len(want) {
			t.Errorf("%s: %q, want %q", platform, problems, want)
			continue
		}
		for i, p := range problems {
			if !strings.Contains(p, want[i]) {
				t.Errorf("%s: %q, want %q", platform, p, want[i])
			}
		}
	}
	for _, wrong := range []string{"linux", "plan10/amd64"} {
		if _, err := check(dir, wrong, "./..."); err == nil {
			t.Errorf("platform %s: no error", wrong)
		}
	}
}
