package wizard

import (
	"errors"
	"strings"

	"charm.land/huh/v2"

	"vaultdispatcher/cmd/wiki/texts"
	"vaultdispatcher/installer"
)

// sentThere is what to know before an address is named.
const sentThere = "The text of your notes is sent there, and nowhere else."

// meaningOptions are the models on this machine, and two that a person names. One that
// is named has no model in its value.
func (w *wizard) meaningOptions() []huh.Option[string] {
	options := []huh.Option[string]{newOption("by words and links only", "none")}
	for _, m := range w.models {
		if m.Embeds {
			options = append(options, newOption("also by meaning, with "+m.Name+" of Ollama on this machine", "ollama "+m.Name))
		}
	}
	options = append(options, newOption("also by meaning, with a model of Ollama that you name, here or elsewhere", "ollama"),
		newOption("also by meaning, with a server that you name and that has /v1/embeddings", "openai"))
	return withPresent(options, w.defaults.Meaning, "also by meaning, as it is configured now: "+texts.Embedding(w.baseline.Present.Config.Embedding))
}

// meaningSaid reports whether flags say what finds by meaning.
func (w *wizard) meaningSaid() bool {
	return w.baseline.Choice.Provider+w.baseline.Choice.Model != "" || w.baseline.Choice.URL != nil
}

// missingParts says what is still to be asked for of what finds by meaning.
func (w *wizard) missingParts() (model, address bool) {
	if w.meaningSaid() {
		e := w.baseline.Embedding()
		return e.Provider != "none" && e.Model == "", e.Provider == "openai" && e.URL == ""
	}
	named := w.Meaning == "ollama" || w.Meaning == "openai"
	return named, named
}

// chooseMeaning takes over what was answered.
func (w *wizard) chooseMeaning(c *installer.Choice) {
	listed, url := "", ""
	if !w.meaningSaid() {
		if w.Meaning == w.defaults.Meaning {
			return
		}
		c.Provider, listed, _ = strings.Cut(w.Meaning, " ")
		c.Model, c.URL = listed, &url
	}
	model, address := w.missingParts()
	if model {
		c.Model = strings.TrimSpace(w.Model)
	}
	if address {
		url = strings.TrimSpace(w.URL)
		c.URL = &url
	}
}

// checkModel says what is wrong with a model that was typed. A person who has gone is not
// asked again.
func (w *wizard) checkModel(text string) error {
	if text = strings.TrimSpace(text); text == "" && !w.input.hasEnded() {
		return errors.New("name the model, such as embeddinggemma")
	}
	return quotedError(installer.CheckModel(text))
}

// checkAddress says what is wrong with an address that was typed.
func (w *wizard) checkAddress(text string) error {
	if w.input.hasEnded() {
		return nil
	}
	p, url := w.plan(), strings.TrimSpace(text)
	p.Choice.URL = &url
	return quotedError(p.CheckURL())
}
