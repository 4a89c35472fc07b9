package phrase

// Sentences splits a text where Parse does and returns the byte ranges
// [from, to) of its sentences in order.
func Sentences(text string) [][2]int {
	var out [][2]int
	for _, s := range sentences(text) {
		out = append(out, [2]int{s.start, s.end})
	}
	return out
}
