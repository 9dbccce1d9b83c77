package main

import (
	"fmt"
	"os"
	"strings"
)

// markers returns the lines around the tables of a page that were measured together.
func markers(name string) (begin, end string) {
	return "<!-- " + name + ": begin -->\n", "<!-- " + name + ": end -->\n"
}

// rewrite replaces the tables of a name in a page.
func rewrite(page, name, tables string) error {
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	text, err := between(string(old), name, tables)
	if err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	return os.WriteFile(page, []byte(text), 0o644)
}

// between replaces the text between the markers.
func between(text, name, tables string) (string, error) {
	begin, end := markers(name)
	before, rest, ok := strings.Cut(text, begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return "", fmt.Errorf("no lines %q and %q: add them where the tables belong", strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return before + begin + "\n" + tables + "\n" + end + after, nil
}
