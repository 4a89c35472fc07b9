// Package remote lets a program behind an HTTP address play the agent or the
// user of conversations. The protocol, three requests with JSON bodies, is told
// in docs/remote-agent.md.
//
// What the program answers with status 200 is its own, mistakes included; all
// else is the machinery's. Lost connections and busy servers are waited for and
// asked again, by the same number of the turn.
package remote
