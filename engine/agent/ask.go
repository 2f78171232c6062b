package agent

import (
	"cmp"
	"errors"
	"fmt"

	"vaultdispatcher/engine/agent/replies"
)

// Ask gets one answer for each of n requests of a task. run asks the agent once. What ended well and cannot be read
// is asked for once more in its form; whatever comes of that is final, unless it cost nothing. cut is what the agent said beside its
// answers, such as the thoughts of a reasoning model: no part of any of them.
func Ask(task Task, n int, run func(Task) (Reply, error)) (answers []string, cut string, err error) {
	asked := make([]string, n)
	for i := range min(n, len(task.Requests)) {
		asked[i] = task.Requests[i].Instruction
	}
	answers, cut, err = askOnce(task, asked, run)
	first, ok := errors.AsType[*Failure](err)
	if !ok || first.Unread == "" {
		return answers, cut, err
	}
	answers, cut, err = askOnce(RepairTask(task, first.Unread, cmp.Or[error](first.Cause, first)), asked, run)
	if again, ok := errors.AsType[*Failure](err); ok {
		f := *again
		f.Cut = keepCut(first.Cut, again.Cut)
		if f.Tries > 0 { // it was paid, at least in part
			f.Kind = Permanent
		}
		f.Tries = 2
		err = &f
	}
	return answers, cut, err
}

// askOnce runs a task, and reads the answers out of its reply.
func askOnce(task Task, asked []string, run func(Task) (Reply, error)) (answers []string, cut string, err error) {
	reply, err := run(task)
	if err != nil {
		return nil, "", err
	}
	answers, cut, problem := replies.Read(reply.Text, asked)
	if problem != nil {
		return nil, "", &Failure{Reason: fmt.Sprintf("the reply cannot be used: %v", problem), Cause: problem,
			Unread: reply.Text, Cut: keepCut(reply.Thoughts, reply.Text)}
	}
	return answers, keepCut(reply.Thoughts, cut), nil
}
