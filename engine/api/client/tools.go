package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"vaultdispatcher/engine/api"
)

// Told is what a tool of the engine's answers by the Model Context Protocol.
type Told struct {
	Text    string
	Refused bool // the text says why
}

// CallTool calls a tool that reads the vaults, also private notes where that is asked for.
func (c *Client) CallTool(ctx context.Context, tool string, arguments json.RawMessage, private bool) (told Told, err error) {
	if len(arguments) == 0 {
		arguments = json.RawMessage("{}")
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": arguments}})
	if err != nil {
		return told, fmt.Errorf("write the call: %w", err)
	}
	path := "/mcp"
	if private {
		path += "?private=1"
	}
	resp, err := c.sendFor(ctx, http.MethodPost, path, body, "application/json, text/event-stream")
	if err != nil {
		return told, err
	}
	defer resp.Body.Close()
	var answer struct {
		Result struct {
			IsError bool
			Content []struct{ Text string }
		}
		Error *struct{ Message string }
	}
	if err := c.nameState(readAnswer(ctx, resp, &answer)); err != nil {
		return told, err
	}
	if answer.Error != nil {
		return told, errors.New(answer.Error.Message)
	}
	for _, part := range answer.Result.Content {
		told.Text += part.Text
	}
	told.Refused = answer.Result.IsError
	if told.Text == "" {
		return told, api.ErrNotOurs
	}
	return told, nil
}
