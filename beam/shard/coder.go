package shard

import "encoding/json"

// Elements travel as JSON. Beam finds the functions by their names, which closures and instances of generic functions share.

func encodeShard(s Shard) ([]byte, error) { return json.Marshal(s) }

func decodeShard(text []byte) (Shard, error) { return decoded[Shard](text) }

func encodeFile(f file) ([]byte, error) { return json.Marshal(f) }

func decodeFile(text []byte) (file, error) { return decoded[file](text) }

func encodeInterval(v interval) ([]byte, error) { return json.Marshal(v) }

func decodeInterval(text []byte) (interval, error) { return decoded[interval](text) }

func decoded[T any](text []byte) (v T, err error) {
	err = json.Unmarshal(text, &v)
	return v, err
}
