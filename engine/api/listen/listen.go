// Package listen opens the port of the engine and leaves its number where clients
// look: the port file of the state folder, and server.json in each vault. [Listen] opens
// a port of 127.0.0.1, or says who has it.
package listen

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/peer"
)

// Taken says that a port cannot be opened, and which program has it, if that is known.
type Taken struct {
	Port     int
	PID      int         // of the program that listens there; 0 = not known
	Owner    string      // its name and process id; empty = not known
	Ours     *api.Status // the answer of an engine of ours there; nil = another program
	Reserved bool        // no program has it: the system reserves it
}

func (p *Taken) Error() string {
	switch {
	case p.Ours != nil:
		return fmt.Sprintf("port %d is taken by a running engine (pid %d)", p.Port, p.Ours.PID)
	case p.Owner != "":
		return fmt.Sprintf("port %d is taken by %s", p.Port, p.Owner)
	case p.Reserved:
		return fmt.Sprintf("port %d is kept by the system", p.Port)
	}
	return fmt.Sprintf("port %d is taken by another program", p.Port)
}

// Listen opens a port of 127.0.0.1, and of no other address, for us alone. Port
// 0 is a free one. The error for a port that others have is a [*Taken].
func Listen(port int) (net.Listener, error) {
	if port < 0 || port > 65535 {
		return nil, fmt.Errorf("listen on port %d: there are only ports from 1 to 65535", port)
	}
	ln, err := openPort(port)
	if err != nil {
		return nil, explainFailure(port, err)
	}
	return ln, nil
}

// IsFree reports whether a port can be had now.
func IsFree(port int) bool {
	ln, err := openPort(port)
	return err == nil && ln.Close() == nil
}

func openPort(port int) (net.Listener, error) {
	config := net.ListenConfig{Control: setExclusive}
	return config.Listen(context.Background(), "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
}

// explainFailure says what a failure to open a port means. Windows reserves ranges of
// ports, such as for Hyper-V, in which no program listens.
func explainFailure(port int, err error) error {
	if !isInUse(err) && !isForbidden(err) {
		return fmt.Errorf("listen on port %d: %w", port, err)
	}
	taken := findOwner(port)
	taken.Reserved = isForbidden(err) && taken.PID == 0 && taken.Owner == "" && taken.Ours == nil
	return taken
}

// probeTime limits how long we wait for a port's owner to identify itself. An engine of
// ours that is mistaken for another program makes the one that asks end for good.
const probeTime = 5 * time.Second

// findOwner asks the system and then the port itself which program has it.
func findOwner(port int) *Taken {
	taken := &Taken{Port: port}
	taken.PID, taken.Owner = peer.Owner(netip.AddrPortFrom(peer.Loopback, uint16(port)))
	client := client.New(port, "")
	ctx, cancel := context.WithTimeout(context.Background(), probeTime)
	defer cancel()
	ping, err := client.Ping(ctx)
	var refused *api.StatusError
	switch {
	case err == nil:
		taken.Ours = &api.Status{PID: ping.PID, Port: port}
	case errors.As(err, &refused): // an engine of ours that is stopping, or of an earlier version
		taken.Ours = &api.Status{PID: taken.PID, Port: port}
	}
	if status, err := client.Status(ctx); err == nil {
		taken.Ours = &status
	}
	return taken
}
