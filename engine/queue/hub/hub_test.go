package hub_test

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"vaultdispatcher/engine/queue"
	"vaultdispatcher/engine/queue/hub"
)

// serve runs a hub until the test ends.
func serve(t *testing.T) (h *hub.Hub, state, addr string) {
	t.Helper()
	state = t.TempDir()
	h, err := hub.Open(state)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan net.Addr, 1), make(chan error, 1)
	go func() {
		ended <- h.Run(ctx, "127.0.0.1:0", slog.New(slog.DiscardHandler), func(a net.Addr) { ready <- a })
	}()
	select {
	case a := <-ready:
		addr = a.String()
	case err := <-ended:
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); <-ended })
	return h, state, addr
}

func join(t *testing.T, h *hub.Hub, addr, name string, lanes ...string) queue.Credentials {
	t.Helper()
	token, err := h.NewToken([]string{addr}, lanes)
	if err != nil {
		t.Fatal(err)
	}
	c, err := queue.Join(token, name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// come connects with a key and collects what the server refuses.
func come(t *testing.T, c queue.Credentials, seed string) (*nats.Conn, chan error, error) {
	t.Helper()
	key, err := nkeys.FromSeed([]byte(seed))
	if err != nil {
		t.Fatal(err)
	}
	public, _ := key.PublicKey()
	refused := make(chan error, 100)
	conn, err := nats.Connect(c.URLs[0], nats.Nkey(public, key.Sign), nats.CustomInboxPrefix(queue.InboxOf(c.Name)), nats.NoReconnect(),
		nats.Secure(&tls.Config{InsecureSkipVerify: true}), //nolint:gosec // who comes is what is tried
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err }))
	if err == nil {
		t.Cleanup(conn.Close)
	}
	return conn, refused, err
}

// TestSubjectsOfAWorker tries with a worker's key the subjects that are not a worker's. What it could reach by a
// reply subject is tried in TestHostileWorker.
func TestSubjectsOfAWorker(t *testing.T) {
	h, _, addr := serve(t)
	c := join(t, h, addr, "box", queue.RoleLane("Writer"))
	conn, refused, err := come(t, c, c.Seed)
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, subject := range []string{
		"wiki.work.other.here", "wiki.work.other.take.role-writer", "wiki.result.engine.d1.0-00", "wiki.say.engine.d1.0-00", "$KV.wiki_workers.box",
		"$JS.API.CONSUMER.MSG.NEXT.WIKI_TASKS.role-writer", "$JS.ACK.WIKI_TASKS.role-writer.1.1.1.1.0",
		"wiki.task.role-writer.engine.d1.0-00", "wiki.task.role-other.engine.d1.0-00", "wiki.cancel.d1.0-00", "wiki.drain.other", "wiki.join.UABC",
		"$KV.wiki_workers.other", "$JS.API.STREAM.INFO.WIKI_TASKS", "$JS.API.STREAM.LIST", "$JS.API.STREAM.DELETE.WIKI_TASKS",
		"$JS.API.STREAM.PURGE.WIKI_RESULTS", "$JS.API.STREAM.MSG.GET.WIKI_TASKS", "$JS.API.STREAM.MSG.GET.WIKI_RESULTS",
		"$JS.API.DIRECT.GET.WIKI_TASKS", "$JS.API.CONSUMER.CREATE.WIKI_TASKS", "$JS.API.CONSUMER.CREATE.WIKI_TASKS.x.wiki.task.>",
		"$JS.API.CONSUMER.DURABLE.CREATE.WIKI_TASKS.x", "$JS.API.CONSUMER.MSG.NEXT.WIKI_TASKS.role-other", "$JS.API.CONSUMER.INFO.WIKI_TASKS.role-other",
		"$JS.API.CONSUMER.MSG.NEXT.WIKI_RESULTS.engine-x", "$JS.API.CONSUMER.DELETE.WIKI_TASKS.role-writer", "$JS.API.STREAM.CREATE.OWN",
		"$JS.API.ACCOUNT.PURGE.x", "$JS.API.INFO", "$JS.ACK.WIKI_TASKS.role-other.1.1.1.1.0", "$JS.ACK.WIKI_RESULTS.engine-x.1.1.1.1.0",
		"$SYS.REQ.SERVER.PING", "anything", "_INBOX_hub.x", "_INBOX_engine-x.y",
	} {
		tried++
		if err := conn.Publish(subject, []byte("x")); err != nil {
			t.Fatal(err)
		}
		if err := <-refused; !errors.Is(err, nats.ErrPermissionViolation) {
			t.Errorf("%s is refused by %v", subject, err)
		}
	}
	for _, subject := range []string{
		">", "*.>", "wiki.>", "wiki.task.>", "wiki.result.>", "wiki.say.>", "wiki.join.>", "wiki.drain.>", "wiki.drain.other", "wiki.cancel.>", "wiki.cancel.other.>", "$JS.>", "$JS.API.>",
		"$JS.EVENT.>", "$KV.>", "$KV.wiki_workers.>", "$SYS.>", "_INBOX.>", "_INBOX_hub.>", "_INBOX_engine.>", "_INBOX_*.>", "anything",
	} {
		tried++
		if _, err := conn.Subscribe(subject, func(*nats.Msg) {}); err != nil {
			t.Fatal(err)
		}
		if err := <-refused; !errors.Is(err, nats.ErrPermissionViolation) {
			t.Errorf("a subscription to %s is refused by %v", subject, err)
		}
	}
	t.Logf("%d tries, each refused", tried)
}

