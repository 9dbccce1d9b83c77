package checkpoint

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
)

const (
	fileFormat  = "tskgraph checkpoint"
	fileVersion = 1
	maxHead     = 1 << 10 // bytes of the first line
	maxContent  = 1 << 30 // bytes of the content
)

// head is the first line of the file, which describes the second.
type head struct {
	Format   string `json:"format"`
	Version  int    `json:"version"`
	Size     int    `json:"size"`     // bytes of the content, which is the second line
	Checksum string `json:"checksum"` // sha256 of the content
}

// Encode writes the checkpoint as two lines of JSON, a head and the content. Numbers are
// exact to the bit.
func (c *Checkpoint) Encode(w io.Writer) error {
	text, err := json.Marshal(c.content)
	if err != nil {
		return fmt.Errorf("%w: not saved: %w", ErrCheckpoint, err)
	}
	first, err := headOf(text)
	if err != nil {
		return err
	}
	_, err = w.Write(append(append(first, text...), '\n'))
	return err
}

// headOf returns the first line of a file with the given content.
func headOf(text []byte) ([]byte, error) {
	if len(text) > maxContent {
		return nil, fmt.Errorf("%w: not saved: %d bytes are more than %d", ErrCheckpoint, len(text), maxContent)
	}
	sum := sha256.Sum256(text)
	first, err := json.Marshal(head{fileFormat, fileVersion, len(text), "sha256:" + hex.EncodeToString(sum[:])})
	return append(first, '\n'), err
}

// Decode reads a checkpoint. A file that differs in any byte from the output of Encode is an
// error that wraps [ErrCheckpoint]. Memory is at most a multiple of the size of the file,
// which is limited to 1 GiB. Resuming a training checks that the checkpoint matches its
// data and recipe.
func Decode(r io.Reader) (*Checkpoint, error) {
	text, err := read(bufio.NewReaderSize(r, maxHead))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCheckpoint, err)
	}
	c := &Checkpoint{}
	if err := json.Unmarshal(text, &c.content); err != nil {
		return nil, fmt.Errorf("%w: content: %w", ErrCheckpoint, err)
	}
	again, err := json.Marshal(c.content)
	if err != nil || !bytes.Equal(again, text) {
		return nil, fmt.Errorf("%w: content: a field is missing, unknown or duplicated", ErrCheckpoint)
	}
	return c, nil
}

// read reads both lines and returns the second.
func read(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if err != nil {
		return nil, fmt.Errorf("the first line is incomplete or too long: not a tskgraph checkpoint")
	}
	line = bytes.Clone(line)
	var first head
	if err := json.Unmarshal(line, &first); err != nil || first.Format != fileFormat {
		return nil, fmt.Errorf("the first line does not name the format %q: not a tskgraph checkpoint", fileFormat)
	}
	if first.Version != fileVersion {
		return nil, fmt.Errorf("version is %d; this program reads version %d", first.Version, fileVersion)
	}
	if first.Size < 0 || first.Size > maxContent {
		return nil, fmt.Errorf("size is %d; at most %d is allowed", first.Size, maxContent)
	}
	var content bytes.Buffer
	if n, err := io.CopyN(&content, r, int64(first.Size)+1); err != nil {
		return nil, fmt.Errorf("the file ends after %d of %d bytes of content: %w", n, first.Size, err)
	}
	if _, err := r.ReadByte(); err != io.EOF {
		return nil, fmt.Errorf("unexpected data after the content")
	}
	text := content.Bytes()[:first.Size]
	if want, err := headOf(text); err != nil || !bytes.Equal(line, want) || content.Bytes()[first.Size] != '\n' {
		return nil, fmt.Errorf("checksum: the file is damaged or was edited")
	}
	return text, nil
}
