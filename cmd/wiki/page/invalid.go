package page

import (
	"errors"
	"fmt"

	"vaultdispatcher/cmd/wiki/texts"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/installer"
	"vaultdispatcher/installer/places"
)

// invalidField is a refusal on the dashboard's page, beside its field. given are the folders
// as they were filled in.
func invalidField(err error, given []string) error {
	r, ok := errors.AsType[*installer.Refusal](err)
	if !ok {
		return &api.Invalid{Reason: wording.Sentence(texts.OneLine(err))}
	}
	text, value := texts.Refusal(r.Value, r.Doubt, r.Finding, r.Err), r.Value
	switch {
	case r.Field == "vaults" && r.Doubt.Risk != "" && !r.Doubt.Never():
		text += "; name the folder in it that holds your notes, or say below that you are sure"
	case r.Field == "vaults" && r.Err == nil && r.Doubt.Risk != places.Nested:
		text += "; name the folder that holds your notes"
	case r.Port != 0:
		text += fmt.Sprintf("; choose another, such as %d", r.Port)
	case r.Remedy != "":
		text += "; " + r.Remedy
	}
	if r.Field == "vaults" {
		value = asGiven(given, value)
	}
	return &api.Invalid{Reason: wording.Sentence(text), Field: r.Field, Value: value}
}

// asGiven is a folder as it was filled in.
func asGiven(given []string, path string) string {
	for _, text := range given {
		if full, err := installer.ParseFolder(text); err == nil && full == path {
			return text
		}
	}
	return path
}
