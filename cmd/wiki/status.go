package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/report"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/patience"
)

// statusCommand says in one screen what is going on.
func (a *app) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show vaults, running tasks and what needs you",
		Args:  takesNone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := a.askStatus(cmd)
			return showFound(a, s, err, report.PrintStatus)
		},
	}
}

// answerTime is how long a command waits for what the engine has in memory.
const answerTime = 2 * time.Second

// askStatus asks the engine what it is doing.
func (a *app) askStatus(cmd *cobra.Command) (s api.Status, err error) {
	err = a.askSoon(cmd, func(ctx context.Context, client *client.Client) error {
		s, err = client.Status(ctx)
		return err
	})
	return s, err
}

// askSoon asks the engine for what it can answer at once.
func (a *app) askSoon(cmd *cobra.Command, ask func(context.Context, *client.Client) error) error {
	return a.withClient(cmd, func(ctx context.Context, client *client.Client) error {
		ctx, cancel := context.WithTimeout(ctx, patience.Of(answerTime))
		defer cancel()
		return ask(ctx, client)
	})
}
