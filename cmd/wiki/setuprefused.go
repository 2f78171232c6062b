package main

import (
	"errors"
	"fmt"
	"strings"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/texts"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/installer"
	"vaultdispatcher/installer/places"
)

const unchanged = "nothing was changed"

// refusedSetup is a refusal of setup on the command line, with its next step and its exit
// status.
func refusedSetup(err error) error {
	r, ok := errors.AsType[*installer.Refusal](err)
	if !ok {
		return err
	}
	text := errors.New(texts.Refusal(r.Value, r.Doubt, r.Finding, r.Err))
	switch r.Field {
	case "vaults":
		return refusedFolder(r, text)
	case "login":
		return command.Fail(r.Remedy+", or add --no-service", "%w", text)
	case "tray":
		return command.Fail("put wiki-tray beside this program (go build ./cmd/wiki-tray), or leave --tray out; "+unchanged, "%w", text)
	case "provider":
		return command.Usage("run wiki setup again without it; "+unchanged, "%w", text)
	case "url":
		return command.Usage("--url says the address, and --url \"\" that there is none; "+unchanged, "%w", text)
	case "port":
		return refusedPort(r)
	case "model":
		if r.Remedy == "" { // the configuration cannot be without it
			return command.NewFailure(text, unchanged, command.ExitConfig)
		}
	}
	return command.Fail(strings.TrimPrefix(r.Remedy+"; ", "; ")+unchanged, "%w", text)
}

// refusedFolder is the refusal of a folder. Two vaults in one have the exit status that
// the configuration gives them.
func refusedFolder(r *installer.Refusal, text error) error {
	switch {
	case r.Doubt.Risk != "" && !r.Doubt.Never():
		return command.Fail("name the folder in it that holds your notes, or add --yes to take this one; "+unchanged, "%w", text)
	case r.Doubt.Risk == places.Nested:
		return command.NewFailure(text, "to watch other folders than the configured ones: wiki config set wiki.vaults '[FOLDER]'; "+unchanged, command.ExitConfig)
	}
	return command.Fail("name the folder that holds your notes; "+unchanged, "%w", text)
}

func refusedPort(r *installer.Refusal) error {
	if other, ok := errors.AsType[*client.OtherState](r.Err); ok {
		return command.OtherState(other, "end that engine, or choose another port: wiki setup --port %d; "+unchanged, r.Port)
	}
	if _, ok := errors.AsType[*listen.Taken](r.Err); ok {
		return command.NewFailure(r.Err, fmt.Sprintf("choose another: wiki setup --port %d", r.Port), command.ExitPortTaken)
	}
	return command.Usage(fmt.Sprintf("leave --port out, or take one such as --port %d", r.Port), "%w", r.Err)
}
