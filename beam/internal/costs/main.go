// Command costs prints the table of docs/cluster.md: how long a job of 10 TB takes on more and more workers, computed from
// costs that were measured and from what is assumed of a cluster. Usage:
//
//	costs PAGE
//
// It replaces the table in the file PAGE, between the lines "<!-- costs: begin -->" and "<!-- costs: end -->".
package main

import (
	"bytes"
	"fmt"
	"os"
)

const (
	begins = "<!-- costs: begin -->\n"
	ends   = "<!-- costs: end -->\n"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "costs:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: costs PAGE")
	}
	page, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	page, err = replaced(page)
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	return os.WriteFile(args[0], page, 0o644)
}

// replaced returns a page with the present table.
func replaced(page []byte) ([]byte, error) {
	before, rest, opened := bytes.Cut(page, []byte(begins))
	_, after, closed := bytes.Cut(rest, []byte(ends))
	if !opened || !closed {
		return nil, fmt.Errorf("no lines %q and %q", begins, ends)
	}
	return bytes.Join([][]byte{before, []byte(begins), []byte(table(measured, assumed)), []byte(ends), after}, nil), nil
}
