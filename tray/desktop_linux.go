package tray

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"log/slog"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"

	"vaultdispatcher/assets"
	"vaultdispatcher/engine/launch"
)

// desktop is the session bus.
type desktop struct {
	bus     *dbus.Conn
	log     *slog.Logger
	targets chan target
}

// target is what a click on a notification opens.
type target struct {
	id   uint32
	link string // empty = the dashboard
}

const (
	watcherName = "org.kde.StatusNotifierWatcher"
	notices     = "org.freedesktop.Notifications"
)

// connectDesktop finds the session bus that is there; it never starts one, which would
// outlive us and have no panel.
func connectDesktop(ctx context.Context, dashboards chan<- string, log *slog.Logger) (*desktop, error) {
	bus, err := dbus.SessionBusPrivateNoAutoStartup()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoDesktop, err)
	}
	if err := greetServer(ctx, bus); err != nil {
		bus.Close()
		return nil, fmt.Errorf("%w: %w", ErrNoDesktop, err)
	}
	d := &desktop{bus: bus, log: log, targets: make(chan target, 16)}
	var there bool
	if bus.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, watcherName).Store(&there) == nil && !there {
		log.Warn("this desktop shows no tray icons now; the icon appears when it does",
			"hint", "GNOME needs the extension AppIndicator, bare window managers snixembed or a panel with a tray")
	}
	if err := bus.AddMatchSignal(dbus.WithMatchInterface(notices)); err != nil {
		log.Warn("hear of clicks on notifications", "error", err)
	}
	signals := make(chan *dbus.Signal, 16)
	bus.Signal(signals)
	go d.followSignals(ctx, signals, dashboards)
	return d, nil
}

// greeting is how long a session bus has to say who we are to it.
const greeting = 15 * time.Second

// greetServer introduces us to the bus, unless it is silent for too long or ctx ends.
func greetServer(ctx context.Context, bus *dbus.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, greeting)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { bus.Close() })
	err := bus.Auth(nil)
	if err == nil {
		err = bus.Hello()
	}
	if !stop() {
		return fmt.Errorf("the session bus does not answer: %w", ctx.Err())
	}
	return err
}

func (d *desktop) close() { d.bus.Close() }

// sessionEnded is closed when the session has ended.
func (d *desktop) sessionEnded() <-chan struct{} { return d.bus.Context().Done() }

// followSignals opens what clicks on notifications ask for.
func (d *desktop) followSignals(ctx context.Context, signals <-chan *dbus.Signal, dashboards chan<- string) {
	var shown []target
	for {
		select {
		case <-ctx.Done():
			return
		case t := <-d.targets:
			shown = append(shown[max(0, len(shown)-20):], t)
		case s := <-signals:
			if s == nil {
				return
			}
			if s.Name != notices+".ActionInvoked" || len(s.Body) != 2 {
				continue
			}
			d.openTarget(ctx, shown, s.Body[0], dashboards)
		}
	}
}

// openTarget opens what the last notification of an ID was about: a service that was
// started again has counted from the beginning.
func (d *desktop) openTarget(ctx context.Context, shown []target, id any, dashboards chan<- string) {
	for _, t := range slices.Backward(shown) {
		if t.id != id {
			continue
		}
		if t.link == "" {
			dashboards <- "dashboard"
		} else if err := openNote(ctx, t.link); err != nil {
			d.log.Warn("open the note of a notification", "error", err)
		}
		return
	}
}

// markup makes text of what would be markup
// (https://specifications.freedesktop.org/notification-spec/latest/markup.html). GNOME knows no entities by number and
// shows them as they are written; so quotes, which need none, stay.
var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// showing is how long a notification service, which may have to be started, is waited for.
const showing = 30 * time.Second

// showNotification shows a bulletin by the desktop's notification service.
func (d *desktop) showNotification(b bulletin, link string) {
	go func() { // a service that hangs must hold up nothing
		ctx, cancel := context.WithTimeout(d.bus.Context(), showing)
		defer cancel()
		body := b.body
		var can []string
		service := d.bus.Object(notices, "/org/freedesktop/Notifications")
		if service.CallWithContext(ctx, notices+".GetCapabilities", 0).Store(&can) == nil && slices.Contains(can, "body-markup") {
			body = markup.Replace(body)
		}
		var id uint32
		err := service.CallWithContext(ctx, notices+".Notify", 0, listNotifyWords(b, body)...).Store(&id)
		if err != nil {
			d.log.Warn("show a notification", "error", err)
			return
		}
		d.targets <- target{id, link}
	}()
}

// menuEntry is the name of the entry in the desktop's menu that the packages install, and of its icon, the logo.
const menuEntry = "vault-dispatcher"

// listNotifyWords are what a notification service is told of a bulletin
// (https://specifications.freedesktop.org/notification-spec/latest/protocol.html).
func listNotifyWords(b bulletin, body string) []any {
	hints := map[string]dbus.Variant{"desktop-entry": dbus.MakeVariant(menuEntry)}
	if logo, err := pixelsOf(assets.Icon("idle").PNG); err == nil { // programs that no package installed have no icon in the theme
		hints["image-data"] = dbus.MakeVariant(logo)
	}
	return []any{"Vault Dispatcher", uint32(0), menuEntry, b.title, body, []string{"default", "Open"}, hints, int32(-1)}
}

// pixels are a picture as that service reads it, (iiibiiay).
type pixels struct {
	Width, Height, Stride int32
	HasAlpha              bool
	Bits, Channels        int32
	Data                  []byte
}

func pixelsOf(data []byte) (p pixels, err error) {
	decoded, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return p, fmt.Errorf("read the logo: %w", err)
	}
	size := decoded.Bounds()
	flat := image.NewNRGBA(image.Rect(0, 0, size.Dx(), size.Dy()))
	draw.Draw(flat, flat.Bounds(), decoded, size.Min, draw.Src)
	return pixels{int32(size.Dx()), int32(size.Dy()), int32(flat.Stride), true, 8, 4, flat.Pix}, nil
}

// listTerminals are the commands that may show a terminal with a program in it.
func listTerminals(program ...string) []*exec.Cmd {
	in := func(terminal ...string) *exec.Cmd {
		return launch.Command(context.Background(), terminal[0], slices.Concat(terminal[1:], program)...)
	}
	return []*exec.Cmd{
		in("x-terminal-emulator", "-e"), in("gnome-terminal", "--"), in("konsole", "-e"), in("xfce4-terminal", "-x"), in("xterm", "-e"),
	}
}
