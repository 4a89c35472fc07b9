// Package env gives the world that agent and user act on: a Domain (policy,
// tools, immutable initial databases) and Environments, each one run's own
// copy of the state.
//
// A domain's behaviour is native Go behind the State interface; which
// implementation serves a pack is decided by a Registry that the program
// passes in. States are copy-on-write: forking, resetting and comparing cost
// by what a run has touched and not by the size of the database. Any number of
// environments of one Domain may be used at the same time, each by one
// goroutine.
package env
