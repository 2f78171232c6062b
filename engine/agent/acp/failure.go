package acp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/engine/wording/times"
)

// authRequired is the protocol's code for an agent that does not know its user.
const authRequired = -32000

func permanentFailure(reason string) *agent.Failure {
	return &agent.Failure{Kind: agent.Permanent, Reason: reason}
}

// takeReply takes the answer, if the agent ended as it should.
func (s *session) takeReply() (agent.Reply, error) {
	usage, name := s.spent, s.agent.programName()
	reason := ""
	text := s.client.lastMessage()
	switch stop := s.said.StopReason; {
	case stop == sdk.StopReasonRefusal:
		reason = name + " declined to answer"
	case stop == sdk.StopReasonMaxTokens:
		reason = name + " came to its limit of tokens before its answer was complete"
	case stop == sdk.StopReasonMaxTurnRequests:
		reason = name + " came to its limit of steps before its answer was complete"
	case stop == sdk.StopReasonCancelled:
		reason = name + " cancelled the task by itself"
	case stop != sdk.StopReasonEndTurn:
		reason = fmt.Sprintf("%s stopped for a reason that is not known: %s", name, wording.Clip(string(stop)))
	case strings.TrimSpace(text) == "":
		reason = name + " gave an empty answer"
	default:
		return agent.Reply{Text: text, Usage: usage}, nil
	}
	return agent.Reply{}, &agent.Failure{Kind: agent.Permanent, Reason: reason, Usage: usage}
}

// explainFailure makes one sentence of why there is no answer. What the program said
// last goes with it, on standard error or else between its messages.
func (a Agent) explainFailure(err error, ended agent.Ended, rubbish string) error {
	f := a.classifyError(err, ended)
	for _, detail := range []string{ended.Detail(), rubbish} {
		if f.Detail == "" {
			f.Detail = detail
		}
	}
	return f
}

func (a Agent) classifyError(err error, ended agent.Ended) *agent.Failure {
	name := a.programName()
	transient := func(reason string) *agent.Failure {
		return &agent.Failure{Kind: agent.Transient, Cause: err, Reason: reason}
	}
	if f, ok := errors.AsType[*agent.Failure](err); ok {
		return f
	}
	refusal, isRefusal := errors.AsType[*sdk.RequestError](err)
	switch {
	case errors.Is(err, errTimeout):
		return transient(fmt.Sprintf("%s was still running after %s and was ended", name, times.Duration(a.TimeLimit())))
	case errors.Is(err, errSilent):
		return transient(name + " does not answer in the Agent Client Protocol")
	case errors.Is(err, errTooMuch):
		return &agent.Failure{Kind: agent.Permanent, Cause: err, Reason: fmt.Sprintf("%s answered with more than %d MiB", name, maxAnswer>>20)}
	case errors.Is(err, errGone) && ended.Status < 0:
		return transient(name + " ended the conversation before it answered")
	case errors.Is(err, errGone):
		return transient(fmt.Sprintf("%s ended with status %d before it answered", name, ended.Status))
	case isRefusal:
		return a.explainRefusal(refusal)
	}
	return transient(fmt.Sprintf("talking to %s failed: %s", name, wording.Clip(err.Error())))
}

// explainRefusal explains an error that the agent answered with.
func (a Agent) explainRefusal(e *sdk.RequestError) *agent.Failure {
	said := wording.Clip(strings.TrimPrefix(errorText(e), "Internal error: "))
	lower := strings.ToLower(said)
	f := &agent.Failure{Kind: agent.Transient, Cause: e, Reason: a.programName() + " failed: " + said}
	switch {
	case e.Code == authRequired:
		f = agent.Fail(&agent.NotLoggedIn{Program: a.programName(), How: "run it once by itself and log in"})
		f.Detail = said
	case strings.Contains(lower, "rate limit") || strings.Contains(lower, "429") || strings.Contains(lower, "quota"):
		f = agent.Fail(&agent.RateLimited{Program: a.programName()})
		f.Detail = said
	case e.Code == -32601 || e.Code == -32602:
		f.Kind = agent.Permanent
	}
	return f
}

// errorText are the message of an error and what its data says beside it.
func errorText(e *sdk.RequestError) string {
	text := e.Message
	data, err := json.Marshal(e.Data)
	var fields struct{ Details, Message, Error string }
	if err == nil && json.Unmarshal(data, &fields) == nil {
		for _, more := range []string{fields.Details, fields.Message, fields.Error} {
			if more != "" && !strings.Contains(text, more) {
				text += ": " + more
			}
		}
	} else if more, ok := e.Data.(string); ok && more != "" {
		text += ": " + more
	}
	return text
}
