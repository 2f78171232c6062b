package service

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sys/windows/registry"

	"vaultdispatcher/engine/files"
)

const (
	runKey = `Software\Microsoft\Windows\CurrentVersion\Run`
	// approvedKey is where the settings keep what the user has switched off.
	approvedKey = `Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run`
)

func listBackends(_ context.Context, spec Spec, engine Engine) ([]backend, error) {
	entry := &logon{supervised{spec, engine}}
	own, err := newSCM(spec, engine)
	if err != nil {
		return nil, err
	}
	if spec.Account != nil {
		return []backend{own, entry}, nil
	}
	return []backend{entry, own}, nil
}

// logon is an entry that Windows starts when the user logs on. It needs no
// administrator, and the user can switch it off in the settings
// (https://learn.microsoft.com/en-us/windows/win32/setupapi/run-and-runonce-registry-keys).
type logon struct{ supervised }

// registryValue is what Windows starts: the supervisor, out of sight.
func (l *logon) registryValue() string {
	return commandLine(append(l.spec.supervisorCommand(), "--detach"))
}

func (l *logon) add(context.Context) error {
	if err := l.spec.saveSettings(); err != nil {
		return err
	}
	key, _, err := registry.CreateKey(registry.CURRENT_USER, runKey, registry.SET_VALUE)
	if err != nil {
		return fmt.Errorf("open the list of programs started at logon: %w", err)
	}
	defer key.Close()
	return key.SetStringValue(l.spec.Name, l.registryValue())
}

func (l *logon) remove(context.Context) error {
	if err := dropValue(runKey, l.spec.Name); err != nil {
		return err
	}
	return errors.Join(dropValue(approvedKey, l.spec.Name), files.RemoveAll(l.spec.Dir))
}

func (l *logon) withdraw(context.Context) error {
	return errors.Join(dropValue(runKey, l.spec.Name), dropValue(approvedKey, l.spec.Name), l.removeFiles())
}

// dropValue deletes a value; none is as good.
func dropValue(path, name string) error {
	key, err := registry.OpenKey(registry.CURRENT_USER, path, registry.SET_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer key.Close()
	if err := key.DeleteValue(name); err != nil && !errors.Is(err, registry.ErrNotExist) {
		return err
	}
	return nil
}

func (l *logon) start(ctx context.Context) error { return l.startSupervisor(ctx) }

func (l *logon) stop(ctx context.Context) error { return l.endAll(ctx) }

func (l *logon) status(ctx context.Context) (Status, error) {
	st := Status{Kind: "logon"}
	key, err := registry.OpenKey(registry.CURRENT_USER, runKey, registry.QUERY_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		l.findLeftover(ctx, &st)
		return st, nil
	}
	if err != nil {
		return st, err
	}
	defer key.Close()
	value, _, err := key.GetStringValue(l.spec.Name)
	if errors.Is(err, registry.ErrNotExist) {
		l.findLeftover(ctx, &st)
		return st, nil
	}
	if err != nil {
		return st, err
	}
	st.Installed, st.File = true, `HKCU\`+runKey+`\`+l.spec.Name
	st.Path = l.supervisorPath()
	st.Current, st.AtLogin = l.isCurrent() && value == l.registryValue(), !isRefused(l.spec.Name)
	l.judgeStatus(ctx, &st)
	return st, nil
}

// isRefused reports whether the user has switched the entry off. An odd first byte
// says so.
func isRefused(name string) bool {
	key, err := registry.OpenKey(registry.CURRENT_USER, approvedKey, registry.QUERY_VALUE)
	if err != nil {
		return false
	}
	defer key.Close()
	bytes, _, err := key.GetBinaryValue(name)
	return err == nil && len(bytes) > 0 && bytes[0]&1 == 1
}
