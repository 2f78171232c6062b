package tray

import (
	"fyne.io/systray"

	"vaultdispatcher/assets"
)

// occupyThread has the panel while loop runs: build makes the menu. systray tells nobody
// when it is connected, unless it is started and ended by its caller.
func occupyThread(build, loop, _ func()) {
	built := make(chan struct{})
	systray.SetTitle("Vault Dispatcher") // by which a panel knows it again next time
	systray.SetIcon(assets.Icon(View{}.Icon()).PNG)
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
