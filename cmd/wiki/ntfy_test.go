package main

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/webhook/testdata/fakentfy"
)

// fakeNtfy is a server of ntfy at the address in $EMBEDDER, whose topic "told" needs the token "tk" and to whose topic "replies"
// everybody may publish; and the phone that shows what it is told: `press LABEL` presses that button of the last message that has
// it, `wait NOTE` waits until it is told of a note, `reply TEXT` sends another text.
func fakeNtfy() {
	ntfy := &fakentfy.Server{Token: "tk", Replies: "replies"}
	switch os.Args[1] {
	case "serve":
		http.Handle("/", ntfy)
		serveScript()
	case "press", "wait":
		for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); <-time.After(10 * time.Millisecond) {
			events, err := fakentfy.Read("http://"+os.Getenv("EMBEDDER"), "told", "tk")
			if err != nil {
				continue
			}
			for _, e := range slices.Backward(events) {
				if os.Args[1] == "wait" && strings.Contains(e.Title, ": "+os.Args[2]+" (") {
					return
				}
				for _, a := range e.Actions {
					if a.Label == os.Args[2] {
						fmt.Printf("%s\n%s\n", e.Title, e.Message)
						publish(a.URL, a.Body)
						return
					}
				}
			}
		}
		fmt.Println("there is no such button")
		os.Exit(1)
	case "reply":
		publish("http://"+os.Getenv("EMBEDDER")+"/replies", os.Args[2])
	}
}

func publish(address, text string) {
	resp, err := http.Post(address, "text/plain", strings.NewReader(text))
	if err != nil || resp.StatusCode != http.StatusOK {
		fmt.Println("not sent", err)
		os.Exit(1)
	}
	resp.Body.Close()
}
