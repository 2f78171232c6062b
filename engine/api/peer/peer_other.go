//go:build !linux

package peer

import (
	"errors"
	"net/netip"
)

const socketsKnown = false

func lookUpSocket(_, _ netip.AddrPort) (socket, error) {
	return socket{}, errors.ErrUnsupported
}
