package main

import (
	"context"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/installer/doctor"
	"vaultdispatcher/service/host"
	"vaultdispatcher/service/logfile"
)

// tools is what the dashboard tells beyond the engine.
func (a *app) tools(h *host.Host) api.Tools {
	return api.Tools{
		Log: func(lines int) ([]api.LogLine, error) {
			found, err := logfile.NewReader(host.EngineLog(h.State())).Last(lines)
			told := make([]api.LogLine, len(found))
			for i, line := range found {
				told[i] = logLine(line)
			}
			return told, err
		},
		Doctor: func(ctx context.Context) ([]api.Finding, error) {
			subject, err := a.subject(ctx)
			if err != nil {
				return nil, err
			}
			return told(worded(doctor.Run(ctx, subject))), nil
		},
		Setup: a.setupTools(h),
	}
}

// told are findings as a client gets them.
func told(found []finding) []api.Finding {
	all := make([]api.Finding, len(found))
	for i, f := range found {
		all[i] = api.Finding{Check: f.Check, Level: string(f.Level), Text: f.Text, Next: f.Next}
	}
	return all
}
