//go:build windows || (darwin && cgo)

package tray

import (
	"runtime"

	"fyne.io/systray"

	"vaultdispatcher/assets"
)

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

// setIcon shows an icon by its name. It never fails.
func setIcon(name string) error {
	forms := assets.Icon(name)
	regular := forms.PNG
	if runtime.GOOS == "windows" {
		regular = forms.ICO
	}
	systray.SetTemplateIcon(forms.Template, regular)
	return nil
}
