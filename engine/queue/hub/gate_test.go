package hub_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/queue"
)

// TestJoinAnswersTheTokenAlone: the hub, which may do everything, sends its answer to no subject that a token may not
// write to; the token is not spent.
func TestJoinAnswersTheTokenAlone(t *testing.T) {
	h, _, addr := serve(t)
	token, err := h.NewToken([]string{addr}, nil)
	if err != nil {
		t.Fatal(err)
	}
	pair, err := nkeys.FromSeed([]byte(token.Seed))
	if err != nil {
		t.Fatal(err)
	}
	public, _ := pair.PublicKey()
	conn, _, err := come(t, queue.Credentials{URLs: token.URLs, Name: public}, token.Seed)
	if err != nil {
		t.Fatal(err)
	}
	for _, reply := range []string{"$JS.API.STREAM.PURGE.WIKI_TASKS", "wiki.task.role-writer.engine.d1.0-00", "_INBOX_hub.x", queue.InboxOf(public) + "x.y"} {
		if err := conn.PublishRequest(queue.JoinSubject(public), reply, fmt.Appendf(nil, `{"public":%q,"name":"evil"}`, public)); err != nil {
			t.Fatal(err)
		}
	}
	if err := conn.FlushTimeout(time.Minute); err != nil {
		t.Fatal(err)
	}
	if _, err := queue.Join(token, "box"); err != nil { // the hub hears the joins in their order
		t.Errorf("the token is spent: %v", err)
	}
	if all, err := h.Workers(); err != nil || len(all) != 1 || all[0].Name != "box" {
		t.Errorf("the workers are %v, %v", all, err)
	}
}

// TestServerOfAPerson: where a NATS server of a person's own carries the questions, the engine is the gate.
func TestServerOfAPerson(t *testing.T) {
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, JetStreamMaxStore: 1 << 40, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	defer s.WaitForShutdown()
	defer s.Shutdown()
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	pair, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	seed, _ := pair.Seed()
	file := filepath.Join(t.TempDir(), "engine.creds")
	// The form of such a file: https://docs.nats.io/using-nats/developer/connecting/creds
	text := "-----BEGIN NATS USER JWT-----\ne30.e30.e30\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n" + string(seed) + "\n------END USER NKEY SEED------\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	client := queue.NewClient(queue.Options{Credentials: func() (queue.Credentials, error) { return queue.Read(file, s.ClientURL(), "desk") },
		IsOpen: func(context.Context, string, int) bool { return true }, Log: quiet})
	worker := &queue.Worker{Credentials: queue.Credentials{URLs: []string{s.ClientURL()}, Name: "box"}, Lanes: []string{writer}, Log: quiet,
		Answer: func(context.Context, agent.Task) (agent.Reply, error) { return agent.Reply{Text: "an answer"}, nil }}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	all.Go(func() { client.Run(ctx) })
	all.Go(func() { _ = worker.Run(ctx) })
	reply, err := client.Runner(writer).Run(ctx, agent.Task{ID: "d1", Role: "Writer", Text: "What is it?"})
	if err != nil || reply.Text != "an answer" {
		t.Errorf("the reply is %+v, %v", reply, err)
	}
	for range 1000 { // the list of those who are there comes after the first word
		if list, err := queue.Workers(ctx, queue.Credentials{URLs: []string{s.ClientURL()}, Name: "other"}); err == nil && len(list) == 1 && list[0].Name == "box" {
			return
		}
		<-time.After(10 * time.Millisecond)
	}
	t.Error("the worker is not on the list")
}
