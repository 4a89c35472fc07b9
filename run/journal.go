package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"taste/internal/hint"
)

// syncEvery is how many lines a power failure may cost. A crash of the process
// costs none.
const syncEvery = 256

// Journal is a file of JSON lines that only grows. One goroutine uses it.
type Journal[T any] struct {
	file     *os.File
	out      io.Writer
	unsynced int
}

// OpenJournal opens or begins a journal and returns the lines that it holds.
// A last line without its end is what a crash tore: it is cut off. Any other
// line that cannot be read is an error.
func OpenJournal[T any](d *Dir, name string) (*Journal[T], []T, error) {
	path := d.file(name)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, nil, full(fmt.Errorf("open journal: %w", err))
	}
	items, whole, err := readJournal[T](f)
	if err == nil {
		err = cut(f, whole)
	}
	if err != nil {
		return nil, nil, errors.Join(hint.Add(fmt.Errorf("read journal %s: %w", path, err), "only its last line may be broken; restore the file, or begin in another directory"), f.Close())
	}
	return &Journal[T]{file: f, out: d.out(f)}, items, nil
}

// readJournal decodes the whole lines and returns how many bytes they take.
func readJournal[T any](r io.Reader) (items []T, whole int64, err error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, 0, err
	}
	for n := 1; ; n++ {
		line, rest, found := bytes.Cut(data, []byte("\n"))
		if !found {
			return items, whole, nil
		}
		var v T
		if err := json.Unmarshal(line, &v); err != nil {
			return nil, 0, fmt.Errorf("line %d: %w", n, err)
		}
		items = append(items, v)
		whole += int64(len(line)) + 1
		data = rest
	}
}

func cut(f *os.File, size int64) error {
	if err := f.Truncate(size); err != nil {
		return err
	}
	_, err := f.Seek(size, io.SeekStart)
	return err
}

// Append adds one line.
func (j *Journal[T]) Append(v T) error {
	line, err := marshalLine(v)
	if err == nil {
		_, err = j.out.Write(line)
	}
	if j.unsynced++; err == nil && j.unsynced >= syncEvery {
		err = j.sync()
	}
	if err != nil {
		return full(fmt.Errorf("append to %s: %w", j.file.Name(), err))
	}
	return nil
}

func (j *Journal[T]) sync() error {
	j.unsynced = 0
	return j.file.Sync()
}

// Close syncs and closes the journal.
func (j *Journal[T]) Close() error {
	if err := errors.Join(j.sync(), j.file.Close()); err != nil {
		return full(fmt.Errorf("close journal %s: %w", j.file.Name(), err))
	}
	return nil
}
