// Package connect makes models of specifications: the adapter of the provider,
// with limits, retries, budget and cache around it, as configured.
//
//	openai/MODEL             OpenAI, Chat Completions
//	openai-responses/MODEL   OpenAI, Responses
//	azure/DEPLOYMENT         OpenAI's models on Azure, Chat Completions
//	azure-responses/DEPLOYMENT
//	anthropic/MODEL          Anthropic
//	google/MODEL             the Gemini API
//	http://HOST/v1#MODEL     any server that speaks Chat Completions; https too
//
// Bedrock and Vertex are not supported.
package connect
