package agent_test

import (
	"context"
	"fmt"
	"strings"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/replies"
)

// shouter is a runner: it carries a task to something that answers and returns
// the raw reply. This one needs no program; it shouts the instructions back.
type shouter struct{}

func (shouter) Run(ctx context.Context, task agent.Task) (agent.Reply, error) {
	if ctx.Err() != nil {
		return agent.Reply{}, ctx.Err() // cancelled: no failure of the agent
	}
	if len(task.Requests) > 1 {
		return agent.Reply{}, agent.Fail(fmt.Errorf("the shouter answers one request at a time"))
	}
	return agent.Reply{Text: strings.ToUpper(task.Requests[0].Instruction)}, nil
}

// A runner is one method. replies.Parse turns what it brings back into one answer
// for each request.
func ExampleRunner() {
	var runner agent.Runner = shouter{}
	task := agent.Task{Role: "Shouter", Requests: []agent.Request{{Line: 3, Instruction: "water the plants"}}}
	reply, err := runner.Run(context.Background(), task)
	if err != nil {
		fmt.Println(err)
		return
	}
	answers, err := replies.Parse(reply.Text, len(task.Requests))
	fmt.Println(answers[0], err)
	// Output: WATER THE PLANTS <nil>
}
