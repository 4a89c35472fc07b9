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
			if r.covers(t) {
				j.due(i, r)
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

// due blames the first call after i that is no read, where it is none of those
// that are due. Where only reads follow, each of them stands where such a call
// should: all are blamed, or call i if it is the last.
func (j *judging) due(i int, r *SeqRule) {
	next := i + 1 + slices.IndexFunc(j.seq[i+1:], j.noRead)
	switch {
	case next > i && slices.Contains(r.For, j.seq[next]):
	case next > i:
		j.blame(next, r)
	case i == len(j.seq)-1:
		j.blame(i, r)
	default:
		for k := i + 1; k < len(j.seq); k++ {
			j.blame(k, r)
		}
	}
}

func (j *judging) noRead(tool string) bool {
	t := j.c.Tools[tool]
	return t != nil && t.Type != "READ"
}
