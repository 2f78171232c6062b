package modelhttp

import (
	"cmp"
	"os"
	"path/filepath"
)

// mostKey is how large the file of a key may be.
const mostKey = 64 << 10

// FindKey returns what holds a key: the variable in env, else that of the environment, else the file that NAME_FILE names in
// either, as with the images of Docker, else the file NAME of systemd's LoadCredential (https://systemd.io/CREDENTIALS/).
// It is read anew at each call. FindKey returns "" without a key, or if its file cannot be read.
func FindKey(name string, env map[string]string) string {
	if name == "" {
		return ""
	}
	get := func(name string) string { return cmp.Or(env[name], os.Getenv(name)) }
	if value := get(name); value != "" {
		return value
	}
	file := get(name + "_FILE")
	if dir := os.Getenv("CREDENTIALS_DIRECTORY"); file == "" && dir != "" {
		file = filepath.Join(dir, name)
	}
	if st, err := os.Stat(file); err != nil || !st.Mode().IsRegular() || st.Size() > mostKey {
		return ""
	}
	value, _ := os.ReadFile(file)
	return string(value)
}
