// Package eval scores conversations and replays recorded behaviour.
//
// A Scorer scores whole conversations in two modes side by side: compat is
// τ²-bench 1.0.1, quirks included, and strict what is right, with the reason
// wherever the two differ (docs/scoring.md). A Target scores the end of a
// conversation whose environment is at hand, as compat does, without replaying
// it. A Judge decides on assertions in words. Replay checks a domain against
// recorded traces.
package eval
