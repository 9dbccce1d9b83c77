package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
)

// documents are the files in every archive.
var documents = []string{"LICENSE", "README.md", "THIRD_PARTY.md"}

// file is a file of an archive or a wheel.
type file struct {
	name    string // with slashes
	content []byte
	mode    fs.FileMode
}

// writeArchives writes all files of a release: archives, their SBOMs and SHA256SUMS.
func writeArchives(out, sbom string, check bool) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	var files []file
	for _, d := range documents {
		content, err := os.ReadFile(d)
		if err != nil {
			return err
		}
		files = append(files, file{d, content, 0o644})
	}
	var sums bytes.Buffer
	add := func(name string, content []byte) error {
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(content), name)
		return os.WriteFile(filepath.Join(out, name), content, 0o644)
	}
	for _, p := range platforms {
		program, err := p.build(".", "", check)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("tskgraph-%s-%s-%s", buildinfo.Version, p.os, p.arch)
		packed, extension, err := pack(p, name, append([]file{{p.program(), program, 0o755}}, files...))
		if err != nil {
			return err
		}
		if err := add(name+extension, packed); err != nil {
			return err
		}
		if sbom == "" {
			continue
		}
		bill, err := billOf(sbom, program)
		if err != nil {
			return err
		}
		if err := add(name+".cdx.json", bill); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), sums.Bytes(), 0o644)
}

// pack returns an archive of the files below a directory: a .zip for Windows, else a
// .tar.gz. The same files give the same bytes.
func pack(p platform, dir string, files []file) (packed []byte, extension string, err error) {
	files = slices.Clone(files)
	for i := range files {
		files[i].name = dir + "/" + files[i].name
	}
	var b bytes.Buffer
	if p.os == "windows" {
		err = writeZip(&b, files)
		return b.Bytes(), ".zip", err
	}
	err = writeTar(&b, files)
	return b.Bytes(), ".tar.gz", err
}

func writeTar(b *bytes.Buffer, files []file) error {
	compressed := gzip.NewWriter(b)
	archive := tar.NewWriter(compressed)
	for _, f := range files {
		header := &tar.Header{Name: f.name, Mode: int64(f.mode), Size: int64(len(f.content)), ModTime: epoch, Typeflag: tar.TypeReg,
			Format: tar.FormatPAX}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		if _, err := archive.Write(f.content); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), compressed.Close())
}

func writeZip(b *bytes.Buffer, files []file) error {
	archive := zip.NewWriter(b)
	archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: epoch}
		header.SetMode(f.mode)
		w, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := w.Write(f.content); err != nil {
			return err
		}
	}
	return archive.Close()
}

// billOf returns the SBOM of a program, without time stamp and serial number.
func billOf(tool string, program []byte) ([]byte, error) {
	dir, err := os.MkdirTemp("", "tskgraph-sbom-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "tskgraph")
	if err := os.WriteFile(path, program, 0o755); err != nil {
		return nil, err
	}
	var stderr strings.Builder
	cmd := exec.Command(tool, "bin", "-json", "-noserial", "-version", "v"+buildinfo.Version, path)
	cmd.Stderr = &stderr
	bill, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", tool, err, &stderr)
	}
	return withoutTime(bill)
}

// withoutTime removes the time stamp of an SBOM.
func withoutTime(bill []byte) ([]byte, error) {
	var document map[string]any
	if err := json.Unmarshal(bill, &document); err != nil {
		return nil, err
	}
	if metadata, ok := document["metadata"].(map[string]any); ok {
		delete(metadata, "timestamp")
	}
	out, err := json.MarshalIndent(document, "", "  ")
	return append(out, '\n'), err
}