// TestWrongKeys comes with keys that nobody has let in.
func TestWrongKeys(t *testing.T) {
	h, state, addr := serve(t)
	good := join(t, h, addr, "box")
	for range 20 {
		stranger, err := nkeys.CreateUser()
		if err != nil {
			t.Fatal(err)
		}
		seed, _ := stranger.Seed()
		if _, _, err := come(t, good, string(seed)); !errors.Is(err, nats.ErrAuthorization) {
			t.Errorf("a stranger's key: %v", err)
		}
	}
	if _, err := nats.Connect(good.URLs[0], nats.Secure(&tls.Config{InsecureSkipVerify: true})); !errors.Is(err, nats.ErrAuthorization) { //nolint:gosec // as above
		t.Errorf("no key: %v", err)
	}
	if _, err := nats.Connect(good.URLs[0], nats.UserInfo("hub", "hub"), nats.Secure(&tls.Config{InsecureSkipVerify: true})); !errors.Is(err, nats.ErrAuthorization) { //nolint:gosec // as above
		t.Errorf("a name and a password: %v", err)
	}
	if _, err := queue.Read(queue.EngineFile(state), "", ""); err != nil {
		t.Errorf("the engine has no key: %v", err)
	}
}

func TestTokenIsGoodOnce(t *testing.T) {
	h, _, addr := serve(t)
	token, err := h.NewToken([]string{addr}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := queue.Join(token, "first"); err != nil {
		t.Fatal(err)
	}
	if c, err := queue.Join(token, "second"); err == nil {
		t.Errorf("a used token made %+v", c)
	}
	other, err := h.NewToken([]string{addr}, nil)
	if err != nil {
		t.Fatal(err)
	}
	other.Fingerprint = strings.Repeat("0", 64)
	if _, err := queue.Join(other, "third"); err == nil {
		t.Error("a hub that is not the token's was believed")
	}
}

// TestJoiningIsNotCutOff: the key of a token is taken away before the machine that joins has its
// answer, and that is no reason to hang up.
func TestJoiningIsNotCutOff(t *testing.T) {
	t.Parallel()
	h, _, addr := serve(t)
	token, err := h.NewToken([]string{addr}, nil)
	if err != nil {
		t.Fatal(err)
	}
	joining, _, err := come(t, queue.Credentials{URLs: token.URLs, Name: "joining"}, token.Seed)
	if err != nil {
		t.Fatal(err)
	}
	c, err := queue.Join(token, "box")
	if err != nil {
		t.Fatal(err)
	}
	conn, _, err := come(t, c, c.Seed)
	if err != nil {
		t.Fatal(err)
	}
	closed := make(chan struct{})
	conn.SetClosedHandler(func(*nats.Conn) { close(closed) })
	if err := h.Revoke("box"); err != nil {
		t.Fatal(err)
	}
	<-closed
	if err := joining.FlushTimeout(time.Minute); err != nil {
		t.Errorf("who joins was cut off: %v", err)
	}
}

func TestRevokedKeyEnds(t *testing.T) {
	t.Parallel()
	h, _, addr := serve(t)
	c := join(t, h, addr, "box")
	conn, _, err := come(t, c, c.Seed)
	if err != nil {
		t.Fatal(err)
	}
	closed := make(chan struct{})
	conn.SetClosedHandler(func(*nats.Conn) { close(closed) })
	if err := h.Revoke("box"); err != nil {
		t.Fatal(err)
	}
	select {
	case <-closed:
	case <-time.After(2 * time.Minute):
		t.Fatal("the connection of a revoked key goes on")
	}
	if _, _, err := come(t, c, c.Seed); !errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("a revoked key: %v", err)
	}
}

// TestReservedNames: a worker with the name of the hub or of an engine would hear what they are answered.
func TestReservedNames(t *testing.T) {
	h, _, addr := serve(t)
	token, err := h.NewToken([]string{addr}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"hub", "Hub", "engine-x", "token-x"} {
		if c, err := queue.Join(token, name); err == nil {
			t.Fatalf("%s has joined: %+v", name, c)
		}
	}
	if _, err := queue.Join(token, "engines"); err != nil {
		t.Errorf("the token is good for no other name: %v", err)
	}
}
