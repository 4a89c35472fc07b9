// Package sim holds conversations: an agent and a user alternate over an
// environment until one of them ends it or a limit does. Who moves when, the
// limits and the names of the endings are τ²-bench's half-duplex mode.
//
// The agent greets first, then the user speaks. A message of text goes to the
// other side; a message with tool calls goes to the environment, whose answers
// come back to the caller, who moves again. An agent that works on a ticket
// has no user: it makes the first move, calls the tools of both sides, and
// its first text ends the conversation, well or ill.
//
// The reference loses two things that are kept here unless Setup.Compat asks
// for its ways: text beside calls, which reaches nobody there, and messages
// without anything, on which it breaks down.
package sim
