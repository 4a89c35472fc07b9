// Package cache keeps the calls of language models: what was answered once is
// not asked again, and a run can be replayed without a network.
//
// Calls are kept in one file of lines of JSON that only grows. A line is
//
//	{"key", "model", "label", "request", "response"}
//
// where request holds all that can change the answer, in the canonical form
// of [Key], and model is the name of the model. There are no keys of providers in it, no
// addresses and no times, and no calls that failed.
package cache
