package tray

import (
	"fmt"
	"runtime"

	"fyne.io/systray"

	"vaultdispatcher/assets"
)

// occupyThread has the panel while loop runs: build makes the menu. systray reports that it is connected only if its
// caller starts and ends it.
func occupyThread(build, loop, _ func()) {
	built := make(chan struct{})
	systray.SetTitle("Vault Dispatcher") // by which a panel knows it again next time
	_ = setIcon(View{}.Icon())           // before there is a connection it cannot fail
	start, end := systray.RunWithExternalLoop(func() {
		defer close(built)
		build()
	}, nil)
	start()
	<-built
	loop()
	releaseThread(end)
}

// releaseThread gives the panel back. systray closes its connection without a look whether
// it ever had one.
func releaseThread(end func()) {
	defer func() { _ = recover() }()
	end()
}

// setIcon shows an icon by its name. It fails when the session bus has gone: systray
// panics with the error of its connection then.
func setIcon(name string) (err error) {
	defer func() {
		switch said := recover().(type) {
		case nil:
		case runtime.Error:
			panic(said)
		case error:
			err = fmt.Errorf("show the icon: %w", said)
		default:
			panic(said)
		}
	}()
	systray.SetIcon(assets.Icon(name).PNG)
	return nil
}
