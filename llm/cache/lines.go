package cache

import (
	"bufio"
	"bytes"
	"encoding/json"
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

// read reads a line. One without content is what a machine that went down leaves, or an
// editor: the error says so.
func read(text []byte, l *line) error {
	if zeros := bytes.Count(text, []byte{0}); zeros > 0 {
		return fmt.Errorf("%d of its %d bytes are zero", zeros, len(text))
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return errors.New("it is blank")
	}
	return json.Unmarshal(text, l)
}
