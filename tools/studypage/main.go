// Command studypage updates the tables and figures of a study in its page:
//
//	go -C tools run ./studypage STUDY docs/study.md
//
// Paths are relative to the root of the repository. It replaces the text between the lines <!-- NAME --> and <!-- end --> of the page by
// STUDY/tables/NAME.md, and copies the figures of the page from STUDY/figures to the
// directory study beside the page.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/tskgraph/tskgraph/tools/checkout"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: studypage STUDY PAGE")
		os.Exit(2)
	}
	checkout.Main("studypage", func() error { return update(os.Args[1], os.Args[2]) })
}

var (
	table  = regexp.MustCompile(`(?s)<!-- ([a-z0-9-]+) -->\n.*?<!-- end -->`)
	figure = regexp.MustCompile(`\]\(study/([a-z0-9-]+\.svg)\)`)
)

func update(study, page string) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	text, err = replace(text, func(name string) ([]byte, error) {
		return os.ReadFile(filepath.Join(study, "tables", name+".md"))
	})
	if err != nil {
		return err
	}
	for _, f := range figure.FindAllSubmatch(text, -1) {
		name := string(f[1])
		content, err := os.ReadFile(filepath.Join(study, "figures", name))
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Join(filepath.Dir(page), "study"), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(filepath.Dir(page), "study", name), content, 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(page, text, 0o666)
}

// replace replaces the text between each pair of markers by the content that read returns
// for their name.
func replace(page []byte, read func(name string) ([]byte, error)) ([]byte, error) {
	var failed error
	count := 0
	page = table.ReplaceAllFunc(page, func(block []byte) []byte {
		name := string(table.FindSubmatch(block)[1])
		content, err := read(name)
		if err != nil && failed == nil {
			failed = err
		}
		count++
		return fmt.Appendf(nil, "<!-- %s -->\n%s<!-- end -->", name, content)
	})
	if count == 0 && failed == nil {
		failed = fmt.Errorf("the page has no markers")
	}
	return page, failed
}
