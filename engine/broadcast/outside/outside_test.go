package outside

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/agent"
)

// kept is a journal in memory.
type kept map[string]string

func (k kept) Part(_ context.Context, id, key string) (string, error) { return k[id+key], nil }
func (k kept) KeepPart(_ context.Context, id, key, text string) error {
	k[id+key] = text
	return nil
}

type program func(ctx context.Context) (string, error)

func (p program) Run(ctx context.Context, _ agent.Task) (agent.Reply, error) {
	text, err := p(ctx)
	return agent.Reply{Text: text}, err
}

// A job is begun once and asked for until it is done, also by an engine that begins anew.
func TestJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		begun := time.Now()
		c := Controller{Parts: kept{}, Limit: Usual, Program: func(job string, _ time.Duration) agent.Runner {
			return program(func(context.Context) (string, error) {
				asked = append(asked, job)
				if job == "" || time.Since(begun) < 20*time.Minute {
					return `{"job": "J1"}`, nil
				}
				return "![[talk.mp3]]", nil
			})
		}}
		ctx, stop := context.WithTimeout(t.Context(), time.Minute+time.Second)
		defer stop()
		if _, err := c.Run(ctx, agent.Task{ID: "d"}); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		said := ""
		reply, err := c.Run(t.Context(), agent.Task{ID: "d", Tell: func(text string) { said = text }})
		if err != nil || reply.Text != "![[talk.mp3]]" || said != "waiting for job J1" {
			t.Errorf("%q, %v, told %q", reply.Text, err, said)
		}
		if n := len(slices.DeleteFunc(asked, func(job string) bool { return job != "" })); n != 1 {
			t.Errorf("%d jobs were begun", n)
		}
		if took := time.Since(begun); took > 21*time.Minute {
			t.Errorf("it took %s", took)
		}
	})
}

// What is not done in time has failed, and another try begins a new job.
func TestTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		jobs := kept{}
		c := Controller{Parts: jobs, Limit: Usual, Program: func(string, time.Duration) agent.Runner {
			return program(func(context.Context) (string, error) { return `{"job":"J"}`, nil })
		}}
		began := time.Now()
		_, err := c.Run(t.Context(), agent.Task{ID: "d"})
		failure, ok := errors.AsType[*agent.Failure](err)
		if !ok || failure.Kind != agent.Permanent || !strings.Contains(failure.Reason, "30m") || time.Since(began) > Usual+every {
			t.Errorf("%v after %s", err, time.Since(began))
		}
		if jobs["djob"] != "" {
			t.Errorf("%q is kept", jobs["djob"])
		}
	})
}

// Only an object with a job and nothing else is one.
func TestReadJob(t *testing.T) {
	for text, want := range map[string]string{
		`{"job":"a b"}`: "a b", " {\"job\":\"a\"}\n": "a", `{"job":""}`: "", `{"job":1}`: "", `{"job":"a","answer":"b"}`: "", "job a": "", "": "", `{"job":"a\nb"}`: "",
	} {
		if got, ok := readJob(text); got != want && ok || ok != (want != "") {
			t.Errorf("%q: %q, %t", text, got, ok)
		}
	}
}
