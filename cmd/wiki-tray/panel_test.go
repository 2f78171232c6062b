//go:build desktop && linux

package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A panel of Xfce on a screen that nobody sees, with the tray in its right corner.
const (
	screenWidth, screenHeight = 1000, 600
	panelConfig               = `<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="length" type="uint" value="100"/>
      <property name="size" type="uint" value="36"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="plugin-ids" type="array"><value type="int" value="1"/><value type="int" value="2"/></property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="separator">
      <property name="expand" type="bool" value="true"/><property name="style" type="uint" value="0"/>
    </property>
    <property name="plugin-2" type="string" value="systray"><property name="square-icons" type="bool" value="true"/></property>
  </property>
</channel>
`
)

// screen starts the screen and the panel.
func (s *session) screen() {
	s.t.Helper()
	read, write, err := os.Pipe()
	s.must(err)
	x := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", screenWidth, screenHeight), "-nolisten", "tcp", "-fbdir", s.home)
	x.ExtraFiles = []*os.File{write}
	x.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	s.must(x.Start())
	write.Close()
	s.t.Cleanup(func() { x.Process.Signal(syscall.SIGTERM); x.Wait() })
	number, err := bufio.NewReader(read).ReadString('\n')
	s.must(err)
	s.set("DISPLAY=:"+strings.TrimSpace(number), "XDG_CURRENT_DESKTOP=XFCE", "NO_AT_BRIDGE=1")
	dir := filepath.Join(s.home, ".config/xfce4/xfconf/xfce-perchannel-xml")
	s.must(os.MkdirAll(dir, 0o700))
	s.must(os.WriteFile(filepath.Join(dir, "xfce4-panel.xml"), []byte(panelConfig), 0o600))
	panel := exec.Command("xfce4-panel", "--disable-wm-check")
	panel.Env, panel.Dir = s.env, s.home
	panel.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	s.must(panel.Start())
	s.t.Cleanup(func() { panel.Process.Signal(syscall.SIGTERM); panel.Wait() })
	eventually(s.t, "the panel shows icons", func() bool {
		var there bool
		return s.conn.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, "org.kde.StatusNotifierWatcher").Store(&there) == nil && there
	})
}

// set changes the environment of what is started from now on.
func (s *session) set(variables ...string) { s.env = append(s.env, variables...) }

// look is what is on the screen now: Xvfb keeps it in a file in the format of xwd,
// of which only the numbers that are used here have names.
func (s *session) look() *image.NRGBA {
	s.t.Helper()
	dump, err := os.ReadFile(filepath.Join(s.home, "Xvfb_screen0"))
	s.must(err)
	number := func(i int) int { return int(binary.BigEndian.Uint32(dump[4*i:])) }
	header, width, height, bits, row, colours := number(0), number(4), number(5), number(11), number(12), number(19)
	if width != screenWidth || height != screenHeight || bits != 32 {
		s.t.Fatalf("a screen of %dx%d with %d bits", width, height, bits)
	}
	pixels := dump[header+12*colours:]
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			p := pixels[y*row+4*x:]
			img.SetNRGBA(x, y, color.NRGBA{R: p[2], G: p[1], B: p[0], A: 255})
		}
	}
	return img
}

// shot waits until the icon's colour is in the panel, and keeps the screen.
func (s *session) shot(name string, body color.NRGBA) {
	s.t.Helper()
	var img *image.NRGBA
	eventually(s.t, "the panel shows the icon "+name, func() bool {
		img = s.look()
		return count(img, image.Rect(screenWidth-60, 0, screenWidth, 40), body) > 40
	})
	s.keep(name, img)
}

func (s *session) keep(name string, img *image.NRGBA) {
	s.t.Helper()
	f, err := os.Create(filepath.Join(os.Getenv("SHOTS"), name+".png"))
	s.must(err)
	defer f.Close()
	s.must(png.Encode(f, img))
}

// count is how many points of a part of an image have nearly this colour.
func count(img *image.NRGBA, part image.Rectangle, c color.NRGBA) int {
	n := 0
	near := func(a, b uint8) bool { return max(a, b)-min(a, b) < 24 }
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			p := img.NRGBAAt(x, y)
			if near(p.R, c.R) && near(p.G, c.G) && near(p.B, c.B) {
				n++
			}
		}
	}
	return n
}

// crop is a part of an image.
func crop(img *image.NRGBA, part image.Rectangle) *image.NRGBA {
	cut := image.NewNRGBA(part.Sub(part.Min))
	draw.Draw(cut, cut.Bounds(), img, part.Min, draw.Src)
	return cut
}

// still is what is on the screen when that has stopped to change.
func (s *session) still() *image.NRGBA {
	s.t.Helper()
	img, same := s.look(), 0
	eventually(s.t, "the screen is still", func() bool {
		before := img
		img = s.look()
		if same++; !bytes.Equal(before.Pix, img.Pix) {
			same = 0
		}
		return same == 10
	})
	return img
}

