package peer

import (
	"encoding/binary"
	"errors"
	"net"
	"net/netip"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

func TestOwnConnectionIsOurs(t *testing.T) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	if got := OfListener(ln.Addr().(*net.TCPAddr).Port); got != Ours {
		t.Errorf("listener: %v", got)
	}
	client, err := net.Dial("tcp4", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	served, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer served.Close()
	if got := Of(served.RemoteAddr(), served.LocalAddr()); got != Ours {
		t.Errorf("client: %v", got)
	}
	s, err := lookUpSocket(addrPort(client.LocalAddr()), addrPort(client.RemoteAddr()))
	if err != nil || s.uid != os.Geteuid() || s.inode == 0 {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := lookUpSocket(netip.MustParseAddrPort("[::1]:1"), netip.AddrPort{}); err == nil {
		t.Error("an IPv6 address was looked up")
	}
}

func TestDiagAnswersThatAreNone(t *testing.T) {
	request, err := diagRequest(netip.MustParseAddrPort("127.0.0.1:1"), netip.MustParseAddrPort("127.0.0.1:2"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 15, 19, 20, 60, 88, 4096} {
		if s, err := diagAnswer(make([]byte, n), request); err == nil {
			t.Errorf("%d zero bytes were read as %+v", n, s)
		}
	}
	// A socket that was found while it was being closed has no port any more: nobody is
	// there, which is not the same as somebody of whom the kernel did not say.
	closing := make([]byte, unix.SizeofNlMsghdr+messageSize)
	binary.NativeEndian.PutUint16(closing[4:], oneSocket)
	binary.BigEndian.PutUint16(closing[unix.SizeofNlMsghdr+idOffset+2:], 2)
	if s, err := diagAnswer(closing, request); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("of a socket that is being closed: %+v, %v", s, err)
	}
}

func BenchmarkPeer(b *testing.B) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer ln.Close()
	client, err := net.Dial("tcp4", ln.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	defer client.Close()
	for b.Loop() {
		if Of(client.LocalAddr(), client.RemoteAddr()) != Ours {
			b.Fatal("not ours")
		}
	}
}
