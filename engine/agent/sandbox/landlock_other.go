//go:build !linux

package sandbox

import "errors"

var errNoLandlock = errors.New("this system has no Landlock")

func findSupport() error { return errNoLandlock }

func (r rules) enforce() error { return errNoLandlock }

func replaceProcess(string, []string) error { return errNoLandlock }
