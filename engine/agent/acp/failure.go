package acp

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/endings"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/engine/wording/times"
)

// authRequired is the protocol's code for an agent that does not know its user.
const authRequired = -32000

func permanentFailure(reason string) *agent.Failure {
	return &agent.Failure{Kind: agent.Permanent, Reason: reason}
}

// ends are the reasons for which a turn stops: https://agentclientprotocol.com/protocol/prompt-turn#stop-reasons
var ends = endings.Table{
	string(sdk.StopReasonEndTurn): endings.Good, string(sdk.StopReasonMaxTokens): endings.Tokens, string(sdk.StopReasonMaxTurnRequests): endings.Steps,
	string(sdk.StopReasonRefusal):   endings.Decline,
	string(sdk.StopReasonCancelled): {Meaning: endings.Final, Says: "cancelled the task by itself"},
}

// takeReply takes the answer, if the agent ended as it should.
func (s *session) takeReply() (agent.Reply, error) {
	c := agent.Completion{Speaker: s.agent.speaker(), Program: s.agent.known(), Seal: s.seal, Text: s.client.lastMessage(), End: ends.Find(string(s.response.StopReason)), Word: string(s.response.StopReason), Usage: s.spent}
	if told := toldError(s.response.Meta); told != "" {
		c.Refusal = s.agent.refusal(told)
	}
	return agent.Judge(c)
}

// toldError is what an agent tells of a failure beside the end of its turn, whatever it calls that end: a text, or the message of an
// error (https://github.com/getpaseo/paseo/issues/5075, https://github.com/Kilo-Org/kilocode/pull/10096). "" = it tells none.
func toldError(meta map[string]any) string {
	for _, key := range slices.Sorted(maps.Keys(meta)) {
		name := strings.ToLower(key[strings.LastIndexAny(key, "/.")+1:])
		if name != "error" && name != "errormessage" {
			continue
		}
		value := meta[key]
		if fields, ok := value.(map[string]any); ok {
			value = fields["message"]
		}
		if text, ok := value.(string); ok && strings.TrimSpace(text) != "" {
			return text
		}
	}
	return ""
}

// speaker is who a run is of.
func (a Agent) speaker() agent.Speaker {
	return agent.Speaker{Name: a.programName(), LogIn: "run it once by itself and log in", Refuses: map[endings.Kind]string{endings.Unknown: "failed", endings.Wrong: "failed"}}
}

// known is whose words the agent has, as [endings.ProgramOf] names them: those of the program that it wraps, or those of any agent.
func (a Agent) known() string {
	return cmp.Or(endings.ProgramIn(a.Command), endings.AnyAgent)
}

// refusal is what the agent says instead of an answer.
func (a Agent) refusal(said string) *endings.Refusal {
	program := a.known()
	return &endings.Refusal{Program: program, Words: said, Expiry: endings.ReadReset(program, said, time.Now())}
}

// explainFailure returns one sentence about the missing answer. The detail is the program's last line on standard
// error, or else its last line between the messages.
func (a Agent) explainFailure(err error, ended agent.Ended, rubbish string) *agent.Failure {
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
	r := a.refusal(strings.TrimPrefix(errorText(e), "Internal error: "))
	switch e.Code {
	case authRequired:
		r.Status = http.StatusUnauthorized
	case -32601, -32602: // it does not know what was asked, or its form
		r.Status = http.StatusBadRequest
	}
	_, err := agent.Judge(agent.Completion{Speaker: a.speaker(), Refusal: r, Cause: e})
	f, _ := errors.AsType[*agent.Failure](err)
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
