package cache

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"taste/internal/hint"
)

// disk is a file in memory that has so much room, and knows what has been synced.
type disk struct {
	mu     sync.Mutex
	text   []byte
	room   int
	synced int
	syncs  int
	hold   chan struct{} // a sync waits until it is closed
}

func (d *disk) ReadAt(p []byte, at int64) (int, error) { return 0, io.EOF }

func (d *disk) Close() error { return nil }

func (d *disk) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := min(len(p), d.room-len(d.text))
	d.text = append(d.text, p[:n]...)
	if n < len(p) {
		return n, &os.PathError{Op: "write", Path: "disk", Err: syscall.ENOSPC}
	}
	return n, nil
}

func (d *disk) Sync() error {
	if d.hold != nil {
		<-d.hold
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.synced = len(d.text)
	d.syncs++
	return nil
}

func (d *disk) Truncate(size int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.text = d.text[:size]
	return nil
}

// Lines that come while the disk is busy go to it together, and nobody goes on
// before his line has arrived.
func TestJournalSyncsTogether(t *testing.T) {
	d := &disk{room: 1 << 20, hold: make(chan struct{})}
	j := newJournal("j", d, 0)
	var wg sync.WaitGroup
	appended := func(i int) {
		line := fmt.Sprintf("%03d\n", i)
		at, err := j.append([]byte(line))
		d.mu.Lock()
		defer d.mu.Unlock()
		if err != nil || int(at)+4 > d.synced || string(d.text[at:at+4]) != line {
			t.Errorf("line %d at %d of %d synced: %v", i, at, d.synced, err)
		}
	}
	for i := range 100 {
		wg.Go(func() { appended(i) })
	}
	for {
		j.mu.Lock()
		n := j.size
		j.mu.Unlock()
		if n == 400 {
			break
		}
		runtime.Gosched()
	}
	close(d.hold)
	wg.Wait()
	if d.syncs > 100/2 || len(d.text) != 400 {
		t.Errorf("%d syncs for 100 lines, %d bytes", d.syncs, len(d.text))
	}
}

func TestFullDiskEndsWithAWholeLine(t *testing.T) {
	d := &disk{room: 25}
	j := newJournal("calls.jsonl", d, 0)
	line := []byte("123456789\n")
	for range 2 {
		if _, err := j.append(line); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if _, err := j.append(line); err == nil || !strings.Contains(err.Error(), "calls.jsonl") || hint.Of(err) == "" {
			t.Errorf("got %v", err)
		}
		d.room = 100 // room found now does not help this process: its answer is lost
	}
	if string(d.text) != "123456789\n123456789\n" {
		t.Errorf("left %q", d.text)
	}
}

// With a disk that takes nothing more, no call is made.
func TestFullDiskSparesCalls(t *testing.T) {
	e := &echo{}
	s := opened(t, file1(t))
	s.journal.file = &disk{}
	for range 3 {
		if _, err := s.Model(e).Call(t.Context(), asks("a")); err == nil {
			t.Error("an answer that is not kept was returned")
		}
	}
	if e.calls != 1 {
		t.Errorf("%d calls", e.calls)
	}
}
