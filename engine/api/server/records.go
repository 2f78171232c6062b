package server

import "vaultdispatcher/engine/api"

// maxInstruction is how much of an instruction a list shows, in characters.
const maxInstruction = 80

// Brief returns records as lists show them: with an array for the lines, and
// the instructions cut.
func Brief(list []api.Dispatch) []api.Dispatch {
	short := make([]api.Dispatch, len(list))
	for i, d := range list {
		short[i] = briefly(d)
	}
	return short
}

func briefly(d api.Dispatch) api.Dispatch {
	d.Lines = orEmpty(d.Lines)
	if runes := []rune(d.Instruction); len(runes) > maxInstruction {
		d.Instruction = string(runes[:maxInstruction-1]) + "…"
	}
	return d
}

// orEmpty makes an array of a slice that is not there: null is no list.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
