// Package openai reaches models by OpenAI's Chat Completions and Responses, at
// OpenAI, on Azure, and at servers that speak the former.
package openai
