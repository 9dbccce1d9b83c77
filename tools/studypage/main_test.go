package main

import (
	"errors"
	"testing"
)

func TestReplace(t *testing.T) {
	page := "a\n<!-- one -->\nold\n<!-- end -->\nb\n<!-- two -->\n<!-- end -->\n"
	read := func(name string) ([]byte, error) { return []byte(name + "!\n"), nil }
	want := "a\n<!-- one -->\none!\n<!-- end -->\nb\n<!-- two -->\ntwo!\n<!-- end -->\n"
	for range 2 { // the second time without effect
		got, err := replace([]byte(page), read)
		if err != nil || string(got) != want {
			t.Fatalf("%q, %v", got, err)
		}
		page = string(got)
	}
	if _, err := replace([]byte("no markers"), read); err == nil {
		t.Error("a page without markers was accepted")
	}
	missing := errors.New("missing")
	if _, err := replace([]byte(page), func(string) ([]byte, error) { return nil, missing }); !errors.Is(err, missing) {
		t.Errorf("error %v", err)
	}
}
