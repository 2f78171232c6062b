package secret

import "strings"

// secretName is the end of a name that says that a secret follows.
const secretName = `[A-Z0-9_.-]*(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|AUTHORIZATION)\d*`

// Where a command has a secret: behind a name that says so, in an address, and where only keys begin like that.
var (
	// inText is NAME=VALUE, Name: VALUE or --name VALUE within one argument, which may be a line of a shell.
	inText = lazily(`(?i)(?:` + secretName + `["']?\s*[=:]\s*|(?:^|\s)-` + secretName + `\s+)["']?(?:(?:Bearer|Basic|Token)\s+)?([^\s"',;]+)`)

	// isOption is an option whose value is the next argument.
	isOption = lazily(`(?i)^-` + secretName + `$`)

	// isKey begins as the keys of known makers do.
	isKey = lazily(`\b(?:(?:sk-|gsk_|gh[oprsu]_|github_pat_|glpat-|xai-|hf_|AIza|ntn_|xox[abeprs]-|pplx-|r8_|ya29\.|AKIA)[\w-]{16,}|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]+)`)

	isAddress = lazily(`[A-Za-z][A-Za-z0-9+.-]*://[^\s"'<>]+`)

	// isNone is filled in by a shell or by us, or is a number, such as a limit of tokens.
	isNone = lazily(`^(?:[$%{].*|[\d.]+)$`)
)

// InCommand returns the secrets in the arguments of a command, as far as their names, or they themselves, say that they are some.
func InCommand(args []string) (secrets []string) {
	add := func(value string) {
		if !isNone().MatchString(value) {
			secrets = append(secrets, value)
		}
	}
	for i, arg := range args {
		if isOption().MatchString(arg) && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			add(args[i+1])
		}
		for _, found := range inText().FindAllStringSubmatch(arg, -1) {
			add(found[1])
		}
		secrets = append(secrets, isKey().FindAllString(arg, -1)...)
		for _, address := range isAddress().FindAllString(arg, -1) {
			for _, value := range InAddress(address) {
				add(value)
			}
		}
	}
	return secrets
}

// RedactCommand returns the arguments of a command as lists and pages may show them.
func RedactCommand(args []string) []string {
	r := NewRedactor(InCommand(args)...)
	shown := make([]string, len(args))
	for i, arg := range args {
		shown[i] = r.Redact(arg)
	}
	return shown
}
