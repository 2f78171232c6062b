package doctor

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/patience"
	"vaultdispatcher/engine/syserr"
)

func checkState(_ context.Context, l *look) []Finding {
	info, err := os.Stat(l.State)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the first engine makes it
	}
	if err == nil {
		err = checkUsable(l.State)
	}
	if err = journal.NameFull(err, filepath.Join(l.State, "journal.db")); errors.Is(err, journal.ErrFull) {
		return []Finding{{Code: StateFull, Subject: l.State}}
	}
	if err != nil {
		return []Finding{{Code: StateReadOnly, Subject: l.State, Detail: syserr.Plain(err)}}
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return []Finding{{Code: StateOpen, Subject: l.State,
			fix: func(context.Context) error { return os.Chmod(l.State, 0o700) }}}
	}
	return nil
}

func checkUsable(dir string) error {
	f, err := os.CreateTemp(dir, "doctor-*")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 4096)) // a full disk may still take a name
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// checkToken: a running engine has its token in memory and would go on with it, so
// only without one a new one is made.
func checkToken(_ context.Context, l *look) []Finding {
	file := filepath.Join(l.State, "token")
	_, err := client.LoadToken(file)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return []Finding{{Code: TokenMissing, Subject: file}}
	}
	f := Finding{Code: TokenBad, Subject: file, Detail: syserr.Plain(err)}
	if !l.isRunning() && errors.Is(err, client.ErrToken) {
		f.fix = func(context.Context) error {
			_, err := client.EnsureToken(file)
			return err
		}
	}
	return []Finding{f}
}

func checkService(_ context.Context, l *look) []Finding {
	s := l.service
	switch {
	case l.serviceErr != nil:
		return []Finding{{Code: ServiceUnknown, Detail: l.serviceErr.Error()}}
	case !s.Installed:
		return []Finding{{Code: ServiceNone, Subject: s.Kind}}
	}
	var found []Finding
	if !s.Current {
		found = append(found, Finding{Code: ServiceOld, Subject: s.File, fix: l.Update})
	}
	if !s.AtLogin {
		found = append(found, Finding{Code: ServiceOff, Subject: s.File})
	}
	switch {
	case l.isSilent(): // checkEngine reports it
	case !l.isRunning() && s.Current:
		found = append(found, Finding{Code: ServiceDown, Detail: s.State, fix: l.Start})
	case !l.isRunning():
		found = append(found, Finding{Code: ServiceDown, Detail: s.State})
	case !s.Active:
		found = append(found, Finding{Code: ServiceByHand, Detail: s.State})
	}
	if len(found) == 0 {
		found = []Finding{{Code: ServiceGood, Subject: s.Kind, Detail: s.File}}
	}
	return found
}

// noticeCodes are the codes of those notices that have a next step of their own.
var noticeCodes = map[string]Code{api.NoticeHeld: EngineHeld, api.NoticeUntaken: EngineUntaken, api.NoticePrivate: EngineUntaken}

func checkEngine(_ context.Context, l *look) []Finding {
	switch {
	case errors.Is(l.engineErr, api.ErrNotRunning) || errors.Is(l.engineErr, api.ErrNotOurs):
		return []Finding{{Code: EngineDown}}
	case l.isSilent():
		return []Finding{{Code: EngineSilent}}
	case errors.Is(l.engineErr, ErrOtherState):
		return []Finding{{Code: EngineForeign, Subject: fmt.Sprint(l.status.Port), Detail: l.State}}
	case l.engineErr != nil:
		return []Finding{{Code: EngineRefuses, Detail: l.engineErr.Error()}}
	}
	found := []Finding{{Code: EngineGood, Subject: fmt.Sprint(l.status.Port), Detail: l.status.Version}}
	if l.status.Version != l.Version {
		found = []Finding{{Code: EngineOther, Subject: l.status.Version, Detail: l.Version}}
	}
	for _, n := range l.status.Notices {
		if !n.Dismissed {
			found = append(found, Finding{Code: cmp.Or(noticeCodes[n.Code], EngineNotice), Subject: n.Args["file"], Detail: n.Text})
		}
	}
	return found
}

