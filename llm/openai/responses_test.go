package openai_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"taste/chat"
	"taste/llm"
	"taste/llm/internal/wiretest"
	"taste/llm/openai"
)

// output is an answer as the provider gives it.
const output = `[
	{"type":"reasoning","id":"r1","summary":[],"encrypted_content":"e1=="},
	{"type":"message","id":"m1","role":"assistant","status":"completed","phase":"commentary","content":[{"type":"output_text","text":"I look.","annotations":[]}]},
	{"type":"reasoning","id":"r2","summary":[],"encrypted_content":"e2=="},
	{"type":"function_call","id":"f1","call_id":"c1","name":"f","arguments":"{\"z\": 1.0}","status":"completed"}]`

// Models that do not reason refuse to be asked for it: they are asked once.
func TestModelsThatDoNotReason(t *testing.T) {
	var sent, refused int
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent++
		var body struct{ Include []string }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		if len(body.Include) > 0 {
			refused++
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w, `{"error":{"message":"Encrypted content is not supported with this model.","type":"invalid_request_error","param":"include"}}`)
			return
		}
		io.WriteString(w, `{"id":"1","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"ok"}]}]}`)
	}))
	defer s.Close()
	m := openai.Responses("openai-responses/m", openai.Options{BaseURL: s.URL})
	for range 3 {
		if res, err := m.Call(t.Context(), request()); err != nil || res.Message.Text != "ok" {
			t.Fatal(res, err)
		}
	}
	if sent != 4 || refused != 1 {
		t.Errorf("%d requests, %d refused", sent, refused)
	}
}

// Items go back in their order, to the letter. Reasoning is for the items behind
// it: of an answer that was changed since it is left out.
func TestItemsGoBack(t *testing.T) {
	address, sent := wiretest.Serve(t, `{"id":"1","status":"completed","model":"m","output":`+output+`}`)
	m := openai.Responses("openai-responses/m", openai.Options{BaseURL: address})
	res, err := m.Call(t.Context(), request())
	if err != nil {
		t.Fatal(err)
	}
	said := res.Message
	if said.Text != "I look." || len(said.Calls) != 1 || said.Calls[0].ID != "c1" || string(said.Calls[0].Arguments) != `{"z": 1.0}` {
		t.Fatalf("read %+v", said)
	}
	changed := said
	changed.Text = "Changed."
	for _, back := range []llm.Message{said, changed} {
		if _, err := m.Call(t.Context(), request(back, llm.Message{Role: chat.Tool, CallID: "c1", Text: "ok"})); err != nil {
			t.Fatal(err)
		}
	}
	const user, answer = `{"content":"x","role":"user"}`, `{"output":"ok","call_id":"c1","type":"function_call_output"}`
	for i, want := range []string{
		"[" + user + "," + output[1:len(output)-1] + "," + answer + "]",
		"[" + user + `,{"content":"Changed.","role":"assistant"},{"arguments":"{\"z\": 1.0}","call_id":"c1","name":"f","type":"function_call"},` + answer + "]",
	} {
		if got, wanted := wiretest.Compact(t, (*sent)[i+1]["input"]), wiretest.Compact(t, []byte(want)); got != wanted {
			t.Errorf("got  %s\nwant %s", got, wanted)
		}
	}
	if string((*sent)[0]["store"]) != "false" || string((*sent)[0]["include"]) != `["reasoning.encrypted_content"]` {
		t.Errorf("store %s, include %s", (*sent)[0]["store"], (*sent)[0]["include"])
	}
}
