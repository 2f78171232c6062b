// Package hub is the server of the queue: NATS with JetStream, in this process.
//
//	h, err := hub.Open(folder)                 // its authority, its keys
//	err = h.Run(ctx, "127.0.0.1:11437", log)   // until ctx ends
//	token, err := h.NewToken(addresses, lanes) // lets one machine join, also while it runs elsewhere
//
// # Promises
//
// Every connection is TLS 1.3 under an authority of the hub's own, and comes with a key of its own
// (NKeys): a worker can take tasks of its lanes and give results, an engine can use the queue, and a token
// can be exchanged once within its time. A worker can read no tasks of other lanes and no results, and can do nothing
// to tasks that it was not given: it publishes to no subject that JetStream hears, but to a [queue.Gate] in this
// process. A key that is taken away ends its connections within seconds. What the queue has acknowledged is on the
// disk: JetStream's own rule, two minutes (https://jepsen.io/analyses/nats-2.12.1), is not ours.
//
// The folder of the queue, "queue", may be deleted whenever no hub runs: the engines publish again what
// they still want.
package hub

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/queue"
)

// Usual is where a hub listens that nobody has given a place.
const Usual = "127.0.0.1:11437"

// Hub is the authority and the keys of a queue.
type Hub struct {
	folder     string
	engineFile string // what opens the hub for this user's own engine
	keys       *keys
	ca         authority
}

// Open reads what a state folder has of a hub, and makes what is missing.
func Open(state string) (*Hub, error) {
	folder := queue.HubFolder(state)
	if err := os.MkdirAll(filepath.Join(folder, "keys"), 0o700); err != nil {
		return nil, err
	}
	ca, err := openAuthority(folder)
	if err != nil {
		return nil, fmt.Errorf("the hub's authority: %w", err)
	}
	return &Hub{folder: folder, engineFile: queue.EngineFile(state), keys: &keys{folder: filepath.Join(folder, "keys"), connections: make(map[uint64]Key)}, ca: ca}, nil
}

func (h *Hub) addressFile() string { return filepath.Join(h.folder, "address") }

// Address is where the hub listened last, "" if it never did.
func (h *Hub) Address() string {
	text, _ := os.ReadFile(h.addressFile()) // none is said
	return string(text)
}

// startTime is how long the server may take to begin.
const startTime = 20 * time.Second

// Run serves until ctx ends. ready, if there is one, is called with the address when it listens.
func (h *Hub) Run(ctx context.Context, listen string, log *slog.Logger, ready func(net.Addr)) error {
	lock, err := files.TakeLock(filepath.Join(h.folder, "lock"))
	if err != nil {
		return fmt.Errorf("another hub uses %s: %w", h.folder, err)
	}
	defer lock.Close()
	s, own, err := h.startServer(listen)
	if err != nil {
		return err
	}
	defer s.WaitForShutdown()
	defer s.Shutdown()
	conn, err := nats.Connect("", nats.InProcessServer(s), own, nats.CustomInboxPrefix(queue.InboxOf(hubName)), nats.Name(hubName),
		nats.Secure(h.ca.clientTLS()), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		return fmt.Errorf("connect to the hub in this process: %w", err)
	}
	defer conn.Close()
	if err := h.serveJoins(ctx, conn, log); err != nil {
		return err
	}
	gate, err := queue.OpenGate(ctx, conn, "*", queue.Rights{Lanes: h.keys.lanesOf, Engine: h.keys.engineOf})
	if err != nil {
		return fmt.Errorf("let workers ask: %w", err)
	}
	defer gate.Close()
	if err := h.writeEngine(s.Addr()); err != nil {
		return err
	}
	if err := files.Write(h.addressFile(), []byte(s.Addr().String()), 0o600); err != nil {
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
			h.keys.endRevoked(s)
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
	certificate, err := h.ca.serverTLS()
	if err != nil {
		return nil, nil, err
	}
	key, err := nkeys.CreateUser() // of this process alone
	if err != nil {
		return nil, nil, err
	}
	h.keys.own, _ = key.PublicKey()
	s, err := server.NewServer(&server.Options{
		ServerName: "wiki-hub", Host: host, Port: number, NoSigs: true, NoLog: true, MaxPayload: 8 << 20, MaxPending: 64 << 20,
		JetStream: true, StoreDir: filepath.Join(h.folder, "queue"), SyncAlways: true,
		JetStreamMaxMemory: 64 << 20, JetStreamMaxStore: 8 << 30,
		TLS: true, TLSConfig: certificate, TLSTimeout: 10, AuthTimeout: 10,
		CustomClientAuthentication: h.keys, AlwaysEnableNonce: true,
	})
	if err != nil {
		return nil, nil, err
	}
	s.Start()
	if !s.ReadyForConnections(startTime) {
		s.Shutdown()
		return nil, nil, fmt.Errorf("the hub cannot listen on %s; is another program there, or another hub", listen)
	}
	return s, nats.Nkey(h.keys.own, key.Sign), nil
}

// serveJoins prepares the queue and lets machines join.
func (h *Hub) serveJoins(ctx context.Context, conn *nats.Conn, log *slog.Logger) error {
	js, err := jetstream.New(conn)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	all, err := h.keys.listKeys()
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
		_ = m.Respond(encodeJSON(joined))
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
	if err != nil || c.Seed == "" || !h.keys.hasSeed(c.Seed) {
		if c.Seed, c.Name, err = h.keys.addKey(Engine, "engine-", nil, time.Time{}); err != nil {
			return err
		}
	}
	c.URLs, c.CA = []string{url}, h.ca.text
	return c.Save(h.engineFile)
}
