// Package inspect turns results into evaluation logs of Inspect, in its JSON
// format (version 2). docs/view.md says what becomes of what.
package inspect
