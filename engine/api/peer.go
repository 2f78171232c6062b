package api

import (
	"errors"
	"net"
	"net/netip"
	"os"
)

// peer is what is known about the user at the other end of a connection.
type peer int

const (
	peerUntold  peer = iota // not asked for on this system
	peerUnknown             // asked for, but the system did not say
	peerOurs                // our own user, or root
	peerOther               // somebody else
)

// socket is what the system knows about one TCP socket of this machine.
type socket struct {
	uid   int
	inode uint32 // 0: no process holds it any more
}

// peerOf tells who holds the client's end of a connection. A client that has
// already let go of its end counts as somebody else: it does not wait for an
// answer, and closing quickly must not hide who it was.
func peerOf(client, server net.Addr) peer {
	if !socketsKnown {
		return peerUntold
	}
	from, to := addrPort(client), addrPort(server)
	s, err := lookUpSocket(from, to)
	switch {
	case errors.Is(err, os.ErrNotExist) && listenerIs(int(to.Port())) == peerOurs:
		return peerOther // look-ups work here, so the client's end is gone
	case err != nil:
		return peerUnknown
	case s.inode != 0 && (s.uid == os.Geteuid() || s.uid == 0):
		return peerOurs
	}
	return peerOther
}

// listenerIs tells who listens on a port of 127.0.0.1.
func listenerIs(port int) peer {
	if !socketsKnown {
		return peerUntold
	}
	s, err := lookUpSocket(netip.AddrPortFrom(loopback, uint16(port)), netip.AddrPort{})
	switch {
	case err != nil:
		return peerUnknown
	case s.uid == os.Geteuid() || s.uid == 0:
		return peerOurs
	}
	return peerOther
}

var loopback = netip.AddrFrom4([4]byte{127, 0, 0, 1})

func addrPort(a net.Addr) netip.AddrPort {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.AddrPort{}
	}
	ap := tcp.AddrPort()
	return netip.AddrPortFrom(ap.Addr().Unmap(), ap.Port())
}
