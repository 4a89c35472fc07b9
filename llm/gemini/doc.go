// Package gemini reaches models by the Gemini API.
package gemini
