package tskgraph

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
	checkpointFormat  = "tskgraph checkpoint"
	checkpointVersion = 1
	checkpointHeader  = 1 << 10 // bytes of the first line, at most
	checkpointSize    = 1 << 30 // bytes of the content, at most
)

// checkpointHead is the first line of the file: what it is, and what must follow.
type checkpointHead struct {
	Format   string `json:"format"`
	Version  int    `json:"version"`
	Size     int    `json:"size"`     // bytes of the content, which is the second line
	Checksum string `json:"checksum"` // sha256 of the content
}

// Encode writes the checkpoint: two lines of JSON, a head and the content. Numbers keep
// every bit.
func (c *Checkpoint) Encode(w io.Writer) error {
	content, err := json.Marshal(c.content)
	if err != nil {
		return fmt.Errorf("%w: not saved: %w", ErrCheckpoint, err)
	}
	head, err := headOf(content)
	if err != nil {
		return err
	}
	_, err = w.Write(append(append(head, content...), '\n'))
	return err
}

// headOf returns the first line of a file.
func headOf(content []byte) ([]byte, error) {
	if len(content) > checkpointSize {
		return nil, fmt.Errorf("%w: not saved: %d bytes are more than %d", ErrCheckpoint, len(content), checkpointSize)
	}
	sum := sha256.Sum256(content)
	head, err := json.Marshal(checkpointHead{checkpointFormat, checkpointVersion, len(content), "sha256:" + hex.EncodeToString(sum[:])})
	return append(head, '\n'), err
}

// DecodeCheckpoint reads a checkpoint. What is not, to the byte, as Encode writes it is
// refused; reading takes no more memory than a multiple of what there is to read, a
// gigabyte at most. Whether it fits data and options is for [Train] to see.
func DecodeCheckpoint(r io.Reader) (*Checkpoint, error) {
	content, err := readCheckpoint(bufio.NewReaderSize(r, checkpointHeader))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCheckpoint, err)
	}
	c := &Checkpoint{}
	if err := json.Unmarshal(content, &c.content); err != nil {
		return nil, fmt.Errorf("%w: content: %w", ErrCheckpoint, err)
	}
	again, err := json.Marshal(c.content)
	if err != nil || !bytes.Equal(again, content) {
		return nil, fmt.Errorf("%w: content: not as tskgraph writes it: a field is missing, unknown or there twice", ErrCheckpoint)
	}
	return c, nil
}

// readCheckpoint reads both lines and returns the second.
func readCheckpoint(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if err != nil {
		return nil, fmt.Errorf("the first line ends too early or too late: this is no checkpoint of tskgraph")
	}
	line = bytes.Clone(line)
	var head checkpointHead
	if err := json.Unmarshal(line, &head); err != nil || head.Format != checkpointFormat {
		return nil, fmt.Errorf("the first line does not say %q: this is no checkpoint of tskgraph", checkpointFormat)
	}
	if head.Version != checkpointVersion {
		return nil, fmt.Errorf("version is %d; this program reads version %d", head.Version, checkpointVersion)
	}
	if head.Size < 0 || head.Size > checkpointSize {
		return nil, fmt.Errorf("size is %d, may be %d", head.Size, checkpointSize)
	}
	var content bytes.Buffer
	if n, err := io.CopyN(&content, r, int64(head.Size)+1); err != nil {
		return nil, fmt.Errorf("it ends after %d bytes of content, of %d: %w", n, head.Size, err)
	}
	if _, err := r.ReadByte(); err != io.EOF {
		return nil, fmt.Errorf("there is something after the end")
	}
	text := content.Bytes()[:head.Size]
	if want, err := headOf(text); err != nil || !bytes.Equal(line, want) || content.Bytes()[head.Size] != '\n' {
		return nil, fmt.Errorf("checksum: it is damaged or was edited")
	}
	return text, nil
}
