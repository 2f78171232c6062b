package service

import (
	"fmt"

	"golang.org/x/sys/windows/registry"
)

func (a Applet) addEntry() error {
	if err := dropValue(approvedKey, a.Name); err != nil { // switched off once, and now on again
		return err
	}
	key, _, err := registry.CreateKey(registry.CURRENT_USER, runKey, registry.SET_VALUE)
	if err != nil {
		return fmt.Errorf("open the list of programs started at logon: %w", err)
	}
	defer key.Close()
	return key.SetStringValue(a.Name, commandLine(a.commandWords()))
}

func (a Applet) removeEntry() error {
	if err := dropValue(runKey, a.Name); err != nil {
		return err
	}
	return dropValue(approvedKey, a.Name)
}

func (a Applet) hasEntry() bool {
	key, err := registry.OpenKey(registry.CURRENT_USER, runKey, registry.QUERY_VALUE)
	if err != nil {
		return false
	}
	defer key.Close()
	_, _, err = key.GetStringValue(a.Name)
	return err == nil && !isRefused(a.Name)
}
