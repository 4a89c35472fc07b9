// Package person lets somebody at a terminal play the agent or the user of a
// conversation.
package person
