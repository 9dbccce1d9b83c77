package table

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
)

// HashFile returns the SHA-256 of the bytes of a file, or of standard input (-), in hexadecimal. The error is an *Error.
func HashFile(path string) (string, error) {
	f, err := OpenFile(path, false)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fileFault(path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
