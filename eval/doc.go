// Package eval scores conversations and replays recorded behaviour.
//
// Compat scores a whole conversation as τ²-bench 1.0.1 does, quirks included.
// A Target scores the end of a conversation whose environment is at hand,
// without replaying it. Replay checks a domain against recorded traces.
package eval
