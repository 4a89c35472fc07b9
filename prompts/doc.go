// Package prompts holds what language models are told: one template file a
// question, with a version in its name and, where the answer is JSON, the schema
// of the answer beside it.
//
// NAME-vN.md begins with a comment that says where in the method the prompt
// stands. Then it defines two templates (text/template): "system", which holds all
// that is the same for every item of a domain, so that providers can keep it, and
// "user", which holds the item; one that comes out empty is no message.
// NAME-vN.schema.json is the answer's schema, held to what every provider takes:
// all properties required, no further ones. parts.md defines what several prompts
// share. Prompts know no domain: policy, tools and records are filled in. What a
// question is about they show as JSON, too, so that programs can play a model: see [Input].
//
// A prompt that is changed gets a new version, for its sum stands in the
// manifests of runs.
package prompts
