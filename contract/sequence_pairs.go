package contract

import "slices"

// pairs holds rules about which calls go together, and in which order.
func (j *judging) pairs() {
	for _, r := range j.rules("some") {
		if len(j.seq) > 0 && !hasAny(j.seq, r.Tools) {
			j.blame(len(j.seq)-1, r)
		}
	}
	for i, t := range j.seq {
		for _, r := range j.rules("next") {
			if next := j.nextWrite(i); r.covers(t) && !slices.Contains(r.For, j.seq[next]) {
				j.blame(next, r)
			}
		}
		for _, r := range j.rules("apart") {
			if r.covers(t) && hasAny(j.seq, r.For) {
				j.blame(i, r)
			}
		}
	}
	for _, r := range j.rules("closes") {
		if first := slices.IndexFunc(j.seq, r.covers); first >= 0 {
			for i := first + 1; i < len(j.seq); i++ {
				if slices.Contains(r.For, j.seq[i]) {
					j.blame(i, r)
				}
			}
		}
	}
}

// nextWrite is the first call after i that is no read, or the last call.
func (j *judging) nextWrite(i int) int {
	for k := i + 1; k < len(j.seq); k++ {
		if t := j.c.Tools[j.seq[k]]; t != nil && t.Type != "READ" {
			return k
		}
	}
	return len(j.seq) - 1
}
