package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"vaultdispatcher/engine/api"
)

// Ask asks a question that stands in no note and waits for its answer, for as long as the engine works on
// it. accepted is told the dispatch as soon as there is one: from then on the answer is kept, whatever
// becomes of this call. said, which may be nil, is told what the agent says meanwhile, as far as it can be heard.
func (c *Client) Ask(ctx context.Context, req api.AskRequest, accepted func(dispatch string), said func(api.Said)) (answer api.Answered, err error) {
	body, err := json.Marshal(req)
	if err != nil {
		return answer, fmt.Errorf("write the question: %w", err)
	}
	stream, cut := context.WithCancel(ctx)
	defer cut()
	watch := newAlarm(firstWord, cut)
	defer watch.timer.Stop()
	resp, err := c.sendFor(stream, http.MethodPost, "/vault-mind/ask", body, "text/event-stream")
	if err == nil {
		err = readEvents(stream, resp, func() { watch.setAfter(silence) }, func(name string, data []byte) (last bool, err error) {
			switch name {
			case "accepted":
				var a api.Accepted
				err = json.Unmarshal(data, &a)
				accepted(a.Dispatch)
				return false, err
			case "said":
				var s api.Said
				if err = json.Unmarshal(data, &s); err == nil && said != nil {
					said(s)
				}
				return false, err
			case "answer":
				return true, json.Unmarshal(data, &answer)
			case "failed":
				var p api.Problem
				if err := json.Unmarshal(data, &p); err != nil {
					return true, err
				}
				return true, api.Refusal(http.StatusBadGateway, p.Code, p.Error)
			}
			return false, nil
		})
	}
	if stream.Err() != nil && ctx.Err() == nil {
		err = errSilent
	}
	return answer, err
}
