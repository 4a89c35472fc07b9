package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// outFolder refuses a path that cannot be a folder, which a flag gives.
func outFolder(flag, path string) error {
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() || errors.Is(err, syscall.ENOTDIR) {
		return usage(fmt.Errorf("--%s %s: not a folder", flag, path), "name a new or empty folder")
	}
	return nil
}

// writable tells that a folder may not be written to, or cannot be made where it
// was to be, as bad input.
func writable(err error) error {
	var path *fs.PathError
	unmade := errors.As(err, &path) && path.Op == "mkdir" && !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EDQUOT)
	if unmade || errors.Is(err, fs.ErrPermission) {
		return usage(err, "name a folder that you may write to with --out")
	}
	return err
}

// defaultOut is the run directory of a domain and a seed. Worlds beside the
// first are part of the name, so that each has a directory of its own.
func (s *source) defaultOut(seed uint64) string {
	name := s.Domain.Pack
	if s.WorldSeed != nil && *s.WorldSeed != 1 {
		name += fmt.Sprintf("-world%d", *s.WorldSeed)
	}
	return filepath.Join("runs", fmt.Sprintf("%s-%d", name, seed))
}
