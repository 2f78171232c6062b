package agent_test

import (
	"context"
	"fmt"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/note"
)

// countingRunner is the smallest useful runner: it answers with the number of
// requests. A real one hands Task.Prompt to a program or a server.
type countingRunner struct{}

func (countingRunner) Capabilities() agent.Capabilities { return agent.Capabilities{ReadOnly: true} }

func (countingRunner) Run(_ context.Context, task agent.Task) (agent.Reply, error) {
	return agent.Reply{Text: fmt.Sprintf("There is %d request for %s.", len(task.Requests), task.Agent)}, nil
}

// A new runner implements two methods. The engine makes the task of a group, runs
// it and reads the reply.
func ExampleRunner() {
	src := []byte("> @agent-Miner what did we decide?\n")
	group := note.GroupMarkers(note.Parse(src).Markers)[0]
	task := agent.NewTask("id", "/notes", "Today.md", group, nil, agent.Reference{})

	var runner agent.Runner = countingRunner{}
	reply, err := runner.Run(context.Background(), task)
	if err != nil {
		fmt.Println(err)
		return
	}
	answers, err := agent.ParseReply(reply.Text, len(task.Requests))
	fmt.Println(answers, err)
	// Output: [There is 1 request for vault-mind-miner.] <nil>
}
