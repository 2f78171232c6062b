package replies

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Join is the reply of one who is no program: what [Parse] takes apart into these answers again.
func Join(answers []string) string {
	if len(answers) == 1 {
		return answers[0]
	}
	type response struct {
		Request int    `json:"request"`
		Answer  string `json:"answer"`
	}
	var reply struct {
		Responses []response `json:"responses"`
	}
	for i, a := range answers {
		reply.Responses = append(reply.Responses, response{i + 1, a})
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(reply) // of strings and numbers: it cannot fail
	return strings.TrimSpace(buf.String())
}
