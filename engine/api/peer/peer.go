// Package peer finds the user at the other end of a TCP connection of this machine.
// Only Linux tells; elsewhere every answer is [Untold].
package peer

import (
	"errors"
	"net"
	"net/netip"
	"os"
)

// Kind is what is known about the user at the other end of a connection.
type Kind int

const (
	Untold  Kind = iota // not asked for on this system
	Unknown             // asked for, but the system did not say
	Ours                // our own user, or root
	Other               // another user
	Gone                // the client has closed its end
)

// socket is what the system knows about one TCP socket of this machine.
type socket struct {
	uid   int
	inode uint32 // 0: no process holds it any more
}

// Of returns who holds the client's end of a connection. A client that has closed its
// end is [Gone], not [Unknown]: it does not wait for an answer, and closing quickly
// must not hide who it was.
func Of(client, server net.Addr) Kind {
	if !socketsKnown {
		return Untold
	}
	from, to := addrPort(client), addrPort(server)
	s, err := lookUpSocket(from, to)
	switch {
	case errors.Is(err, os.ErrNotExist) && OfListener(int(to.Port())) == Ours:
		return Gone // look-ups work here
	case err != nil:
		return Unknown
	case s.inode == 0:
		return Gone
	case s.uid == os.Geteuid() || s.uid == 0:
		return Ours
	}
	return Other
}

// OfListener returns who listens on a port of 127.0.0.1.
func OfListener(port int) Kind {
	if !socketsKnown {
		return Untold
	}
	s, err := lookUpSocket(netip.AddrPortFrom(Loopback, uint16(port)), netip.AddrPort{})
	switch {
	case err != nil:
		return Unknown
	case s.uid == os.Geteuid() || s.uid == 0:
		return Ours
	}
	return Other
}

// Loopback is the address that the engine listens on.
var Loopback = netip.AddrFrom4([4]byte{127, 0, 0, 1})

func addrPort(a net.Addr) netip.AddrPort {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.AddrPort{}
	}
	ap := tcp.AddrPort()
	return netip.AddrPortFrom(ap.Addr().Unmap(), ap.Port())
}
