package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/patience"
)

// lastWord is how long who leaves waits for the dispatch of a question that is on its way.
const lastWord = 2 * time.Second

// Ask asks a question outside of all notes and waits for its answer, for as long as the engine works on it. Ask calls
// accepted with the dispatch as soon as it exists: from then on the engine keeps the answer, whatever becomes of this
// call. If ctx ends before that, Ask still calls accepted if the engine names the dispatch within [lastWord], so that
// the caller can cancel it. Ask calls said, which may be nil, with the agent's words meanwhile, as far as they can be
// heard.
func (c *Client) Ask(ctx context.Context, req api.AskRequest, accepted func(dispatch string), said func(api.Said)) (answer api.Answered, err error) {
	body, err := json.Marshal(req)
	if err != nil {
		return answer, fmt.Errorf("write the question: %w", err)
	}
	stream, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	known, know := context.WithCancel(stream)
	defer know()
	defer context.AfterFunc(ctx, func() { endAfter(known, patience.Of(lastWord), cut) })()
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
				know()
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
	switch {
	case stream.Err() == nil:
	case ctx.Err() == nil:
		err = errSilent
	default:
		err = fmt.Errorf("ask the engine: %w", ctx.Err())
	}
	return answer, err
}

// endAfter ends a call when first has ended, at the latest after d.
func endAfter(first context.Context, d time.Duration, end func()) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-first.Done():
	case <-timer.C:
	}
	end()
}
