//go:build race

package trials_test

const raceDetector = true
