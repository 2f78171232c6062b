package vault

import (
	"context"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/untaken"
	"vaultdispatcher/engine/vault/rules"
)

// quietPort is what a vault needs of the rooms around it where nothing is asked.
func quietPort() Port { return Port{Engine: quiet{}, Dispatcher: quiet{}, Writer: quiet{}} }

// quiet is every room around a vault, and does nothing.
type quiet struct{}

func (quiet) ForeseeGroups(context.Context, *Vault, Settled, time.Time) {}

func (quiet) VaultOpened(*Vault)                   {}
func (quiet) AddFacts(*rules.Facts, func() string) {}
func (quiet) KeepUntaken(string, string, []untaken.Row, time.Time) time.Time {
	return time.Time{}
}
func (quiet) Decide(context.Context, Decision) {}
func (quiet) StartGroups(context.Context, *Vault, Settled) ([]journal.Dispatch, error) {
	return nil, nil
}
func (quiet) AddNotice(string, ...any)                     {}
func (quiet) StatusChanged()                               {}
func (quiet) Submit(journal.Dispatch)                      {}
func (quiet) Cancel(context.Context, string, string) error { return nil }
func (quiet) Hold(context.Context, string, journal.HoldKind, string) error {
	return nil
}
func (quiet) Moved(string, string)                        {}
func (quiet) RetryNow(string, string)                     {}
func (quiet) RefreshProgress(string, string)              {}
func (quiet) AwaitRecovery(context.Context, string) error { return nil }
func (quiet) Reapply(_ context.Context, _, _ string, _ []byte, free []note.Marker, _ func() string) ([]note.Marker, bool, error) {
	return free, false, nil
}
func (quiet) Restore(_ context.Context, _ []byte, claims []journal.Claim) ([]journal.Claim, error) {
	return claims, nil
}
