package config

func configHome() (string, error) { return inHome("Library", "Application Support") }
func stateHome() (string, error)  { return inHome("Library", "Application Support") }
func cacheHome() (string, error)  { return inHome("Library", "Caches") }
