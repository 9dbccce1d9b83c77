package contract_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/contract"
)

// named finds tests as docs/reliability.md names them: `package.TestName`, of the root
// package `TestName`, and transcripts by their path.
var named = regexp.MustCompile("`(?:([a-z/]+)\\.)?((?:Test|Fuzz|Benchmark)\\w+)`|`([\\w/.-]+\\.txt)`")

// missing returns what a text names and is not there, and how much it names.
func missing(root, text string) (gone []string, count int) {
	for _, m := range named.FindAllStringSubmatch(text, -1) {
		count++
		pkg, test, file := m[1], m[2], m[3]
		if file != "" {
			if _, err := os.Stat(filepath.Join(root, file)); err != nil {
				gone = append(gone, file)
			}
			continue
		}
		if !declares(filepath.Join(root, pkg), test) {
			gone = append(gone, strings.TrimPrefix(pkg+"."+test, "."))
		}
	}
	return gone, count
}

// declares reports whether a test file of a directory has the function.
func declares(dir, test string) bool {
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	for _, f := range files {
		source, err := os.ReadFile(f)
		if err == nil && strings.Contains(string(source), "\nfunc "+test+"(") {
			return true
		}
	}
	return false
}

// TestReliabilityIsTrue: every test that docs/reliability.md names exists, and it
// lists every clause of the contract.
func TestReliabilityIsTrue(t *testing.T) {
	text, err := os.ReadFile("../../docs/reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	gone, count := missing("../..", string(text))
	if len(gone) > 0 || count < 20 {
		t.Errorf("of %d tests, these do not exist: %v", count, gone)
	}
	for _, c := range contract.Checks {
		if !strings.Contains(string(text), "\n| "+c.Name+" |") {
			t.Errorf("the clause %s is not listed", c.Name)
		}
	}
	if want := fmt.Sprintf("has %d clauses", len(contract.Checks)); !strings.Contains(string(text), want) {
		t.Errorf("it does not say that the contract %s", want)
	}
}

// TestMissingIsSeen: a test, a package and a transcript that are not there are found.
func TestMissingIsSeen(t *testing.T) {
	gone, count := missing("../..", "`model.TestDamage` `model.TestDamaged` `nowhere.TestDamage` `TestTrain` `TestOddData` `cmd/x.txt` `README.txt`")
	if got := strings.Join(gone, " "); got != "model.TestDamaged nowhere.TestDamage TestTrain cmd/x.txt README.txt" || count != 7 {
		t.Errorf("%d named, missing: %s", count, got)
	}
}
