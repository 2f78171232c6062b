package queue

// JoinSubject is where a token is exchanged.
func JoinSubject(public string) string { return joinPrefix + public }

// WorkPlace returns the subject of one worker's requests; no other key may publish there.
func WorkPlace(name string) string { return workPrefix + token(name) }

// Subjects is what a kind of key may publish and subscribe to: an "engine", a "worker" or a "token".
func Subjects(kind, name, public string) (publish, subscribe []string) {
	inbox := InboxOf(name) + ".>"
	switch kind {
	case "engine":
		return []string{"wiki.>", "$JS.API.>", "$JS.ACK.>", "$JS.FC.>", "$KV." + workersBucket + ".>", drainPrefix + ">"}, []string{inbox, saidPrefix + ">"}
	case "token":
		return []string{JoinSubject(public)}, []string{InboxOf(public) + ".>"}
	case "worker":
		own := drainPrefix + token(name)
		return []string{WorkPlace(name) + ".>", own, inbox}, []string{inbox, cancelPrefix + token(name) + ".>", own}
	}
	return nil, nil
}