// checkPort opens the port for a moment. One that our own engine has is no problem.
func checkPort(_ context.Context, l *look) []Finding {
	if l.Problem != nil || l.isRunning() || l.isSilent() {
		return nil
	}
	ln, err := listen.Listen(l.Config.HTTPPort)
	if err == nil {
		ln.Close()
		return nil
	}
	return portFinding(l.Config.HTTPPort, err)
}

// portFinding is what is wrong with a port that cannot be had.
func portFinding(port int, err error) []Finding {
	code := PortTaken
	if taken, ok := errors.AsType[*listen.Taken](err); ok {
		switch {
		case taken.Ours != nil:
			return nil
		case taken.Reserved: // no process holds it, so none could be ended
			code = PortKept
		}
	}
	return []Finding{{Code: code, Subject: fmt.Sprint(port), Detail: syserr.Plain(err)}}
}

// checkServerFiles: note apps find the engine's port there.
func checkServerFiles(_ context.Context, l *look) []Finding {
	found, silent := eachVault(l, patience.DiskTime, l.checkServerFile)
	return append(silent, slices.Concat(found...)...)
}

func (l *look) checkServerFile(v config.Vault) []Finding {
	if info, err := os.Stat(v.Path); err != nil || !info.IsDir() {
		return nil
	}
	port, err := serverPort(v.Path)
	watched := l.isRunning() && l.isWatching(v.Name)
	write := fixOnDisk(v.Path, func() error { return listen.WriteServerFile(v.Path, l.status.Port) })
	switch {
	case errors.Is(err, fs.ErrNotExist) && watched:
		return []Finding{{Code: ServerFileGone, Subject: v.Path, fix: write}}
	case errors.Is(err, fs.ErrNotExist):
	case watched && port != l.status.Port:
		return []Finding{{Code: ServerFileOld, Subject: v.Path, Detail: fmt.Sprint(port), fix: write}}
	case errors.Is(l.engineErr, api.ErrNotRunning) && err == nil && listen.IsFree(port): // the engine of another state folder has a port that is taken
		return []Finding{{Code: ServerFileOld, Subject: v.Path, Detail: fmt.Sprint(port),
			fix: fixOnDisk(v.Path, func() error { return listen.RemoveServerFile(v.Path, port) })}}
	}
	return nil
}

// fixOnDisk mends server.json in a vault, but does not wait for a disk that does not respond.
func fixOnDisk(vault string, mend func() error) func(context.Context) error {
	return func(context.Context) error {
		err, responds := patience.AwaitAct(vault, mend)
		if !responds {
			return fmt.Errorf("the disk of %s does not respond; server.json may still be written there", vault)
		}
		return err
	}
}

func (l *look) isWatching(name string) bool {
	for _, v := range l.status.Vaults {
		if strings.EqualFold(v.Name, name) {
			return v.State == "watching" || v.State == "indexing"
		}
	}
	return false
}

func serverPort(vault string) (int, error) {
	file := filepath.Join(vault, ".vault-mind", "server.json")
	there, err := os.Lstat(file)
	if err != nil {
		return 0, err
	}
	if !there.Mode().IsRegular() {
		return 0, errors.New("not a file of ours") // a pipe would keep us waiting
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	var info struct{ Port int }
	err = json.Unmarshal(text, &info)
	return info.Port, err
}

func checkEmbedding(_ context.Context, l *look) []Finding {
	if e := l.status.Index.Embedding; l.isRunning() && e.LastError != "" {
		return []Finding{{Code: EmbeddingFailing, Subject: e.Model, Detail: e.LastError}}
	}
	return nil
}

// checkSpace: an engine needs room for its journal and for the note it writes.
func checkSpace(_ context.Context, l *look) []Finding {
	found, silent := eachVault(l, patience.DiskTime, func(v config.Vault) []Finding { return l.checkRoom(v.Path) })
	return slices.Concat(l.checkRoom(l.State), slices.Concat(found...), silent)
}

func (l *look) checkRoom(dir string) []Finding {
	const low, none = 200 << 20, 20 << 20
	bytes, err := l.free(dir)
	switch {
	case err != nil: // it is not there, which others tell
	case bytes < none:
		return []Finding{{Code: SpaceNone, Subject: dir, Detail: fmt.Sprintf("%d MB", bytes>>20)}}
	case bytes < low:
		return []Finding{{Code: SpaceLow, Subject: dir, Detail: fmt.Sprintf("%d MB", bytes>>20)}}
	}
	return nil
}
