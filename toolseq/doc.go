// Package toolseq holds everything that treats a task as a bare sequence of
// tools: the model that proposes sequences, its training against a judge, fast
// sampling from a frozen model, the weighted edit distance between sequences and
// the coverage metrics of a set of them.
//
// A tool is an index into a [Vocab]; a sequence is a []int of such indices in
// call order. The package knows nothing of domains, policies or arguments: what
// is plausible is for a [Judge] to say.
//
// There are two ways to sample. [PaperParams] is the adaptive contrastive n-gram
// model of the method to the letter. [BestParams] adds gates, small counted
// decision trees fitted to the same verdicts (see [GateParams]): they see how many
// calls are left and what was called before, which an n-gram cannot, so more of
// what is drawn is plausible, and from a wider range.
package toolseq
