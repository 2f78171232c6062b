package pi

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/endings"
	"vaultdispatcher/engine/agent/printed"
	"vaultdispatcher/engine/config/runners"
)

// answer is what the bridge has written.
type answer struct {
	Started   bool   `json:"started"`
	IsError   bool   `json:"isError"`
	ErrorText string `json:"errorText"`
	Result    struct {
		Content []struct{ Text string }
		Details struct {
			Results  []result
			Workflow struct{ Value []result }
		}
	}
}

// result is that of one agent, in the words of both versions.
type result struct {
	ExitCode    *int   `json:"exitCode"`    // up to 0.40
	FinalOutput string `json:"finalOutput"` // up to 0.40
	OK          *bool  `json:"ok"`          // from 0.41
	Output      string `json:"output"`      // from 0.41
	Error       string `json:"error"`
	Model       string `json:"model"`
	Usage       usage  `json:"usage"`
	Results     []struct {
		Model string `json:"model"`
		Usage usage  `json:"usage"`
		Error string `json:"error"`
	} `json:"results"` // from 0.41
}

type usage struct {
	Input, Output         int64
	CacheRead, CacheWrite int64
	Cost                  float64
}

// readOutcomes returns the outcomes of n tasks from what a run has left.
func readOutcomes(scratch string, n int, t tool, ended agent.Ended) ([]agent.Outcome, error) {
	data, err := os.ReadFile(filepath.Join(scratch, resultFile))
	if err != nil && ended.Status != 0 {
		return nil, &agent.Failure{Kind: agent.Transient, Detail: ended.Detail(), Reason: fmt.Sprintf("pi ended with status %d", ended.Status)}
	}
	if err != nil {
		return nil, errUnreachable // it took the command for a message, or the extension did not load
	}
	return readAnswer(data, n, t)
}

// readAnswer returns the outcomes of n tasks from what the bridge has written. Results that cannot be read were paid all the same.
func readAnswer(data []byte, n int, t tool) ([]agent.Outcome, error) {
	var a answer
	if err := json.Unmarshal(data, &a); err != nil {
		return nil, &agent.Failure{Kind: agent.Transient, Tries: 2, Cause: err, Reason: "the results of pi-subagents cannot be read: " + err.Error()}
	}
	if !a.Started {
		return nil, errUnreachable
	}
	results := a.Result.Details.Results
	if t.takesScript() {
		results = a.Result.Details.Workflow.Value
	}
	if len(results) == 0 {
		return nil, &agent.Failure{Kind: agent.Transient, Reason: "pi-subagents reports a failure", Detail: agent.Detail(a.errorText())}
	}
	outcomes := make([]agent.Outcome, n)
	for i := range outcomes {
		outcomes[i].Err = agent.ErrNoTurn
		if i < len(results) {
			outcomes[i] = results[i].outcome()
		}
	}
	return outcomes, nil
}

// errorText is what the tool has to say for itself.
func (a answer) errorText() string {
	text := a.ErrorText
	for _, c := range a.Result.Content {
		text += "\n" + c.Text
	}
	return text
}

// outcome judges one result by itself.
func (r result) outcome() agent.Outcome {
	text, problem := r.FinalOutput, r.Error
	if r.OK != nil {
		text = r.Output
	}
	u := agent.Usage{Model: r.Model, Input: r.Usage.Input + r.Usage.CacheRead + r.Usage.CacheWrite, Output: r.Usage.Output, Cost: r.Usage.Cost}
	for _, inner := range r.Results {
		u = u.Plus(agent.Usage{Model: inner.Model, Input: inner.Usage.Input + inner.Usage.CacheRead + inner.Usage.CacheWrite,
			Output: inner.Usage.Output, Cost: inner.Usage.Cost})
		if problem == "" {
			problem = inner.Error
		}
	}
	c := agent.Completion{Speaker: agent.Speaker{Name: "a subagent of pi", LogIn: runners.HowToLogIn(program)}, Text: printed.Plain(text), Usage: u, End: endings.Good}
	switch done := r.OK != nil && *r.OK || r.ExitCode != nil && *r.ExitCode == 0; {
	case !done:
		c.Text, c.Refusal = "", refusalOf(problem)
	case endings.IsComplaint(c.Text):
		c.Text, c.Refusal = "", refusalOf(c.Text)
	}
	reply, err := agent.Judge(c)
	return agent.Outcome{Reply: reply, Err: err}
}

// refusalOf is what pi says instead of an answer.
func refusalOf(said string) *endings.Refusal {
	said = agent.Detail(said)
	return &endings.Refusal{Program: "pi", Words: said, Expiry: endings.ReadReset("pi", said, time.Now())}
}
