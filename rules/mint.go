package rules

import (
	"math/rand/v2"

	"taste/contract"
	"taste/env"
)

// Characters of minted keys: a place of the shape takes one of them at random.
const (
	mintLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	mintDigits  = "0123456789"
)

// mint draws a key of the kind's shape that is not taken.
func mint(e *env.Environment, draw *rand.Rand, kind *contract.Record) string {
	for {
		key := []byte(kind.Mint)
		for i, place := range key {
			switch place {
			case '9':
				key[i] = mintDigits[draw.IntN(len(mintDigits))]
			case 'A':
				key[i] = mintLetters[draw.IntN(len(mintLetters))]
			case 'X':
				key[i] = (mintLetters + mintDigits)[draw.IntN(len(mintLetters+mintDigits))]
			}
		}
		if e.Record(kind.Table, string(key)) == nil {
			return string(key)
		}
	}
}
