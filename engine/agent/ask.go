package agent

import (
	"fmt"

	"vaultdispatcher/engine/agent/replies"
)

// Ask gets one answer for each of n requests of a task, with one repair of a reply
// that cannot be read. run asks the agent once.
func Ask(task Task, n int, run func(Task) (Reply, error)) ([]string, error) {
	reply, err := run(task)
	if err != nil {
		return nil, err
	}
	answers, problem := replies.Parse(reply.Text, n)
	if problem == nil {
		return answers, nil
	}
	reply, err = run(RepairTask(task, reply.Text, problem))
	if err != nil {
		return nil, err
	}
	answers, problem = replies.Parse(reply.Text, n)
	if problem != nil {
		return nil, &Failure{Kind: Permanent, Reason: fmt.Sprintf("the reply cannot be used: %v", problem)}
	}
	return answers, nil
}
