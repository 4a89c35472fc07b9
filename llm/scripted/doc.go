// Package scripted plays language models without one: by a script, or by Go
// code, over the wire formats of real providers or within the process.
//
// A [Func] answers requests. [Script.Answer] is one, read from YAML: rules with
// conditions, answers that may be templates over the request, and faults. [Model]
// makes a Func a model; [Server] puts it behind OpenAI's Chat Completions and
// Responses, Anthropic's Messages and Gemini's generateContent, where the
// adapters reach it as they would reach the provider. docs/mock-llm.md tells
// users of scripts.
package scripted
