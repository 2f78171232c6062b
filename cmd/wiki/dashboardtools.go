package main

import (
	"context"
	"log/slog"

	"vaultdispatcher/assets"
	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/machine"
	"vaultdispatcher/cmd/wiki/page"
	"vaultdispatcher/cmd/wiki/texts"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/installer/doctor"
	"vaultdispatcher/service/host"
	"vaultdispatcher/service/logfile"
)

// dashboardTools is what the dashboard tells beyond the engine.
func dashboardTools(a *command.App, h *host.Host) api.Tools {
	return api.Tools{
		Log: func(lines int) ([]api.LogLine, error) {
			found, err := logfile.NewReader(logfile.EngineLog(h.State())).Last(lines)
			told := make([]api.LogLine, len(found))
			for i, line := range found {
				told[i] = texts.LogLine(line)
			}
			return told, err
		},
		Doctor: func(ctx context.Context) ([]api.Finding, error) {
			subject, err := machine.Subject(ctx, a)
			if err != nil {
				return nil, err
			}
			return texts.WireFindings(doctor.Run(ctx, subject)), nil
		},
		Setup: page.Setup(page.Options{ConfigFile: a.ConfigFile, Host: h, RunEngine: runTemporary, FinalStatuses: command.FinalStatuses, Question: testQuestion}),
		Docs:  assets.Docs(),
	}
}

// runTemporary runs an engine that shares nothing with the user's, as long as use is at work.
func runTemporary(ctx context.Context, cfg config.Config, dir string, log *slog.Logger, use func(context.Context, *client.Client) error) error {
	return host.Temporary{Config: cfg, Dir: dir, Version: version(), Log: log}.Run(ctx, use)
}
