package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"taste/llm"
)

// Key tells calls apart: it is the SHA-256 of the model's name and of all of
// the request that can change the answer, Trial included and Label not.
type Key [sha256.Size]byte

// keyOf returns a call's key, and its request in canonical JSON: keys sorted,
// no blanks, numbers as they were written.
func keyOf(name string, r *llm.Request) (Key, []byte, error) {
	request, err := canonical(r)
	if err != nil {
		return Key{}, nil, fmt.Errorf("keep call of %s: write request: %w", name, err)
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q\n%s", name, request)
	return Key(h.Sum(nil)), request, nil
}

func canonical(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	tree, err := decode(data)
	if err != nil {
		return nil, err
	}
	return compact(tree)
}

// decode reads JSON to maps, slices and scalars, with numbers as their text.
func decode(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}

// compact writes a value without a line's end, and < > & as they are.
func compact(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
