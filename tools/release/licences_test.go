package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWithoutLicence checks that the error about a module without a licence names it.
func TestWithoutLicence(t *testing.T) {
	dir := t.TempDir()
	m := workAt("example.org/bare", "v1.0.0", dir)
	if _, err := licencesOf("", []module{m}); err == nil || !strings.Contains(err.Error(), "example.org/bare v1.0.0 has no licence") {
		t.Errorf("%v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "COPYING"), []byte("Permission is hereby granted,\nfree of charge"), 0o600); err != nil {
		t.Fatal(err)
	}
	if kinds, texts, err := m.licences(); err != nil || len(kinds) != 1 || kinds[0] != "MIT" || len(texts) != 1 {
		t.Errorf("%v, %q, %v", kinds, texts, err)
	}
}

// TestThirdParty checks that THIRD_PARTY.md lists all linked modules with their licences.
func TestThirdParty(t *testing.T) {
	want, err := thirdParty("../..", "./cmd/tskgraph")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../THIRD_PARTY.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("THIRD_PARTY.md is stale: run make licences")
	}
	for _, linked := range []string{"gorgonia.org/gorgonia | v", "github.com/inconshreveable/mousetrap | v", "gonum.org/v1/plot | v"} {
		if !strings.Contains(string(want), linked) {
			t.Errorf("%q is not in THIRD_PARTY.md", linked)
		}
	}
	if strings.Contains(string(want), unknown) {
		t.Errorf("a licence is not recognised: add a phrase of it to phrases")
	}
}
