// Package cache keeps the calls of language models: what was answered once is
// not asked again, and a run can be replayed without a network.
//
// Calls are kept in one file of lines of JSON that only grows. A line is a call,
//
//	{"key", "model", "label", "shared", "request", "after", "turns", "response"}
//
// or what many calls have in common, system text, tools and schema, which stands
// before the first of them and which they name by its hash:
//
//	{"shared", "request"}
//
// A turn is written once: of a call that goes on from an earlier one, its turns and its
// answer, after is the key of that one, and turns are those that are new.
//
// The two requests and all turns are all that can change the answer; model is the name of
// the model. There are no keys of providers in the file, no addresses and no
// times, and no calls that failed.
//
// A line whose predecessor or shared part does not stand before it cannot be held to its
// hash: it counts as not kept, and so do those that go on from it.
//
// Earlier programs wrote lines without after and turns, all of which stood in the
// request. They are read as they are, and stay.
package cache
