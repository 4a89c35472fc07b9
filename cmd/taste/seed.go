package main

import (
	"errors"
	"strconv"

	"github.com/spf13/pflag"
)

// maxSeed is the largest seed: JSON readers that hold numbers as floats are
// exact up to it.
const maxSeed = 1<<53 - 1

// seedValue is a flag that takes a seed.
type seedValue uint64

// seedVar adds a flag for a seed, 1 unless it is given.
func seedVar(fs *pflag.FlagSet, p *uint64, name, text string) {
	*p = 1
	fs.Var((*seedValue)(p), name, text)
}

func (s *seedValue) String() string { return strconv.FormatUint(uint64(*s), 10) }

// Type names the kind of value in --help.
func (s *seedValue) Type() string { return "seed" }

// Set reads a seed.
func (s *seedValue) Set(text string) error {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n > maxSeed {
		return errors.New("want a whole number from 0 to 9007199254740991 (2^53 − 1), which every reader of JSON holds exactly")
	}
	*s = seedValue(n)
	return nil
}
