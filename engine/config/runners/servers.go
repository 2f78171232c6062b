package runners

import (
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// silent are the programs that say nothing while they do not reach their server, with the hosts that they ask where their
// settings name none.
var silent = map[string][]string{
	// Its settings name a server for every login that it still has: https://qwenlm.github.io/qwen-code-docs/en/users/configuration/auth/
	"qwen": nil,
}

// ServersOf returns the hosts of the servers that a program asks, as its settings and own, the
// variables of its role, name them. It returns no hosts for a program that itself reports an
// unreachable server, nor if a name that is not found means nothing: behind a proxy, on this machine,
// or for a name that not every machine would find. It asks no server.
func ServersOf(program string, own map[string]string) (hosts []string) {
	usual, isSilent := silent[nameOf(program)]
	if !isSilent || hasProxy(own) {
		return nil
	}
	texts := make([]string, 0, len(own))
	for _, value := range own {
		texts = append(texts, value)
	}
	for _, s := range logins[nameOf(program)].signs {
		if !strings.HasSuffix(s.file, "settings.json") && !strings.HasSuffix(s.file, ".env") {
			continue // it holds a login
		}
		text, _ := os.ReadFile(filepath.Join(s.folderOf(own), filepath.FromSlash(s.file))) // none names none
		if strings.Contains(strings.ToLower(string(text)), "proxy") {
			return nil
		}
		texts = append(texts, string(text))
	}
	for _, text := range texts {
		for _, address := range inText().FindAllString(text, -1) {
			if u, err := url.Parse(address); err == nil && !slices.Contains(hosts, u.Hostname()) {
				hosts = append(hosts, u.Hostname())
			}
		}
	}
	if len(hosts) == 0 {
		hosts = usual
	}
	if slices.ContainsFunc(hosts, isNear) {
		return nil
	}
	slices.Sort(hosts)
	return hosts
}

// inText is an address of a server, in settings of any form.
var inText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(?:https?|wss?)://[^\s"'<>\\]+`) })

// hasProxy reports whether a program is told of a proxy.
func hasProxy(own map[string]string) bool {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		for _, name := range []string{name, strings.ToLower(name)} {
			if own[name] != "" || os.Getenv(name) != "" {
				return true
			}
		}
	}
	return false
}

// isNear reports whether a host is this machine, or may be one beside it whose name no name server has.
func isNear(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil || !strings.Contains(host, ".") || strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".localhost") || strings.HasSuffix(host, ".internal")
}
