// Package native is what the native domains share: a domain gives its tables
// and tools (Model), and gets an env.State (State) with records merged,
// compared and hashed; Records hold a database while it is read or built;
// Calculate is the tool of that name.
package native
