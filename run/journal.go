package run

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"taste/internal/hint"
)

// syncEvery is how many lines a power failure may cost where nobody calls Sync.
// A crash of the process costs none.
const syncEvery = 256

// Lines is a file of lines that only grows. One goroutine uses it.
type Lines struct {
	file     *os.File
	out      io.Writer
	unsynced int
}

// OpenLines opens or begins such a file and hands the lines that it holds to
// read, without their ends. A last line without its end is what a crash tore: it
// is cut off. Any other line that cannot be read is an error.
func OpenLines(d *Dir, name string, read func(line []byte) error) (*Lines, error) {
	path := d.file(name)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, full(fmt.Errorf("open journal: %w", err))
	}
	whole, err := readLines(f, read)
	if err == nil {
		err = cut(f, whole)
	}
	if err != nil {
		return nil, errors.Join(hint.Add(fmt.Errorf("read journal %s: %w", path, err), "only its last line may be broken; restore the file, or begin in another directory"), f.Close())
	}
	return &Lines{file: f, out: d.out(f)}, nil
}

// readLines reads the whole lines and returns how many bytes they take.
func readLines(r io.Reader, read func(line []byte) error) (whole int64, err error) {
	in := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return whole, nil
		}
		if err == nil {
			err = read(line[:len(line)-1])
		}
		if err != nil {
			return 0, fmt.Errorf("line %d: %w", n, err)
		}
		whole += int64(len(line))
	}
}

func cut(f *os.File, size int64) error {
	if err := f.Truncate(size); err != nil {
		return err
	}
	_, err := f.Seek(size, io.SeekStart)
	return err
}

// Append adds one line, which ends as lines do.
func (l *Lines) Append(line []byte) error {
	_, err := l.out.Write(line)
	if l.unsynced++; err == nil && l.unsynced >= syncEvery {
		err = l.sync()
	}
	if err != nil {
		return full(fmt.Errorf("append to %s: %w", l.file.Name(), err))
	}
	return nil
}

// Sync makes all lines last over a power failure.
func (l *Lines) Sync() error {
	if err := l.sync(); err != nil {
		return full(fmt.Errorf("sync %s: %w", l.file.Name(), err))
	}
	return nil
}

func (l *Lines) sync() error {
	l.unsynced = 0
	return l.file.Sync()
}

// Close syncs and closes the file.
func (l *Lines) Close() error {
	if err := errors.Join(l.sync(), l.file.Close()); err != nil {
		return full(fmt.Errorf("close journal %s: %w", l.file.Name(), err))
	}
	return nil
}

// Journal is Lines of JSON.
type Journal[T any] struct{ *Lines }

// OpenJournal opens or begins a journal, as OpenLines does, and returns the lines
// that it holds.
func OpenJournal[T any](d *Dir, name string) (*Journal[T], []T, error) {
	var items []T
	l, err := OpenLines(d, name, func(line []byte) error {
		var v T
		err := json.Unmarshal(line, &v)
		items = append(items, v)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return &Journal[T]{l}, items, nil
}

// Append adds one line.
func (j *Journal[T]) Append(v T) error {
	line, err := marshalLine(v)
	if err != nil {
		return fmt.Errorf("append to %s: %w", j.file.Name(), err)
	}
	return j.Lines.Append(line)
}
