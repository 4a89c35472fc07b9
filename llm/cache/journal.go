package cache

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"

	"taste/internal/hint"
)

// file is what a journal needs of one.
type file interface {
	io.ReaderAt
	io.Writer
	io.Closer
	Sync() error
	Truncate(size int64) error
}

// journal is a file of lines that only grows. Lines that are appended at the
// same time reach the disk together.
type journal struct {
	path string
	file file

	mu      sync.Mutex
	size    int64  // of the file, with what is pending
	pending []byte // not yet written
	batch   *batch // of what is pending
	writing bool
	err     error // of the first write that failed: nothing is appended any more
}

// batch is lines that are written together.
type batch struct {
	done chan struct{}
	err  error
}

func newJournal(path string, f file, size int64) *journal {
	return &journal{path: path, file: f, size: size, batch: &batch{done: make(chan struct{})}}
}

// failed is the error that keeps the journal from growing, if there is one.
func (j *journal) failed() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.err
}

// append adds a line, which ends as lines do, and returns where it begins once
// it is on the disk.
func (j *journal) append(line []byte) (int64, error) {
	j.mu.Lock()
	if j.err != nil {
		defer j.mu.Unlock()
		return 0, j.err
	}
	at, b := j.size, j.batch
	j.size += int64(len(line))
	j.pending = append(j.pending, line...)
	if !j.writing {
		j.writing = true
		go j.write()
	}
	j.mu.Unlock()
	<-b.done
	return at, b.err
}

// write writes batches until nothing is pending.
func (j *journal) write() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for len(j.pending) > 0 {
		lines, b, from := j.pending, j.batch, j.size-int64(len(j.pending))
		j.pending, j.batch = nil, &batch{done: make(chan struct{})}
		j.mu.Unlock()
		_, err := j.file.Write(lines)
		if err == nil {
			err = j.file.Sync()
		}
		j.mu.Lock()
		if b.err = j.wrap(err, from); b.err != nil && j.err == nil {
			j.err = b.err
		}
		close(b.done)
	}
	j.writing = false
}

// wrap makes the error of a failed write, and cuts off what it left behind, so
// that the file ends with a whole line.
func (j *journal) wrap(err error, size int64) error {
	if err == nil {
		return nil
	}
	err = errors.Join(fmt.Errorf("keep calls in %s: %w", j.path, err), j.file.Truncate(size))
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return hint.Add(err, "make room on the disk and run the same command again: it goes on from here")
	}
	return err
}

// open opens a file of lines, which is made if it may be written and is not
// there, and hands each line and its place to read, without its end. A last line
// without an end is what a crash tore: it counts as not there. Any other that
// cannot be read is an error.
func open(path string, writable bool, read func(line []byte, at int64) error) (*journal, error) {
	mode := os.O_RDONLY
	if writable {
		mode = os.O_RDWR | os.O_CREATE
	}
	f, err := os.OpenFile(path, mode, 0o666)
	if err != nil {
		return nil, fmt.Errorf("open kept calls: %w", err)
	}
	size, err := eachLine(f, read)
	if err == nil && writable {
		if err = f.Truncate(size); err == nil {
			_, err = f.Seek(size, io.SeekStart)
		}
	}
	if err != nil {
		return nil, hint.Add(errors.Join(fmt.Errorf("read kept calls %s: %w", path, err), f.Close()),
			"restore the file, or take the line out: its call, and those that rest on it, are then made again and paid for; the last line alone may be torn")
	}
	return newJournal(path, f, size), nil
}
