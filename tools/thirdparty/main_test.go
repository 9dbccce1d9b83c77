package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/tools/licences"
)

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
	if strings.Contains(string(want), licences.Unknown) {
		t.Errorf("a licence is not recognised: add a phrase of it to phrases")
	}
}
