// Package contract reads the declarative contract of a domain: what each tool
// needs, gives and ends, which policy rules hold over the state, and which
// wishes a customer may bring up. Every role without a model works from it, so
// another domain is another file.
//
// A contract has four layers. Sequence rules judge bare tool names (Judge).
// Policy rules are CEL expressions over a call's arguments and the records that
// reads reveal. Wishes connect what a customer says to tool calls. Tools tell
// where the value of each argument may come from and what else it could be.
package contract
