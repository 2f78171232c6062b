// Package outside lets another program make the works that the Broadcaster is asked for. The program may take half an
// hour.
//
//	runner := outside.Controller{Program: program, Parts: journal, Limit: 30 * time.Minute}
//
// The program is a command as for any role. Instead of an answer it may print {"job":"ID"}: then it is run
// again every ten seconds, with the task and with WIKI_JOB=ID in its environment, until it prints
// something else, which is the answer.
//
// # Promises
//
// Between two runs of the program the task has no slot ([agent.Task.Rest]). The id of a job, and when it began, is
// stored before the first wait: an engine that starts anew asks for the same job and starts no second one. A job that
// takes longer than the limit has failed, and is forgotten.
package outside

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/wording/times"
)

// Usual is how long a job may take: making sound takes such services up to 20 minutes
// (https://github.com/teng-lin/notebooklm-py).
const Usual = 30 * time.Minute

const every = 10 * time.Second

// Variable has the id of the job in the program's environment.
const Variable = "WIKI_JOB"

// Controller is the [agent.Runner].
type Controller struct {
	agent.Runner                                                    // the program, for what its own runner says of it
	Program      func(job string, limit time.Duration) agent.Runner // that asks for a job; "" begins one
	Parts        Parts                                              // keeps jobs; nil = jobs are not kept
	Limit        time.Duration
}

// Parts keeps what belongs to a dispatch until it has its answer.
type Parts interface {
	Part(ctx context.Context, id, key string) (string, error)
	KeepPart(ctx context.Context, id, key, text string) error
}

// Reserve says what the program's own runner says of it.
func (c Controller) Reserve() string {
	if r, ok := c.Runner.(interface{ Reserve() string }); ok {
		return r.Reserve()
	}
	return ""
}

// Run implements [agent.Runner].
func (c Controller) Run(ctx context.Context, task agent.Task) (agent.Reply, error) {
	began, job := c.findJob(ctx, task.ID)
	rest := task.Rest
	if rest == nil {
		rest = due.Sleep
	}
	for {
		left := c.Limit - time.Since(began)
		if left <= 0 {
			return agent.Reply{}, c.giveUp(ctx, task.ID)
		}
		reply, err := c.Program(job, left).Run(ctx, task)
		if err != nil {
			return reply, err
		}
		next, isJob := readJob(reply.Text)
		if !isJob {
			return reply, nil
		}
		if next != job {
			job = next
			if err := c.keepJob(ctx, task.ID, began, job); err != nil {
				return reply, err
			}
		}
		if task.Tell != nil {
			task.Tell("waiting for job " + job)
		}
		if err := rest(ctx, every); err != nil {
			return agent.Reply{}, err
		}
	}
}

// giveUp forgets the job of a dispatch, so that another try begins a new one.
func (c Controller) giveUp(ctx context.Context, id string) error {
	if c.Parts != nil {
		if err := c.Parts.KeepPart(ctx, id, "job", ""); err != nil {
			return err
		}
	}
	return &agent.Failure{Kind: agent.Permanent, Reason: fmt.Sprintf("the job was not finished after %s", times.Duration(c.Limit))}
}

// findJob is the job of a dispatch and when it began; none begins now.
func (c Controller) findJob(ctx context.Context, id string) (began time.Time, job string) {
	if c.Parts == nil {
		return time.Now(), ""
	}
	text, _ := c.Parts.Part(ctx, id, "job") // none is kept
	at, job, _ := strings.Cut(text, " ")
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil || job == "" {
		return time.Now(), ""
	}
	return time.Unix(seconds, 0), job
}

func (c Controller) keepJob(ctx context.Context, id string, began time.Time, job string) error {
	if c.Parts == nil {
		return nil
	}
	return c.Parts.KeepPart(ctx, id, "job", fmt.Sprint(began.Unix(), " ", job))
}

// readJob reads the id of a job out of a reply that is nothing else.
func readJob(text string) (job string, ok bool) {
	var reply map[string]any
	if json.Unmarshal([]byte(text), &reply) != nil || len(reply) != 1 {
		return "", false
	}
	job, _ = reply["job"].(string)
	job = strings.TrimSpace(job)
	return job, job != "" && len(job) <= 500 && !strings.ContainsAny(job, "\x00\n\r")
}
