// Package llm is the seam to language models: one call, in words that all
// providers share, and what stands around it whoever answers.
//
// A [Model] makes one call. Adapters in the packages below (llm/openai,
// llm/anthropic, llm/gemini) reach providers; [Timeout], [Limiter], [Retry] and
// [Budget] wrap a model and are models themselves, as is the cache of llm/cache.
// From the outside in they stand in this order:
//
//	cache → budget → retry → limiter → timeout → adapter
//
// so that a kept answer costs nothing, every attempt passes the limiter, and a
// timeout counts for one attempt alone. [Ask] has a model answer in JSON of a schema.
package llm
