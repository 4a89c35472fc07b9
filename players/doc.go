// Package players holds what the specifications of agents and users stand for:
// the reference agents and the rules user, language models, remote parties, a
// person at the terminal, and agents that work on a ticket without a user.
package players
