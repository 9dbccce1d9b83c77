//go:build linux

package files_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/beam/files"
)

// TestFullDisk: a full disk is an error that names the file, and leaves none.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("cannot mount a small disk: %v", err)
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
	path := filepath.Join(disk, "out.csv")
	err := files.Write(t.Context(), path, func(w io.Writer) error {
		_, err := w.Write(make([]byte, 1<<20))
		return err
	})
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), ".tskgraph-") {
		t.Error(err)
	}
	holds(t, disk)
	put(t, path, make([]byte, 1<<15)) // the space is free
}

// writeSlowly is a process that is killed while it writes.
func writeSlowly(path string) {
	_ = files.Write(context.Background(), path, func(w io.Writer) error {
		if _, err := w.Write(make([]byte, 1<<20)); err != nil {
			return err
		}
		os.Stdout.WriteString("writing\n")
		time.Sleep(time.Hour)
		return nil
	})
}

// TestKill: a process that is killed leaves no file of the name, and the next attempt removes what it wrote.
func TestKill(t *testing.T) {
	everywhere(t, func(t *testing.T, dir string) {
		path := files.Join(dir, "out.csv")
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "WRITE_SLOWLY="+path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); line != "writing\n" {
			t.Fatalf("%q, %v", line, err)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // says that it was killed
		if _, err := files.Size(t.Context(), path); err == nil {
			t.Error("there is a file")
		}
		put(t, path, []byte("whole"))
		holds(t, dir, "out.csv")
		if got := get(t, path, 0, -1); string(got) != "whole" {
			t.Errorf("%d bytes", len(got))
		}
	})
}
