//go:build windows || (darwin && cgo)

package tray

import "fyne.io/systray"

// occupyThread has the panel while loop runs: build makes the menu. It is on the main
// goroutine, which the desktop wants for itself; stop is called if that ends us.
func occupyThread(build, loop, stop func()) {
	ended := make(chan struct{})
	systray.Run(func() {
		build()
		go func() {
			defer systray.Quit()
			defer close(ended)
			loop()
		}()
	}, func() {
		stop()
		<-ended
	})
}
