package queue

// JoinSubject is where a token is exchanged.
func JoinSubject(public string) string { return joinPrefix + public }

// Subjects is what a kind of key may publish and subscribe to: an "engine", a "worker" or a "token".
func Subjects(kind, name, public string, lanes []string) (publish, subscribe []string) {
	inbox := InboxOf(name) + ".>"
	switch kind {
	case "engine":
		return []string{"wiki.>", "$JS.API.>", "$JS.ACK.>", "$JS.FC.>", "$KV." + workersBucket + ".>", drainPrefix + ">"}, []string{inbox, saidPrefix + ">"}
	case "token":
		return []string{JoinSubject(public)}, []string{InboxOf(public) + ".>"}
	case "worker":
		if len(lanes) == 0 {
			lanes = []string{"*"}
		}
		own := drainPrefix + token(name)
		publish = []string{resultsPrefix + ">", saidPrefix + ">", "$KV." + workersBucket + "." + token(name), own}
		for _, lane := range lanes {
			publish = append(publish, "$JS.API.CONSUMER.INFO."+tasksStream+"."+lane, "$JS.API.CONSUMER.MSG.NEXT."+tasksStream+"."+lane,
				"$JS.ACK."+tasksStream+"."+lane+".>", "$JS.ACK.*.*."+tasksStream+"."+lane+".>")
		}
		return publish, []string{inbox, cancelPrefix + token(name) + ".>", own}
	}
	return nil, nil
}
