package main

import (
	"fmt"
	"os"
	"strings"
)

// The tables of a page stand between these lines.
const (
	begin = "<!-- measured: begin -->\n"
	end   = "<!-- measured: end -->\n"
)

// rewrite puts new tables into a page.
func rewrite(page, tables string) error {
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	text, err := between(string(old), tables)
	if err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	return os.WriteFile(page, []byte(text), 0o644)
}

// between replaces what stands between the markers of a text.
func between(text, tables string) (string, error) {
	before, rest, ok := strings.Cut(text, begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return "", fmt.Errorf("the tables go between the lines %q and %q, which it does not have", strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return before + begin + "\n" + tables + "\n" + end + after, nil
}
