// Package hub is the server of the queue: NATS with JetStream, in this process. Only the program wiki-hub holds it.
//
//	h, err := hub.Open(folder)                      // with its keyring
//	err = h.Run(ctx, "127.0.0.1:11437", log, ready) // until ctx ends
//
// # Promises
//
// Every connection is TLS 1.3 under an authority of the hub's own, and comes with a key of its own
// (NKeys): a worker can take tasks of its lanes and give results, an engine can use the queue, and a
// token can be exchanged once within its time. A worker can read no tasks of other lanes and no
// results, and can do nothing to tasks that it was not given: it publishes to no subject that
// JetStream hears, but to a [queue.Gate] in this process. The connections of a removed key end within
// seconds. An acknowledged message is on the disk: JetStream's own rule, two minutes
// (https://jepsen.io/analyses/nats-2.12.1), is not ours.
//
// The folder of the queue, "queue", may be deleted whenever no hub runs: the engines publish again what
// they still want.
package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/queue"
	"vaultdispatcher/engine/queue/keyring"
)

// Hub serves the queue of a keyring. It implements [server.Authentication].
type Hub struct {
	*keyring.Ring
	engineFile string // credentials of this user's own engine
	processKey string // key of this process alone; it may do everything

	mu          sync.Mutex             // guards the field below
	connections map[uint64]keyring.Key // by their number
}

// Open is [keyring.Open], for a hub that can run.
func Open(state string) (*Hub, error) {
	ring, err := keyring.Open(state)
	return &Hub{Ring: ring, engineFile: queue.EngineFile(state), connections: make(map[uint64]keyring.Key)}, err
}

// startTime is how long the server may take to begin.
const startTime = 20 * time.Second

// Run serves until ctx ends. ready, if there is one, is called with the address when it listens.
func (h *Hub) Run(ctx context.Context, listen string, log *slog.Logger, ready func(net.Addr)) error {
	lock, err := files.TakeLock(filepath.Join(h.Folder, "lock"))
	if err != nil {
		return fmt.Errorf("another hub uses %s: %w", h.Folder, err)
	}
	defer lock.Close()
	s, own, err := h.startServer(listen)
	if err != nil {
		return err
	}
	defer s.WaitForShutdown()
	defer s.Shutdown()
	conn, err := nats.Connect("", nats.InProcessServer(s), own, nats.CustomInboxPrefix(queue.InboxOf(hubName)), nats.Name(hubName),
		nats.Secure(h.ClientTLS()), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		return fmt.Errorf("connect to the hub in this process: %w", err)
	}
	defer conn.Close()
	if err := h.serveJoins(ctx, conn, log); err != nil {
		return err
	}
	gate, err := queue.OpenGate(ctx, conn, "*", queue.Rights{Lanes: h.lanesOf, Engine: h.engineOf})
	if err != nil {
		return fmt.Errorf("let workers ask: %w", err)
	}
	defer gate.Close()
	if err := h.writeEngine(s.Addr()); err != nil {
		return err
	}
	if err := h.KeepAddress(s.Addr()); err != nil {
		return err
	}
	if ready != nil {
		ready(s.Addr())
	}
	again := time.NewTicker(2 * time.Second)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-again.C:
			h.endRevoked(s)
		}
	}
}

// hubName is the name of the hub among its own clients.
const hubName = "hub"

// startServer starts the server, and returns how this process connects to it.
func (h *Hub) startServer(listen string) (*server.Server, nats.Option, error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return nil, nil, err
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return nil, nil, fmt.Errorf("%s is no port", port)
	}
	if number == 0 {
		number = server.RANDOM_PORT
	}
	certificate, err := h.ServerTLS()
	if err != nil {
		return nil, nil, err
	}
	key, err := nkeys.CreateUser() // of this process alone
	if err != nil {
		return nil, nil, err
	}
	h.processKey, _ = key.PublicKey()
	s, err := server.NewServer(&server.Options{
		ServerName: "wiki-hub", Host: host, Port: number, NoSigs: true, NoLog: true, MaxPayload: 8 << 20, MaxPending: 64 << 20,
		JetStream: true, StoreDir: filepath.Join(h.Folder, "queue"), SyncAlways: true,
		JetStreamMaxMemory: 64 << 20, JetStreamMaxStore: 8 << 30,
		TLS: true, TLSConfig: certificate, TLSTimeout: 10, AuthTimeout: 10,
		CustomClientAuthentication: h, AlwaysEnableNonce: true,
	})
	if err != nil {
		return nil, nil, err
	}
	s.Start()
	if !s.ReadyForConnections(startTime) {
		s.Shutdown()
		return nil, nil, fmt.Errorf("the hub cannot listen on %s; is another program there, or another hub", listen)
	}
	return s, nats.Nkey(h.processKey, key.Sign), nil
}

// serveJoins prepares the queue and lets machines join.
func (h *Hub) serveJoins(ctx context.Context, conn *nats.Conn, log *slog.Logger) error {
	js, err := jetstream.New(conn)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	all, err := h.ListKeys()
	if err != nil {
		return err
	}
	var lanes []string
	for _, k := range all {
		lanes = append(lanes, k.Lanes...)
	}
	if err := queue.Prepare(ctx, js, lanes...); err != nil {
		return fmt.Errorf("prepare the queue: %w", err)
	}
	_, err = conn.Subscribe(queue.JoinSubject("*"), func(m *nats.Msg) {
		if !strings.HasPrefix(m.Reply, queue.InboxOf(strings.TrimPrefix(m.Subject, queue.JoinSubject("")))+".") {
			return // the answer would go where the token may not write
		}
		joined := h.letJoin(m, log)
		ctx, cancel := context.WithTimeout(context.Background(), startTime)
		defer cancel()
		if err := queue.Prepare(ctx, js, joined.Lanes...); err != nil {
			log.Warn("prepare the lanes of a worker", "worker", joined.Name, "error", err)
		}
		answer, _ := json.Marshal(joined) // strings
		_ = m.Respond(answer)
	})
	return errors.Join(err, conn.Flush())
}

// writeEngine keeps the credentials for this user's own engine, with the address of now.
func (h *Hub) writeEngine(addr net.Addr) error {
	_, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return err
	}
	url := "tls://" + net.JoinHostPort("127.0.0.1", port)
	if host, _, _ := net.SplitHostPort(addr.String()); host != "" && !net.ParseIP(host).IsUnspecified() {
		url = "tls://" + addr.String()
	}
	c, err := queue.Read(h.engineFile, "", "")
	if err != nil || c.Seed == "" || !h.HasSeed(c.Seed) {
		if c.Seed, c.Name, err = h.AddKey(keyring.Engine, "engine-", nil, time.Time{}); err != nil {
			return err
		}
	}
	c.URLs, c.CA = []string{url}, h.CA()
	return c.Save(h.engineFile)
}
