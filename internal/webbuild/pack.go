package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
)

// compressed returns a text as a gzip file without a time.
func compressed(text []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(text)
	err = errors.Join(err, w.Close()) // before the bytes are complete
	return b.Bytes(), err
}

// script returns a script that holds a file in base64, for pages that were opened from the disk, which may not fetch files.
func script(file []byte) []byte {
	return []byte("globalThis.tskgraphWasm = \"" + base64.StdEncoding.EncodeToString(file) + "\";\n")
}
