// Package state is for the directory in which the command and the workers of a job leave files for one another.
package state

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/tskgraph/tskgraph/beam/files"
)

// Dir is the name of the directory in that of the results.
const Dir = "state"

// Place is where the files are: --state; empty: in the directory of the results, as long as the command needs them.
type Place string

// In returns the directory, given that of the results.
func (p Place) In(results string) string {
	if p != "" {
		return string(p)
	}
	return files.Join(results, Dir)
}

// Clear removes the files from the directory of the results, which has all that is to be kept. It keeps those of --state.
func (p Place) Clear(results string) error {
	if p != "" {
		return nil
	}
	root, err := os.OpenRoot(results)
	if err != nil {
		return err
	}
	return errors.Join(root.RemoveAll(Dir), root.Close())
}

// Words returns what a plan says about the directory.
func (p Place) Words() string {
	if p != "" {
		return string(p)
	}
	return Dir + " in the directory of the results"
}

// WriteJSON writes a value to a file.
func WriteJSON(ctx context.Context, path string, v any) error {
	return files.Write(ctx, path, func(w io.Writer) error { return json.NewEncoder(w).Encode(v) })
}

// ReadJSON reads a file of [WriteJSON].
func ReadJSON(ctx context.Context, path string, v any) error {
	text, err := Read(ctx, path)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}

// Read returns the content of a file.
func Read(ctx context.Context, path string) ([]byte, error) {
	f, err := files.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}
