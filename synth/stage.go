package synth

import (
	"context"
	"fmt"
	"math/rand/v2"

	"taste/chat"
	"taste/role"
	"taste/toolseq"
)

// Observer is told how far a stage is. Its methods are called by one goroutine
// at a time.
type Observer interface {
	Begin(stage string, total int)
	Advance(n int)
	End(summary string)
}

// Origin says where a judged sequence comes from.
type Origin struct {
	Stage  string `json:"stage"`  // seed, sample, probe, pool, choice, graft, medoid or replacement
	Number int    `json:"number"` // attempt k of a sample, else a running number
}

// Judge answers for sequences.
type Judge interface {
	// Ask answers for a sequence, the same for the same one, and remembers the
	// answer. It is called by many goroutines.
	Ask(ctx context.Context, sequence []string) (role.Verdict, error)
	// Certain answers where nobody needs to be asked.
	Certain(sequence []string) (role.Verdict, bool)
	// Record is told of each answer that a stage made use of, in an order that
	// depends on answers alone, by one goroutine.
	Record(from Origin, sequence []string) error
}

// ask asks about one sequence and records the answer.
func ask(ctx context.Context, j Judge, from Origin, sequence []string) (role.Verdict, error) {
	v, err := j.Ask(ctx, sequence)
	if err != nil {
		return v, err
	}
	return v, j.Record(from, sequence)
}

// panel judges sequences side by side.
type panel struct {
	judge    Judge
	vocab    toolseq.Vocab
	inFlight int
}

// all judges sequences, which count from the origin's number on, and hands over
// the verdicts in their order.
func (p panel) all(ctx context.Context, from Origin, seqs [][]int, use func(i int, v role.Verdict)) error {
	verdicts := make([]role.Verdict, len(seqs))
	return inOrder(ctx, max(p.inFlight, 1), len(seqs), func(ctx context.Context, i int) (err error) {
		verdicts[i], err = p.judge.Ask(ctx, Names(p.vocab, seqs[i]))
		return err
	}, func(i int) error {
		use(i, verdicts[i])
		return p.judge.Record(Origin{from.Stage, from.Number + i}, Names(p.vocab, seqs[i]))
	})
}

// Vocabulary is what sequences of a domain are made of: the tools of both sides.
func Vocabulary(tools []chat.ToolSpec) (toolseq.Vocab, error) {
	var v toolseq.Vocab
	for i := range tools {
		t := &tools[i]
		kind := toolseq.Generic
		switch t.Type {
		case chat.Read:
			kind = toolseq.Read
		case chat.Write:
			kind = toolseq.Write
		}
		v.Names = append(v.Names, t.Name)
		v.Types = append(v.Types, kind)
	}
	return v, v.Validate()
}

// Numbers turns tool names into the vocabulary's numbers.
func Numbers(v toolseq.Vocab, sequence []string) ([]int, error) {
	out := make([]int, len(sequence))
	for i, name := range sequence {
		n, ok := v.Index(name)
		if !ok {
			return nil, fmt.Errorf("position %d: unknown tool %q", i, name)
		}
		out[i] = n
	}
	return out, nil
}

// Names is the inverse of Numbers.
func Names(v toolseq.Vocab, seq []int) []string {
	out := make([]string, len(seq))
	for i, n := range seq {
		out[i] = v.Names[n]
	}
	return out
}

// key makes a sequence a map key.
func key(seq []int) string {
	b := make([]byte, len(seq))
	for i, t := range seq {
		b[i] = byte(t)
	}
	return string(b)
}

// derive gives the seed of a purpose, by its name and a counter.
func derive(seed uint64, name string, counter int) uint64 {
	return rand.New(toolseq.Stream(seed, name, uint64(counter))).Uint64()
}
