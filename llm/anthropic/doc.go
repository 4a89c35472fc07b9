// Package anthropic reaches models by Anthropic's Messages.
package anthropic
