// Package cache keeps the calls of language models: what was answered once is
// not asked again, and a run can be replayed without a network.
//
// Calls are kept in one file of lines of JSON that only grows. A line is a call,
//
//	{"key", "model", "label", "shared", "request", "response"}
//
// or what many calls have in common, system text, tools and schema, which stands
// before the first of them and which they name by its hash:
//
//	{"shared", "request"}
//
// Together the two requests are all that can change the answer; model is the name of
// the model. There are no keys of providers in the file, no addresses and no
// times, and no calls that failed.
package cache
