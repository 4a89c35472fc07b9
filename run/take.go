package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Take is Create for runs of another kind than Manifest describes. Their
// manifest stands in the file of that name and says the format, as Manifest
// does; they have no stages. What may change from one time to the next grown
// brings up to what is wanted.
func Take[M any](path, name string, want M, grown func(there M) M) (*Dir, error) {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, fmt.Errorf("make run directory: %w", err)
	}
	d, err := hold(path)
	if err != nil {
		return nil, err
	}
	if err := take(d, name, want, grown); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

func take[M any](d *Dir, name string, want M, grown func(there M) M) error {
	here, err := marshal(want)
	if err != nil {
		return err
	}
	have, err := os.ReadFile(d.file(name))
	if errors.Is(err, fs.ErrNotExist) {
		return d.first(name, here)
	}
	var there M
	if err == nil {
		err = checkFormat(have)
	}
	if err == nil {
		dec := json.NewDecoder(bytes.NewReader(have))
		dec.DisallowUnknownFields()
		err = dec.Decode(&there)
	}
	if err != nil {
		return d.unread(name, err)
	}
	brought, err := marshal(grown(there))
	if err != nil {
		return err
	}
	if err := compare(d.path, brought, here); err != nil || bytes.Equal(have, here) {
		return err
	}
	return d.Write(name, here)
}
