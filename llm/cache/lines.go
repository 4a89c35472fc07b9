package cache

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// eachLine hands each whole line and its place to read, without its end, and
// returns how many bytes they take.
func eachLine(r io.Reader, read func(line []byte, at int64) error) (size int64, err error) {
	in := bufio.NewReaderSize(r, 1<<16)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return size, nil
		}
		if err == nil {
			err = read(line[:len(line)-1], size)
		}
		if err != nil {
			return 0, fmt.Errorf("line %d: %w", n, err)
		}
		size += int64(len(line))
	}
}
