package texts

// NextStep is the hint for a refusal of the engine, by its code.
func NextStep(code string) string {
	switch code {
	case "outside_vaults":
		return "wiki status names the vaults; a note of one of them can be asked about"
	case "not_a_note":
		return "name a .md or .markdown file of a vault; wiki status names the vaults"
	case "not_found":
		return "give its absolute path, or its path in a vault; wiki status names the vaults"
	case "ambiguous":
		return "give the absolute path of the note"
	case "offline":
		return "connect its disk; wiki status shows when it is back"
	case "stopping":
		return "start it again with wiki run"
	case "busy", "rate_limited":
		return "try again in a moment"
	case "unauthorized":
		return "this engine has another token; wiki server status shows which engine answers"
	case "internal":
		return "wiki logs shows what happened"
	}
	return "wiki status shows what the engine knows"
}
