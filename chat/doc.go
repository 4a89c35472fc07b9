// Package chat holds what passes between agent, user and environment:
// messages, tool calls and tool specifications, in τ²-bench's wire form.
//
// Every type reads and writes its JSON without loss: keys that it does not
// know are kept and written back at their place.
package chat
