// Package toolseq holds everything that treats a task as a bare sequence of
// tools: the adaptive contrastive n-gram model that proposes sequences, its
// training against a judge, fast sampling from a frozen model, the weighted
// edit distance between sequences and the coverage metrics of a set of them.
//
// A tool is an index into a [Vocab]; a sequence is a []int of such indices in
// call order. The package knows nothing of domains, policies or arguments: what
// is plausible is for a [Judge] to say.
package toolseq
