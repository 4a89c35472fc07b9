// Package synth makes benchmark tasks in four stages, each a function of what
// the one before it left:
//
//	Sample       learns from a judge which tool sequences are plausible
//	Select       draws a pool of sequences and chooses a broad set of them
//	Instantiate  has an author make a task of each, and lets nothing pass that
//	             a reviewer, the gates or a verifier object to
//	Evolve       makes the tasks harder, gold untouched, as far as it can be proven
//
// The stages depend on roles and settings only; they keep no files. What a
// verdict or a draft costs is paid once: a Ledger remembers it for them.
package synth
