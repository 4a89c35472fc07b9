// Package retail is the retail domain: typed state and native tools whose
// answers, errors, partial effects and hashes are those of τ²-bench 1.0.1,
// byte for byte.
package retail
