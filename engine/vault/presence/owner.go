package presence

import (
	"cmp"
	"fmt"
	"os"
	"strings"
)

// Several machines may share a vault that is synchronised between them. One of
// them answers: the one that wiki.owner names. It says so in the vault, so that
// the others know even if their own configuration does not name it.

// ownerFile is where the machine that answers says so, inside its vault.
const ownerFile = folder + "/owner.json"

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

// WhyForeign says in one sentence why a machine leaves a vault to another one, or
// nothing. configured is wiki.owner, stated what the vault says; either may be
// empty.
func WhyForeign(machine, configured, stated string) string {
	switch {
	case configured != "" && !sameMachine(configured, machine):
		return fmt.Sprintf("wiki.owner names %s as the machine that answers, and this machine is %s", configured, machine)
	case stated != "" && !sameMachine(stated, machine):
		return fmt.Sprintf("%s names %s as the machine that answers, and this machine is %s", ownerFile, stated, cmp.Or(machine, "unnamed"))
	}
	return ""
}

// ReadOwner returns the machine the vault itself names, or nothing.
func ReadOwner(vault string) string {
	root, err := os.OpenRoot(vault)
	if err != nil {
		return ""
	}
	defer root.Close()
	var o ownership
	if readFile(root, ownerFile, &o) != nil {
		return "" // half synchronised, say: the configuration decides
	}
	return o.Owner
}

// ClaimVault writes into the vault that it is its owner's, if that is this machine. A vault
// that cannot be written is no error: then the configurations decide.
func ClaimVault(vault, owner string) error {
	if owner == "" || !sameMachine(owner, ThisMachine()) || ReadOwner(vault) == owner {
		return nil
	}
	return writeFile(vault, ownerFile, ownership{owner})
}
