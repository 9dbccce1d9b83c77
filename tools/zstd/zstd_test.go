package zstd

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// decoded returns what a reader of another author gets.
func decoded(t testing.TB, packed []byte) []byte {
	t.Helper()
	r, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	text, err := r.DecodeAll(packed, nil)
	if err != nil {
		t.Error(err)
	}
	return text
}

// noise returns random bytes below a limit.
func noise(r *rand.Rand, n, limit int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.IntN(limit))
	}
	return b
}

// TestRoundTrip compresses texts of every kind of block, table and literals.
func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := noise(r, 300_000, 256)
	words := []byte(strings.Repeat("local.get 0; i32.const 8; i32.sub; ", 9000))
	for i := 0; i < len(words); i += 1 + r.IntN(60) {
		words[i] = byte(r.IntN(256))
	}
	texts := map[string][]byte{
		"empty": nil, "one byte": {7}, "three bytes": []byte("abc"), "same bytes": make([]byte, 3*blockSize), "one block": random[:blockSize],
		"random": random, "few symbols": noise(r, 200_000, 4), "words": words, "one sequence": []byte("0123456789 0123456789"),
		"between random blocks": bytes.Join([][]byte{words, random[:2*blockSize], words}, nil),
		"far matches":           bytes.Join([][]byte{random, words, random}, nil),
		"one literal":           append(bytes.Repeat(random[:5000], 40), 1),
	}
	for range 200 { // lengths and distances of every order
		texts["mixed"] = append(texts["mixed"], noise(r, r.IntN(1<<r.IntN(13)), 1+r.IntN(256))...)
		m := texts["mixed"]
		from := r.IntN(len(m) + 1)
		texts["mixed"] = append(m, m[from:from+r.IntN(len(m)-from+1)>>r.IntN(8)]...)
		if len(texts["mixed"]) > 1<<21 {
			break
		}
	}
	for name, text := range texts {
		if packed := Compress(text); !bytes.Equal(decoded(t, packed), text) {
			t.Errorf("%s: %d bytes are other ones after compression", name, len(text))
		} else if most := len(text) + len(text)/1000 + 16; len(packed) > most {
			t.Errorf("%s: %d bytes are compressed to %d", name, len(text), len(packed))
		}
	}
}

// TestSmaller compresses source code: it takes at least a twentieth less than with the other encoder.
func TestSmaller(t *testing.T) {
	files, err := filepath.Glob("../../*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var text []byte
	for _, file := range files {
		one, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, one...)
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		t.Fatal(err)
	}
	packed, other := Compress(text), w.EncodeAll(text, nil)
	t.Logf("%d bytes: %d, by the other encoder %d", len(text), len(packed), len(other))
	if !bytes.Equal(decoded(t, packed), text) || len(packed)*100 > len(other)*95 {
		t.Errorf("%d bytes are compressed to %d, by the other encoder to %d", len(text), len(packed), len(other))
	}
}
