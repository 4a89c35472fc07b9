// Package telecom is the telecom domain: an operator's customers, lines and
// bills on the agent's side, a phone and where it is on the user's, and the
// coupling of the two after every call. Answers, errors, partial effects and
// hashes are those of τ²-bench 1.0.1, byte for byte.
//
// The files by what they hold:
//
//	types.go phone.go                the records of both sides
//	read.go read_phone.go            JSON to records, with defaults
//	dump.go                          records to JSON
//	state.go sync.go                 tables, and the coupling of the sides
//	kit_agent.go kit_user.go         all functions by name
//	lookup.go lines.go bills.go      what agents do
//	network.go switches.go sim.go apn.go wifi.go vpn.go apps.go pay.go
//	                                 what users do with the phone
//	asserts.go                       assertions of either side
package telecom
