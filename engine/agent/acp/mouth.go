package acp

import (
	"bytes"
	"encoding/json"
	"io"
	"sync/atomic"
)

// mouth is the way to the agent. It remembers that the agent no longer listens,
// which is noticed before its last words have been read.
type mouth struct {
	output io.Writer
	shut   atomic.Bool
}

func (m *mouth) Write(p []byte) (int, error) {
	if _, err := m.output.Write(askForNotices(p)); err != nil {
		m.shut.Store(true)
		return 0, err
	}
	return len(p), nil
}

// askForNotices adds to the first message that notices to a person may come apart
// from the answer; an agent that is not told so says them in it. The library does not
// know the capability: https://agentclientprotocol.com/rfds/session-notices
func askForNotices(line []byte) []byte {
	if !bytes.Contains(line, []byte(`"method":"initialize"`)) {
		return line
	}
	var message, params, able map[string]json.RawMessage
	if json.Unmarshal(line, &message) != nil || json.Unmarshal(message["params"], &params) != nil ||
		json.Unmarshal(params["clientCapabilities"], &able) != nil || able == nil {
		return line
	}
	able["session"] = json.RawMessage(`{"notices":{}}`)
	params["clientCapabilities"], _ = json.Marshal(able) // valid JSON encodes again; cannot fail
	message["params"], _ = json.Marshal(params)
	whole, _ := json.Marshal(message)
	return append(whole, '\n')
}
