package gemini

import (
	"encoding/json"
	"fmt"

	"google.golang.org/genai"

	"taste/chat"
	"taste/llm"
	"taste/llm/internal/wire"
)

var stops = map[string]llm.Stop{
	"STOP": llm.End, "MAX_TOKENS": llm.Length, "SAFETY": llm.Filtered, "RECITATION": llm.Filtered, "BLOCKLIST": llm.Filtered,
	"PROHIBITED_CONTENT": llm.Filtered, "SPII": llm.Filtered,
}

// read makes an answer of the SDK's, and of its parts as they came.
func read(r *llm.Request, res *genai.GenerateContentResponse, body []byte) (*llm.Response, error) {
	if len(res.Candidates) == 0 {
		return nil, empty(res, body)
	}
	var raw struct {
		Candidates []struct {
			Content struct{ Parts []json.RawMessage }
		}
	}
	if err := json.Unmarshal(body, &raw); err != nil {
		return nil, err
	}
	parts := raw.Candidates[0].Content.Parts
	text, calls, thinks := said(parts)
	wire.Identify(r, calls)
	out := &llm.Response{
		Message: llm.Message{Role: chat.Assistant, Text: text, Calls: calls},
		Reason:  string(res.Candidates[0].FinishReason), Usage: usage(res.UsageMetadata), Model: res.ModelVersion, ID: res.ResponseID,
	}
	if thinks {
		kept, err := json.Marshal(parts)
		if err != nil {
			return nil, err
		}
		out.Message.Thought = kept
	}
	out.Stop = wire.Stop(stops, out.Reason, calls)
	return out, nil
}

// empty says why there is no answer: the filter refused the request, or the
// answer is none.
func empty(res *genai.GenerateContentResponse, body []byte) error {
	if f := res.PromptFeedback; f != nil && f.BlockReason != "" {
		return &llm.Error{Class: llm.Blocked, Message: fmt.Sprintf("the filter refused the request: %s %s", f.BlockReason, f.BlockReasonMessage)}
	}
	if hidden := wire.Hidden(body); hidden != nil {
		return hidden
	}
	return &llm.Error{Class: llm.Malformed, Message: "the answer holds no candidate"}
}

// usage counts tokens: thoughts are counted beside the answer there.
func usage(u *genai.GenerateContentResponseUsageMetadata) llm.Usage {
	if u == nil {
		return llm.Usage{Calls: 1}
	}
	return llm.Usage{
		Input: int64(u.PromptTokenCount) + int64(u.ToolUsePromptTokenCount), Cached: int64(u.CachedContentTokenCount),
		Output: int64(u.CandidatesTokenCount) + int64(u.ThoughtsTokenCount), Reasoning: int64(u.ThoughtsTokenCount), Calls: 1,
	}
}
