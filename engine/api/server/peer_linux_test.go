package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/peer"
	"vaultdispatcher/engine/api/testdata/apitest"
	"vaultdispatcher/engine/testdata/testmain"
)

// asOther is set in a child process that acts as another user; see TestMain.
const asOther = "VAULT_DISPATCHER_TEST_AS_OTHER"

func TestMain(m *testing.M) {
	if port, verb, ok := strings.Cut(os.Getenv(asOther), " "); ok {
		actAsOther(port, verb)
		return
	}
	os.Exit(testmain.Run(m))
}

// actAsOther is the child's whole life: ask for scans and print the answers, or
// ask and be gone at once, or listen and let the parent come.
func actAsOther(port, verb string) {
	if verb == "listen" {
		ln, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(ln.Addr().(*net.TCPAddr).Port)
		io.ReadAll(os.Stdin)
		return
	}
	if verb == "crowd" {
		crowdAsOther(port)
		return
	}
	for range 20 {
		askAsOther(port, verb)
	}
}

// crowdAsOther keeps 1,000 half-open connections until standard input ends, each opened
// anew when it is closed.
func crowdAsOther(port string) {
	const crowd = 1000
	var begun sync.WaitGroup
	for range crowd {
		begun.Add(1)
		go func() {
			for first := true; ; first = false {
				conn, err := net.Dial("tcp4", "127.0.0.1:"+port)
				if err == nil {
					io.WriteString(conn, "GET /vault-mind/status HTTP/1.1\r\n")
				}
				if first {
					begun.Done()
				}
				if err == nil {
					io.Copy(io.Discard, conn)
					conn.Close()
				}
			}
		}()
	}
	begun.Wait()
	fmt.Println("all are there")
	io.ReadAll(os.Stdin)
}

func askAsOther(port, verb string) {
	conn, err := net.Dial("tcp4", "127.0.0.1:"+port)
	if err != nil {
		fmt.Println(err)
		return
	}
	io.WriteString(conn, strings.ReplaceAll(apitest.Request("POST", "/vault-mind/scan", apitest.AsJSON, `{"file":"note.md"}`), "PORT", port))
	switch verb {
	case "vanish":
		conn.Close()
	case "reset":
		conn.(*net.TCPConn).SetLinger(0)
		conn.Close()
	default:
		conn.(*net.TCPConn).CloseWrite()
		io.Copy(os.Stdout, conn)
	}
}

// child prepares this program to act as another user, if we may choose one.
func child(t *testing.T, port int, verb string) *exec.Cmd {
	t.Helper()
	self, err := os.Open("/proc/self/exe") // the child may not reach the program's folder
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { self.Close() })
	cmd := exec.Command("/proc/self/fd/3")
	cmd.ExtraFiles = []*os.File{self}
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s", asOther, port, verb))
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	return cmd
}

// TestOtherUsersAreRefused connects as user 65534 where we are root, and as
// ourselves, which must be let in, where we are not.
func TestOtherUsersAreRefused(t *testing.T) {
	r := start(t)
	out, err := child(t, r.Port, "ask").Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if os.Geteuid() != 0 {
		if n := strings.Count(string(out), `"groups"`); n != 20 {
			t.Errorf("%d of 20 are answered: %s", n, out)
		}
		t.Skip("root: only it acts as another user; ourselves were let in")
	}
	if refused := r.Refusals.Last(); len(out) > 0 || refused == nil || refused.Code != api.WrongUser {
		t.Errorf("another user reads %q, the status says %+v", out, refused)
	}
}

// TestCrowdOfAnotherUser: 1,000 half-open connections of another user, opened again as
// often as they are closed, keep the owner from nothing. Who is not root has no other user
// to send; TestForeignConnectionsTakeNoRoom has a peer that is said to be one.
func TestCrowdOfAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("root: only it acts as another user")
	}
	r := start(t)
	cmd := child(t, r.Port, "crowd")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	var slowest time.Duration
	for i := range 20 {
		began := time.Now()
		if st, err := client.New(r.Port, "").Status(t.Context()); err != nil || !st.Running {
			t.Errorf("call %d of the owner: %v", i+1, err)
		}
		slowest = max(slowest, time.Since(began))
	}
	t.Logf("count: 20 calls beside 1,000 connections of another user (%q), the slowest in %v", line, slowest)
	if refused := r.Refusals.Last(); refused == nil || refused.Code != api.WrongUser {
		t.Errorf("the status says %+v", refused)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// TestVanishingHidesNobody: a client that closes at once leaves no user behind
// to look up; it must not be taken for root, nor for somebody unknown.
func TestVanishingHidesNobody(t *testing.T) {
	r := start(t)
	for _, verb := range []string{"vanish", "reset"} {
		if out, err := child(t, r.Port, verb).Output(); err != nil || len(out) > 0 {
			t.Fatalf("%v: %s", err, out)
		}
	}
	if err := client.New(r.Port, apitest.Token).Rescan(t.Context()); err != nil { // after all of them
		t.Fatal(err)
	}
	scans := strings.Count(strings.Join(r.backend.Called(), " "), "scan") - 1 // "rescan" counts once
	if os.Geteuid() == 0 && scans > 0 {
		t.Errorf("%d scans of a user who had gone", scans)
	}
	if n := r.Refusals.Notices(); len(n) > 0 {
		t.Errorf("notices %+v", n)
	}
}

func TestClientRefusesAnotherUsersServer(t *testing.T) {
	cmd := child(t, 0, "listen")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var port int
	_, scanErr := fmt.Fscan(out, &port)
	want := peer.Ours
	if os.Geteuid() == 0 {
		want = peer.Other
	}
	if got := peer.OfListener(port); scanErr != nil || got != want {
		t.Errorf("port %d: %v, want %v, %v", port, got, want, scanErr)
	}
	if os.Geteuid() == 0 {
		if err := client.New(port, apitest.Token).Rescan(t.Context()); err != api.ErrNotOurs {
			t.Errorf("Rescan: %v", err)
		}
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
