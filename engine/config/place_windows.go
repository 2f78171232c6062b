package config

import "os"

func configHome() (string, error) { return os.UserConfigDir() }
func stateHome() (string, error)  { return os.UserCacheDir() }
func cacheHome() (string, error)  { return os.UserCacheDir() }
