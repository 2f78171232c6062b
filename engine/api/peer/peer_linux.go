package peer

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"os"

	"golang.org/x/sys/unix"
)

const socketsKnown = true

// Sizes and offsets of linux/inet_diag.h: a request is a netlink header and an
// inet_diag_req_v2, an answer a header and an inet_diag_msg.
const (
	requestSize = unix.SizeofNlMsghdr + 56
	idOffset    = 4 // of the socket's ports and addresses in inet_diag_msg
	uidOffset   = 64
	inodeOffset = 68
	messageSize = 72
	oneSocket   = 20 // SOCK_DIAG_BY_FAMILY
)

// lookUpSocket asks the kernel about the one socket with these two ends; with
// no remote end, about the socket that listens there.
func lookUpSocket(local, remote netip.AddrPort) (socket, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return socket{}, fmt.Errorf("open a sock_diag socket: %w", err)
	}
	defer unix.Close(fd)
	// The kernel answers at once; if it ever does not, the wait is limited.
	soon := unix.Timeval{Usec: 200_000}
	if err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &soon); err != nil {
		return socket{}, fmt.Errorf("limit the wait for sock_diag: %w", err)
	}
	request, err := diagRequest(local, remote)
	if err != nil {
		return socket{}, err
	}
	if err := unix.Sendto(fd, request, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return socket{}, fmt.Errorf("ask sock_diag: %w", err)
	}
	answer := make([]byte, 4096)
	n, _, err := unix.Recvfrom(fd, answer, 0)
	if err != nil {
		return socket{}, fmt.Errorf("hear from sock_diag: %w", err)
	}
	return diagAnswer(answer[:n], request)
}

func diagRequest(local, remote netip.AddrPort) ([]byte, error) {
	if !local.Addr().Is4() || remote.IsValid() && !remote.Addr().Is4() {
		return nil, errors.New("not an IPv4 socket")
	}
	b := make([]byte, requestSize)
	native := binary.NativeEndian
	native.PutUint32(b[0:], requestSize)
	native.PutUint16(b[4:], oneSocket)
	native.PutUint16(b[6:], unix.NLM_F_REQUEST)
	native.PutUint32(b[8:], 1) // sequence
	req := b[unix.SizeofNlMsghdr:]
	req[0], req[1] = unix.AF_INET, unix.IPPROTO_TCP
	native.PutUint32(req[4:], ^uint32(0)) // in any state
	id := req[8:]
	binary.BigEndian.PutUint16(id[0:], local.Port())
	binary.BigEndian.PutUint16(id[2:], remote.Port())
	copy(id[4:20], local.Addr().AsSlice())
	if remote.IsValid() {
		copy(id[20:36], remote.Addr().AsSlice())
	}
	for i := 40; i < 48; i++ {
		id[i] = 0xff // INET_DIAG_NOCOOKIE
	}
	return b, nil
}

// diagAnswer reads the kernel's answer, which must be about the socket that was
// asked for.
func diagAnswer(b, request []byte) (socket, error) {
	native := binary.NativeEndian
	if len(b) < unix.SizeofNlMsghdr+4 {
		return socket{}, errors.New("sock_diag answered too little")
	}
	if kind := native.Uint16(b[4:]); kind == unix.NLMSG_ERROR {
		errno := unix.Errno(-int32(native.Uint32(b[unix.SizeofNlMsghdr:])))
		return socket{}, fmt.Errorf("sock_diag: %w", errno)
	} else if kind != oneSocket || len(b) < unix.SizeofNlMsghdr+messageSize {
		return socket{}, errors.New("sock_diag answered something else")
	}
	msg, asked := b[unix.SizeofNlMsghdr:], request[unix.SizeofNlMsghdr+8:]
	if [2]byte(msg[idOffset:]) != [2]byte(asked) || [2]byte(msg[idOffset+2:]) != [2]byte(asked[2:]) {
		// One that is just being closed is found still, and has lost its port already.
		return socket{}, fmt.Errorf("sock_diag answered about another socket: %w", os.ErrNotExist)
	}
	return socket{uid: int(native.Uint32(msg[uidOffset:])), inode: native.Uint32(msg[inodeOffset:])}, nil
}
