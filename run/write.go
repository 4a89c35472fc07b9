package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"taste/internal/hint"
)

const tempSuffix = ".tmp"

// Write makes a file appear with the given content, or leaves the one before:
// the content goes to a file beside it that is synced and then renamed.
func (d *Dir) Write(name string, data []byte) error {
	temp := filepath.Join(d.path, "."+name+tempSuffix)
	err := d.fill(temp, data)
	if err == nil {
		err = os.Rename(temp, d.file(name))
	}
	if err == nil {
		err = d.syncNames()
	}
	if err != nil {
		return full(fmt.Errorf("write %s: %w", d.file(name), err))
	}
	return nil
}

// fill writes and syncs a file; on an error it is removed, so that a full disk
// gets its space back.
func (d *Dir) fill(path string, data []byte) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = d.out(f).Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// syncNames makes a rename last over a power failure. Where directories cannot
// be synced the system sees to it.
func (d *Dir) syncNames() error {
	f, err := os.Open(d.path)
	if err != nil {
		return err
	}
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) {
		return errors.Join(err, f.Close())
	}
	return f.Close()
}

// Remove takes a file away, if it is there.
func (d *Dir) Remove(name string) error {
	if err := os.Remove(d.file(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %s: %w", d.file(name), err)
	}
	return nil
}

// full adds advice to the error of a disk without space.
func full(err error) error { return noSpace(err, "nothing is lost, it goes on from here") }

// noSpace is full where the same command does something else the next time.
func noSpace(err error, again string) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return hint.Add(err, "make room on the disk and run the same command again: %s", again)
	}
	return err
}

// WriteJSON writes v as indented JSON.
func (d *Dir) WriteJSON(name string, v any) error {
	data, err := marshal(v)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return d.Write(name, data)
}

// WriteLines writes one line of JSON for each item.
func WriteLines[T any](d *Dir, name string, items []T) error {
	var out bytes.Buffer
	for i := range items {
		line, err := marshalLine(items[i])
		if err != nil {
			return fmt.Errorf("write %s: line %d: %w", name, i+1, err)
		}
		out.Write(line)
	}
	return d.Write(name, out.Bytes())
}

func marshal(v any) ([]byte, error) { return encode(v, " ") }

func marshalLine(v any) ([]byte, error) { return encode(v, "") }

// encode leaves <, > and & as they are and ends with a newline.
func encode(v any, indent string) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
