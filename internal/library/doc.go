// Package library is a toy domain: members of a library renew loans and pay late
// fees. It shows what a domain is made of, and lets tests of all stages run on a
// third trade. Users of the program do not see it.
package library
