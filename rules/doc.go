// Package rules plays all roles without a model: author, reviewer, user,
// verifier and reference agents. They know a domain by its contract, its phrase
// book and its tool specifications alone, and talk to each other in plain text.
// What they do is fixed by their arguments and seeds.
package rules