// openMenu opens the menu by the mouse; a panel that is still busy misses a click.
func (s *session) openMenu() {
	s.t.Helper()
	open := func() bool { // the menu is a large light area on the black screen
		return count(s.look(), image.Rect(screenWidth-240, 60, screenWidth-20, 240), color.NRGBA{R: 255, G: 255, B: 255}) > 10000
	}
	eventually(s.t, "the menu is open", func() bool {
		if open() {
			return true
		}
		s.xdotool("key", "Escape")
		s.xdotool("mousemove", strconv.Itoa(screenWidth-18), "18", "click", "1")
		for end := time.Now().Add(5 * time.Second); !open() && time.Now().Before(end); {
			time.Sleep(50 * time.Millisecond)
		}
		return open()
	})
}

// keysTo are the keys, as xdotool reads them, from the top of the open menu down to one of its lines.
func (i *icon) keysTo(label string) []string {
	i.s.t.Helper()
	keys := []string{"key"}
	for _, l := range i.lines() {
		if l.parent != "" || l.label == "" || l.hidden || l.disabled {
			continue
		}
		if keys = append(keys, "Down"); l.label == label {
			return keys
		}
	}
	i.s.t.Fatalf("the menu has no line %s: %+v", label, i.lines())
	return nil
}

// xdotool is the hand on mouse and keyboard.
func (s *session) xdotool(args ...string) {
	s.t.Helper()
	cmd := exec.Command("xdotool", args...)
	cmd.Env = s.env
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("xdotool %q: %v, %s", args, err, out)
	}
}

// The five states, and the menu, as people see them. The colours are those of the
// icons.
func TestPanel(t *testing.T) {
	var (
		idle    = color.NRGBA{R: 0x0e, G: 0x8a, B: 0x7d}
		busy    = color.NRGBA{R: 0x2f, G: 0x6f, B: 0xde}
		paused  = color.NRGBA{R: 0xb8, G: 0x6e}
		trouble = color.NRGBA{R: 0xd9, G: 0x36, B: 0x36}
		offline = color.NRGBA{R: 0x7a, G: 0x7f, B: 0x87}
	)
	s := newSession(t)
	s.screen()
	dir := s.vault("Notes")
	hold := filepath.Join(s.home, "hold")
	slow := filepath.Join(s.home, "slow")
	s.must(os.WriteFile(slow, []byte("#!/bin/sh\ncat >/dev/null\nwhile [ -e '"+hold+"' ]; do sleep 0.1; done\necho done\n"), 0o700))
	s.must(os.WriteFile(hold, nil, 0o600))
	port := freePort(t)
	s.configure("wiki:\n  httpPort: " + strconv.Itoa(port) + "\n  settle: 0s\n  debounce: 100ms\n  vaults: [" + dir + ", " + s.vault("my_notes_2026") + "]\n" +
		"  agents:\n    Miner: {runner: builtin}\n    Slow: {runner: command, command: [" + slow + "]}\n")
	_, icon := s.tray()
	icon.shows("The engine is not running", nil)
	s.shot("offline", offline)

	engine := s.start("wiki", "run")
	icon.shows("Watching 2 vaults", nil)
	s.shot("idle", idle)

	note := func(name, text string) {
		t.Helper()
		s.must(os.WriteFile(filepath.Join(dir, name), []byte(text+"\n"), 0o600))
	}
	note("Today.md", "> @agent-Miner what did we decide about the server?")
	icon.shows("✓ Today: what did we decide about the server?", nil)
	note("Plans.md", "> @agent-Slow what comes next?")
	s.shot("busy", busy)

	s.openMenu()
	s.keep("menu", s.still())
	s.xdotool(append(icon.keysTo("Watch vaults"), "Return")...)
	eventually(t, "the click has reached the engine", func() bool {
		st, err := s.status()
		return err == nil && !st.Watcher.Running
	})

	s.must(os.Remove(hold)) // an agent at work shows also where nothing is watched
	s.shot("paused", paused)
	icon.click("Watch again")
	icon.shows("✓ Plans: what comes next?", nil)
	s.shot("idle-again", idle)

	// Two questions and one reply that answers neither.
	note("Broken.md", "> @agent-Slow where?\n> @agent-Slow when?")
	icon.shows("Watching 2 vaults – 1 unanswered", nil)
	s.shot("failed", trouble)
	s.openMenu()
	s.xdotool(append(icon.keysTo("Recent"), "Right")...) // to its notes
	s.keep("recent", crop(s.still(), image.Rect(screenWidth-660, 0, screenWidth, 380)))
	s.xdotool("key", "Escape", "Escape")

	s.must(engine.Process.Kill())
	s.shot("offline-again", offline)
	eventually(t, "a stranger takes the port", func() bool {
		ln, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			return false
		}
		t.Cleanup(func() { ln.Close() })
		go http.Serve(ln, http.NotFoundHandler()) // ends with its listener
		return true
	})
	icon.shows("Another program has the engine's port", nil)
	s.shot("error", trouble)
	tooltip := func() bool {
		return count(s.look(), image.Rect(screenWidth-190, 50, screenWidth, 100), color.NRGBA{R: 255, G: 255, B: 255}) > 100
	}
	eventually(t, "the tooltip is shown", func() bool { // a panel that is still busy misses the mouse
		s.xdotool("mousemove", "18", "300", "mousemove", strconv.Itoa(screenWidth-18), "18")
		for end := time.Now().Add(5 * time.Second); !tooltip() && time.Now().Before(end); {
			time.Sleep(50 * time.Millisecond)
		}
		return tooltip()
	})
	s.keep("tooltip", s.still())
}
