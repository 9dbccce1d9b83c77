package data

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
)

// HashFile returns the SHA-256 of a file's bytes in hexadecimal. The error is an *Error.
func HashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fileFault(path, err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fileFault(path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
