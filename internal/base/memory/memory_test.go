//go:build linux

package memory_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/tskgraph/tskgraph/internal/base/memory"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// TestDefault checks in processes with limits that a quarter of the least counts.
func TestDefault(t *testing.T) {
	if os.Getenv("TSKGRAPH_TEST_MEMORY") != "" {
		fmt.Println(memory.Default())
		return
	}
	var info unix.Sysinfo_t
	testenv.OK(t, unix.Sysinfo(&info))
	free := memory.Default()
	if total := int64(info.Totalram) * int64(info.Unit); free < memory.Least || free > max(memory.Least, total/4) {
		t.Errorf("%d bytes by default, %d in all", free, total)
	}
	for limit, want := range map[string]int64{"-v 4194304": 1 << 30, "-d 2097152": 1 << 29, "-v 4194304; ulimit -d 3145728": 3 << 28,
		"-v unlimited": free} {
		cmd := exec.Command("sh", "-c", "ulimit "+limit+`; exec "$0" -test.run TestDefault`, os.Args[0])
		cmd.Env = append(os.Environ(), "TSKGRAPH_TEST_MEMORY=1")
		out, err := cmd.CombinedOutput()
		if got, _, _ := strings.Cut(string(out), "\n"); err != nil || got != fmt.Sprint(min(want, free)) {
			t.Errorf("ulimit %s: %s, %v; want %d", limit, out, err, min(want, free))
		}
	}
}
