package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/tskgraph/tskgraph/tools/crossbuild"
)

// file is a file of a wheel.
type file struct {
	name    string // with slashes
	content []byte
	mode    fs.FileMode
}

// wheel is a package for one platform: what PEP 427 calls name, version and tags, and its files.
type wheel struct {
	name, version string
	platform      []string // tags
	files         []file   // without those of its .dist-info
	info          []file   // of its .dist-info, without WHEEL and RECORD
}

// fileName returns the name of the wheel's file.
func (w *wheel) fileName() string {
	return fmt.Sprintf("%s-%s-py3-none-%s.whl", w.name, w.version, strings.Join(w.platform, "."))
}

// pack returns the file. The same files give the same bytes.
func (w *wheel) pack() ([]byte, error) {
	dir := fmt.Sprintf("%s-%s.dist-info/", w.name, w.version)
	files := append([]file{}, w.files...)
	for _, f := range append(w.info, file{"WHEEL", []byte(w.description()), 0o644}) {
		files = append(files, file{dir + f.name, f.content, f.mode})
	}
	files = append(files, file{dir + "RECORD", record(files, dir+"RECORD"), 0o644})
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: crossbuild.Epoch}
		header.SetMode(f.mode)
		entry, err := archive.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(f.content); err != nil {
			return nil, err
		}
	}
	err := archive.Close()
	return b.Bytes(), err
}

// description returns the file WHEEL. The package is not pure: its program belongs to a platform.
func (w *wheel) description() string {
	var b strings.Builder
	b.WriteString("Wheel-Version: 1.0\nGenerator: tskgraph tools/wheel\nRoot-Is-Purelib: false\n")
	for _, tag := range w.platform {
		fmt.Fprintf(&b, "Tag: py3-none-%s\n", tag)
	}
	return b.String()
}

// record returns the file RECORD: names, hashes and sizes of all files, and its own name.
func record(files []file, self string) []byte {
	var b bytes.Buffer
	for _, f := range files {
		sum := sha256.Sum256(f.content)
		fmt.Fprintf(&b, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.content))
	}
	fmt.Fprintf(&b, "%s,,\n", self)
	return b.Bytes()
}
