package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"

	"github.com/tskgraph/tskgraph/tools/crossbuild"
)

// file is a file of an archive.
type file struct {
	name    string
	content []byte
	mode    int64
}

// pack returns an archive of the files below a directory: a .zip for Windows, else a
// .tar.gz. The same files give the same bytes.
func pack(p crossbuild.Platform, dir string, files []file) (packed []byte, extension string, err error) {
	var b bytes.Buffer
	if p.OS == "windows" {
		err = writeZip(&b, dir, files)
		return b.Bytes(), ".zip", err
	}
	err = writeTar(&b, dir, files)
	return b.Bytes(), ".tar.gz", err
}

func writeTar(b *bytes.Buffer, dir string, files []file) error {
	compressed := gzip.NewWriter(b)
	archive := tar.NewWriter(compressed)
	for _, f := range files {
		header := &tar.Header{Name: dir + "/" + f.name, Mode: f.mode, Size: int64(len(f.content)), ModTime: crossbuild.Epoch, Typeflag: tar.TypeReg, Format: tar.FormatPAX}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		if _, err := archive.Write(f.content); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), compressed.Close())
}

func writeZip(b *bytes.Buffer, dir string, files []file) error {
	archive := zip.NewWriter(b)
	for _, f := range files {
		w, err := archive.CreateHeader(&zip.FileHeader{Name: dir + "/" + f.name, Method: zip.Deflate, Modified: crossbuild.Epoch})
		if err != nil {
			return err
		}
		if _, err := w.Write(f.content); err != nil {
			return err
		}
	}
	return archive.Close()
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
