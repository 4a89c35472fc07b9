// Package sim holds conversations: an agent and a user alternate over an
// environment until one of them ends it or a limit does. Who moves when, the
// limits and the names of the endings are τ²-bench's half-duplex mode.
//
// The agent greets first, then the user speaks. A message of text goes to the
// other side; a message with tool calls goes to the environment, whose answers
// come back to the caller, who moves again.
package sim
