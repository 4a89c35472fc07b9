// Package models has language models play the roles of package role, and agents
// and users of conversations. What they are told stands in package prompts; what
// they answer goes through the same checks as what rules write. Every answer in
// JSON is held to its schema and to what its role asks of it, and asked for once
// more with the fault in words; what fails then is reported with the raw answers.
package models
