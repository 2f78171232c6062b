package desktop

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/patience"
	"vaultdispatcher/installer/doctor"
)

// What the session bus says is told, and one that is not there is no desktop.
func TestFindPanel(t *testing.T) {
	patience.Raise(time.Minute)
	defer patience.Raise(0)
	for want, serve := range map[doctor.Panel]func(net.Conn){
		doctor.Icons:     func(c net.Conn) { beBus(c, true) },
		doctor.NoIcons:   func(c net.Conn) { beBus(c, false) },
		doctor.NoSession: func(c net.Conn) { c.Close() },
	} {
		ln, err := net.Listen("unix", filepath.Join(t.TempDir(), "bus"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { ln.Close() })
		go func() {
			if c, err := ln.Accept(); err == nil {
				serve(c)
			}
		}()
		t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+ln.Addr().String())
		if got := FindPanel(t.Context()); got != want {
			t.Errorf("panel %v, want %v", got, want)
		}
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none"))
	if got := FindPanel(t.Context()); got != doctor.NoSession {
		t.Errorf("panel %v without a bus", got)
	}
}

// beBus is a message bus as far as it is needed here: it lets everybody in, and says
// of every name whether it has an owner.
func beBus(c net.Conn, owned bool) {
	defer c.Close()
	in := bufio.NewReader(c)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		switch line = strings.TrimSpace(strings.TrimLeft(line, "\x00")); {
		case line == "AUTH":
			io.WriteString(c, "REJECTED EXTERNAL\r\n")
		case strings.HasPrefix(line, "AUTH EXTERNAL"):
			io.WriteString(c, "OK 0123456789abcdef0123456789abcdef\r\n")
		case line == "BEGIN":
			answerCalls(c, in, owned)
			return
		default:
			io.WriteString(c, "ERROR\r\n")
		}
	}
}

// answerCalls answers the greeting with a name, and all else with a boolean.
func answerCalls(out io.Writer, in io.Reader, owned bool) {
	for {
		head := make([]byte, 16)
		if _, err := io.ReadFull(in, head); err != nil {
			return
		}
		body, serial, fields := binary.LittleEndian.Uint32(head[4:]), head[8:12], binary.LittleEndian.Uint32(head[12:])
		rest := make([]byte, (fields+7)/8*8+body)
		if _, err := io.ReadFull(in, rest); err != nil {
			return
		}
		kind, value := byte('b'), []byte{0, 0, 0, 0}
		if owned {
			value[0] = 1
		}
		if strings.Contains(string(rest), "Hello") {
			kind, value = 's', []byte("\x04\x00\x00\x00:1.1\x00")
		}
		answer := append([]byte{'l', 2, 1, 1, byte(len(value)), 0, 0, 0, 1, 0, 0, 0, 15, 0, 0, 0}, // a reply with 15 bytes of fields
			5, 1, 'u', 0) // the serial it is for
		answer = append(answer, serial...)
		answer = append(answer, 8, 1, 'g', 0, 1, kind, 0, 0) // its signature
		if _, err := out.Write(append(answer, value...)); err != nil {
			return
		}
	}
}
