package safefile_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// TestScratch checks that scratch files are apart from one another, and that none is left: on Unix not even in between.
func TestScratch(t *testing.T) {
	dir := t.TempDir()
	var discards []func()
	for i := range 3 {
		f, discard, err := safefile.Scratch(dir)
		testenv.OK(t, err)
		discards = append(discards, discard)
		text, read := []byte{byte(i), 1, 2}, make([]byte, 3)
		testenv.OK(t, testenv.Err(f.Write(text)))
		if _, err := f.ReadAt(read, 0); err != nil || !bytes.Equal(read, text) {
			t.Errorf("file %d: %v, %v", i, read, err)
		}
		if info, err := f.Stat(); err != nil || runtime.GOOS != "windows" && info.Mode() != 0o600 {
			t.Errorf("file %d: %v, %v", i, info, err)
		}
	}
	if runtime.GOOS != "windows" {
		holds(t, dir)
	}
	for _, discard := range discards {
		discard()
	}
	holds(t, dir)
	if _, _, err := safefile.Scratch(filepath.Join(dir, "none")); !os.IsNotExist(err) {
		t.Error(err)
	}
}
