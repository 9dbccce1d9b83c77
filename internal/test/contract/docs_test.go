package contract_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// named matches the names of tests in docs/reliability.md: `package.TestName`, `TestName`
// of the root package, and paths of transcripts.
var named = regexp.MustCompile("`(?:([a-z/]+)\\.)?((?:Test|Fuzz|Benchmark)\\w+)`|`([\\w/.-]+\\.txt)`")

// declared matches the declarations of tests.
var declared = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)

// testsBelow returns the names of tests below a root, each by the directory of its package.
func testsBelow(root string) map[string][]string {
	all := map[string][]string{}
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		source, err := os.ReadFile(path)
		for _, m := range declared.FindAllSubmatch(source, -1) {
			all[string(m[1])] = append(all[string(m[1])], filepath.ToSlash(filepath.Dir(path)))
		}
		return err
	})
	return all
}

// missing returns the tests and transcripts that a text names but do not exist, and the
// number of names. The directory of a package may stand anywhere below the root.
func missing(root, text string) (gone []string, count int) {
	tests := testsBelow(root)
	for _, m := range named.FindAllStringSubmatch(text, -1) {
		count++
		pkg, test, file := m[1], m[2], m[3]
		if file != "" {
			if _, err := os.Stat(filepath.Join(root, file)); err != nil {
				gone = append(gone, file)
			}
			continue
		}
		in := func(dir string) bool { return pkg == "" && dir == root || pkg != "" && strings.HasSuffix(dir, "/"+pkg) }
		if !slices.ContainsFunc(tests[test], in) {
			gone = append(gone, strings.TrimPrefix(pkg+"."+test, "."))
		}
	}
	return gone, count
}

// TestReliabilityIsTrue checks that every test named in docs/reliability.md exists, and
// that it lists every clause of the contract.
func TestReliabilityIsTrue(t *testing.T) {
	text, err := os.ReadFile("../../../docs/reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	gone, count := missing("../../..", string(text))
	if len(gone) > 0 || count < 20 {
		t.Errorf("of %d tests, these do not exist: %v", count, gone)
	}
	for _, c := range Checks {
		if !strings.Contains(string(text), "\n| "+c.Name+" |") {
			t.Errorf("the clause %s is not listed", c.Name)
		}
	}
	if want := fmt.Sprintf("has %d clauses", len(Checks)); !strings.Contains(string(text), want) {
		t.Errorf("it does not say that the contract %s", want)
	}
}

// TestMissingIsSeen checks that a missing test, package and transcript are found.
func TestMissingIsSeen(t *testing.T) {
	gone, count := missing("../../..",
		"`model.TestDamage` `model.TestDamaged` `nowhere.TestDamage` `TestTrain` `TestFace` `cmd/x.txt` `README.txt`")
	if got := strings.Join(gone, " "); got != "model.TestDamaged nowhere.TestDamage TestTrain cmd/x.txt README.txt" || count != 7 {
		t.Errorf("%d named, missing: %s", count, got)
	}
}
