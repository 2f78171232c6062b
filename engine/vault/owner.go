package vault

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"vaultdispatcher/engine/files"
)

// Several machines may share a vault that is synchronised between them. One of
// them answers: the one that wiki.owner names. It says so in the vault, so that
// the others know even if their own configuration does not name it.

// ownerFile is where the machine that answers says so, inside its vault.
const ownerFile = ".vault-mind/owner.json"

// lookForOwner is how soon a note whose markers are left to another machine is
// looked at again, in case it has become ours.
const lookForOwner = 30 * time.Second

type ownership struct {
	Owner string `json:"owner"`
}

// ThisMachine is the name of this one.
func ThisMachine() string {
	name, err := os.Hostname()
	if err != nil {
		return ""
	}
	return name
}

// sameMachine compares names of machines. Their case does not count, nor does the
// domain where only one of them has one: a laptop's changes with its network.
func sameMachine(a, b string) bool {
	shortA, domainA, _ := strings.Cut(a, ".")
	shortB, domainB, _ := strings.Cut(b, ".")
	return strings.EqualFold(shortA, shortB) && (domainA == "" || domainB == "" || strings.EqualFold(domainA, domainB))
}

// foreignTo says in one sentence why a machine leaves a vault to another one, or
// nothing. configured is wiki.owner, stated what the vault says; either may be
// empty.
func foreignTo(machine, configured, stated string) string {
	switch {
	case configured != "" && !sameMachine(configured, machine):
		return fmt.Sprintf("wiki.owner leaves it to %s, and this machine is %s", configured, machine)
	case stated != "" && !sameMachine(stated, machine):
		return fmt.Sprintf("%s leaves it to %s, and this machine is %s", ownerFile, stated, cmp.Or(machine, "unnamed"))
	}
	return ""
}

// WhyForeign is foreignTo for the vault as it was last read.
func (v *Vault) WhyForeign() string {
	return foreignTo(ThisMachine(), v.opts.Config.Owner, v.facts.ownerStated())
}

// readOwner returns the machine the vault itself names, or nothing.
func (v *Vault) readOwner() string {
	f, err := v.openNote(ownerFile)
	if err != nil {
		return ""
	}
	defer f.Close()
	var o ownership
	if json.NewDecoder(io.LimitReader(f, 4096)).Decode(&o) != nil {
		return "" // half synchronised, say: the configuration decides
	}
	return o.Owner
}

// claimVault writes into the vault that it is ours, if wiki.owner says so. A vault
// that cannot be written is no error: then the configurations decide.
func (v *Vault) claimVault() error {
	owner := v.opts.Config.Owner
	if owner == "" || !sameMachine(owner, ThisMachine()) || v.readOwner() == owner {
		return nil
	}
	text, err := json.Marshal(ownership{owner})
	if err == nil {
		err = files.WriteInside(v.Root, ownerFile, append(text, '\n'), 0o644)
	}
	if err != nil {
		return fmt.Errorf("write who answers: %w", err)
	}
	return nil
}
