package phrase

import (
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"
)

// samplesOf returns a few strings that a pattern matches.
func samplesOf(re *regexp.Regexp) []string {
	draw := rand.New(rand.NewPCG(1, 1))
	out := make([]string, 8)
	for i := range out {
		out[i] = sampleOf(re, draw)
	}
	return out
}

// sampleOf draws a string that an anchored pattern matches.
func sampleOf(re *regexp.Regexp, draw *rand.Rand) string {
	tree, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil {
		return ""
	}
	var b strings.Builder
	sampleTree(tree.Simplify(), draw, &b)
	return b.String()
}

func sampleTree(t *syntax.Regexp, draw *rand.Rand, b *strings.Builder) {
	switch t.Op {
	case syntax.OpLiteral:
		b.WriteString(string(t.Rune))
	case syntax.OpCharClass:
		b.WriteRune(sampleRune(t.Rune, draw))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('x')
	case syntax.OpAlternate:
		sampleTree(t.Sub[draw.IntN(len(t.Sub))], draw, b)
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range t.Sub {
			sampleTree(sub, draw, b)
		}
	case syntax.OpQuest:
		repeatTree(t.Sub[0], draw.IntN(2), draw, b)
	case syntax.OpStar:
		repeatTree(t.Sub[0], draw.IntN(6), draw, b)
	case syntax.OpPlus:
		repeatTree(t.Sub[0], 1+draw.IntN(6), draw, b)
	}
}

func repeatTree(t *syntax.Regexp, n int, draw *rand.Rand, b *strings.Builder) {
	for range n {
		sampleTree(t, draw, b)
	}
}

// sampleRune draws from ranges, staying with ASCII where they have it.
func sampleRune(ranges []rune, draw *rand.Rand) rune {
	var ascii []rune
	for i := 0; i+1 < len(ranges); i += 2 {
		for r := ranges[i]; r <= min(ranges[i+1], 126); r++ {
			ascii = append(ascii, r)
		}
	}
	if len(ascii) == 0 {
		return ranges[0]
	}
	return ascii[draw.IntN(len(ascii))]
}
