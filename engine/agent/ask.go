package agent

import (
	"fmt"

	"vaultdispatcher/engine/agent/replies"
)

// Ask gets one answer for each of n requests of a task, with one repair of a reply
// that cannot be read. run asks the agent once. cut is what the agent said beside its answers, such as
// the thoughts of a reasoning model: no part of any of them.
func Ask(task Task, n int, run func(Task) (Reply, error)) (answers []string, cut string, err error) {
	asked := make([]string, n)
	for i := range min(n, len(task.Requests)) {
		asked[i] = task.Requests[i].Instruction
	}
	reply, err := run(task)
	if err != nil {
		return nil, "", err
	}
	answers, cut, problem := replies.Read(reply.Text, asked)
	if problem != nil {
		if reply, err = run(RepairTask(task, reply.Text, problem)); err != nil {
			return nil, "", err
		}
		answers, cut, problem = replies.Read(reply.Text, asked)
	}
	if problem != nil {
		return nil, "", &Failure{Kind: Permanent, Reason: fmt.Sprintf("the reply cannot be used: %v", problem), Cut: keepCut(reply.Thoughts, reply.Text)}
	}
	return answers, keepCut(reply.Thoughts, cut), nil
}
