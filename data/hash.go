package data

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
)

// HashFile returns the SHA-256 of a file's bytes in hexadecimal. The error is an *Error.
func HashFile(path string) (string, error) {
	unread := func(err error) error {
		return &Error{File: path, Message: "the table cannot be read: " + err.Error(), Err: err}
	}
	f, err := os.Open(path)
	if err != nil {
		return "", unread(err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", unread(err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
