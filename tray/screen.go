//go:build !darwin || cgo

package tray

import (
	"context"
	"errors"
	"runtime"

	"fyne.io/systray"
)

// panel is the desktop's panel, by way of systray. That library has one icon in
// global variables; so there is one panel.
type panel struct {
	lines   map[string]*systray.MenuItem
	menu    []Item
	icon    string
	tooltip string
	clicked chan string
	lose    func() // ends the panel: the session has gone
}

// showPanel shows the app until its loop ends or the session has gone. Until systray has
// the panel, icon and tooltip that it is told get lost; so the loop begins then.
func showPanel(ctx context.Context, a *app, gone <-chan struct{}) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	p := &panel{
		lines: make(map[string]*systray.MenuItem), clicked: make(chan string, 16),
		lose: func() { end(ErrNoDesktop) },
	}
	go func() {
		select {
		case <-gone:
			p.lose()
		case <-ctx.Done():
		}
	}()
	occupyThread(func() { p.buildMenu(ctx, Menu(View{})) }, func() {
		defer end(nil)
		a.followEvents(ctx, p)
	}, func() { end(nil) })
	if errors.Is(context.Cause(ctx), ErrNoDesktop) {
		return ErrNoDesktop
	}
	return nil
}

// buildMenu makes all lines there will ever be, and the goroutines that take their clicks: systray drops a click
// without a receiver.
func (p *panel) buildMenu(ctx context.Context, menu []Item) {
	p.menu = menu
	for _, item := range menu {
		if item.Divider {
			systray.AddSeparator()
			continue
		}
		line := newLine(item, nil)
		p.addItem(ctx, item, line)
		for _, sub := range item.Sub {
			if sub.Divider {
				line.AddSeparator()
				continue
			}
			p.addItem(ctx, sub, newLine(sub, line))
		}
	}
	go p.forwardClicks(ctx, systray.TrayOpenedCh, "")
}

func newLine(item Item, parent *systray.MenuItem) *systray.MenuItem {
	text := menuLabel(runtime.GOOS, item.Label)
	switch {
	case parent == nil && item.Checkbox:
		return systray.AddMenuItemCheckbox(text, "", item.Checked)
	case parent == nil:
		return systray.AddMenuItem(text, "")
	case item.Checkbox:
		return parent.AddSubMenuItemCheckbox(text, "", item.Checked)
	}
	return parent.AddSubMenuItem(text, "")
}

func (p *panel) addItem(ctx context.Context, item Item, line *systray.MenuItem) {
	p.lines[item.ID] = line
	if item.Disabled {
		line.Disable()
	}
	if item.Hidden {
		line.Hide()
	}
	if item.Sub == nil {
		go p.forwardClicks(ctx, line.ClickedCh, item.ID)
	}
}

// forwardClicks hands the clicks of a line on.
func (p *panel) forwardClicks(ctx context.Context, from <-chan struct{}, id string) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-from:
		}
		select {
		case <-ctx.Done():
			return
		case p.clicked <- id:
		}
	}
}

func (p *panel) clicks() <-chan string { return p.clicked }

// showState changes what differs.
func (p *panel) showState(icon, tooltip string, menu []Item) {
	if icon != p.icon {
		if err := setIcon(icon); err != nil {
			p.lose()
			return
		}
	}
	if tooltip != p.tooltip {
		systray.SetTooltip(tooltipText(runtime.GOOS, tooltip))
	}
	for _, e := range compareMenus(p.menu, menu) {
		p.editItem(e)
	}
	p.icon, p.tooltip, p.menu = icon, tooltip, menu
}

func (p *panel) editItem(e edit) {
	line := p.lines[e.item.ID]
	if e.disappears {
		line.Hide()
		return
	}
	if e.label {
		line.SetTitle(menuLabel(runtime.GOOS, e.item.Label))
	}
	if e.check && e.item.Checked {
		line.Check()
	} else if e.check {
		line.Uncheck()
	}
	if e.able && e.item.Disabled {
		line.Disable()
	} else if e.able {
		line.Enable()
	}
	if e.appears {
		line.Show()
	}
}
