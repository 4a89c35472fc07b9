// Package run keeps run directories: everything that a generation made, asked
// and decided, as files. A stage reads the files of the stages before it and
// writes its own, so that a directory can be looked into, continued and
// published at any time.
//
// Two kinds of files hold what costs something. Journals only grow, a line at a
// time; after a crash all but a torn last line of them counts. Every other file
// appears whole or not at all. What is written depends on the settings in
// manifest.json alone: a run that was killed and taken up again ends with the
// bytes of one that was not.
package run
