package secret

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// ReadKey returns the key that a variable holds, without white space around it, as some shells leave it there; empty
// where it holds none. What no server would know for its key, and what a person cannot see, is an error with the name of
// the variable: such a key is refused by the server, often with the key in the refusal.
func ReadKey(variable, value string) (string, error) {
	key := strings.Trim(value, " \t\r\n")
	for _, r := range key {
		why := ""
		switch {
		case strings.HasPrefix(strings.ToLower(key), "bearer "):
			why = "it begins with Bearer, which is added by itself"
		case strings.ContainsRune("\"'`“”„‘’«»", r):
			why = "it has quotation marks"
		case r == ' ' || r == '\t':
			why = "it has a space"
		case r == '\n' || r == '\r':
			why = "it has more than one line"
		case r < 0x21 || r > 0x7e:
			why = "it has a character that is in no key, perhaps an invisible one"
		default:
			continue
		}
		return "", fmt.Errorf("the variable %s does not hold a key alone: %s; set it to the key, without anything else", variable, why)
	}
	return key, nil
}

// named tells the variables that hold secrets from others, keyed those of keys that are sent as they are: a
// word of their names says so.
var (
	named = lazily(`(?i)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|(?:^|_)(?:PASS|PAT)|_PWD)\d*(?:_|$)`)
	keyed = lazily(`(?i)(?:API_?KEY|TOKEN)\d*$`)
)

// CheckEnv refuses variables whose names say that they hold keys and which hold something else, as [ReadKey] does.
func CheckEnv(env map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(env)) {
		if _, err := ReadKey(name, env[name]); err != nil && keyed().MatchString(name) {
			return err
		}
	}
	return nil
}

// InEnv returns the secrets among variables of the environment: those whose names say so, what begins as keys do, and
// passwords in addresses, such as that of a proxy.
func InEnv(env map[string]string) (secrets []string) {
	for name, value := range env {
		if named().MatchString(name) {
			secrets = append(secrets, value)
		}
		secrets = append(secrets, isKey().FindAllString(value, -1)...)
		if strings.Contains(value, "://") {
			secrets = append(secrets, InAddress(value)...)
		}
	}
	return secrets
}

// InAddress returns the secrets in an address: its password, or the name where there is no password, and the values of
// its query.
func InAddress(address string) (secrets []string) {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	if u.User != nil {
		word, ok := u.User.Password()
		if !ok {
			word = u.User.Username()
		}
		secrets = append(secrets, word)
	}
	for _, values := range u.Query() {
		secrets = append(secrets, values...)
	}
	return secrets
}

// RedactAddress returns an address, or several with commas between, as logs and pages may show it. An address of a
// person may hold a name, a password or a key; one without these is not changed.
func RedactAddress(list string) string {
	var shown []string
	for i, part := range strings.Split(list, ",") {
		if i > 0 && !strings.Contains(part, "://") { // of the address before
			shown[len(shown)-1] += "," + part
			continue
		}
		shown = append(shown, part)
	}
	for i, address := range shown {
		shown[i] = redactOne(address)
	}
	return strings.Join(shown, ",")
}

func redactOne(address string) string {
	added := ""
	if !strings.Contains(address, "://") {
		added = "x://"
	}
	u, err := url.Parse(added + address)
	if err != nil {
		return "its address"
	}
	if u.User == nil && u.RawQuery == "" && u.Fragment == "" {
		return address
	}
	if u.User != nil {
		u.User = url.User("xxxxx")
	}
	if u.RawQuery != "" {
		u.RawQuery = "xxxxx"
	}
	if u.Fragment != "" {
		u.Fragment, u.RawFragment = "xxxxx", ""
	}
	return strings.TrimPrefix(u.String(), added)
}
