package hub_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// generator makes hostile messages: the subjects of the server and of the queue with names that are true, as they are
// or changed, as subjects, as places for an answer and in headers, with what the server or the queue would act upon.
type generator struct {
	s   *scene
	r   *rand.Rand
	own string // name of whose key is used
}

func (g *generator) oneOf(list ...string) string { return list[g.r.IntN(len(list))] }

// serverSubjects are those on which JetStream acts, %s for a stream, a consumer or another name.
var serverSubjects = []string{
	server.JSApiAccountInfo, server.JSApiStreamCreateT, server.JSApiStreamUpdateT, server.JSApiStreams, server.JSApiStreamList,
	server.JSApiStreamInfoT, server.JSApiStreamDeleteT, server.JSApiStreamPurgeT, server.JSApiStreamSnapshotT, server.JSApiStreamRestoreT,
	server.JSApiMsgDeleteT, server.JSApiMsgGetT, server.JSDirectMsgGetT, server.JSDirectGetLastBySubjectT,
	server.JSApiConsumerCreateT, server.JSApiConsumerCreateExT, server.JSApiDurableCreateT, server.JSApiConsumersT, server.JSApiConsumerListT,
	server.JSApiConsumerInfoT, server.JSApiConsumerDeleteT, server.JSApiConsumerPauseT, server.JSApiConsumerUnpinT, server.JSApiRequestNextT,
	server.JSApiStreamRemovePeerT, server.JSApiStreamLeaderStepDownT, server.JSApiConsumerLeaderStepDownT, server.JSApiLeaderStepDown,
	server.JSApiRemoveServer, server.JSApiAccountPurgeT, server.JSApiServerStreamMoveT, "$JS.API.CONSUMER.RESET.%s.%s", "$JS.FC.%s.%s.x",
	"$JS.SNAPSHOT.ACK.%s.%s.1.1", "$JS.EVENT.ADVISORY.CONSUMER.DELETED.%s.%s", "$JS.M.%s", "$JS.ACK.%s.%s.>", "$SYS.REQ.SERVER.PING", "$SYS.REQ.USER.INFO",
	"$SYS.REQ.ACCOUNT.PING.CONNZ", "$SYS.ACCOUNT.$G.%s", "$NRG.%s", "_R_.%s", "_GR_.%s.x", "$GR.%s", "$MQTT.%s",
}

func (g *generator) stream() string {
	return g.oneOf("WIKI_TASKS", "WIKI_TASKS", "WIKI_RESULTS", "KV_wiki_workers", "OWN")
}
func (g *generator) lane() string {
	return g.oneOf(writer, writer, miner, third, "*", ">", "role-none")
}
func (g *generator) worker() string   { return g.oneOf(g.own, g.own, "good", "hub", "late", "*") }
func (g *generator) dispatch() string { return g.oneOf("mined", "written", "waits", "own") }

// to is the end of the subject of a task: engine, dispatch, attempt.
func (g *generator) to() string {
	parts := strings.SplitN(g.s.subject[g.dispatch()], ".", 4)
	return g.oneOf(parts[3], parts[3], parts[3], "engine-x.d1.0-00", "*.>", strings.Replace(parts[3], ".0-", ".1-", 1))
}

// ack is a subject at which JetStream hears what becomes of a message.
func (g *generator) ack() string {
	id := g.dispatch()
	lane := strings.Split(g.s.subject[id], ".")[2]
	end := fmt.Sprintf("%d.%d.%d.1700000000000000000.0", 1+g.r.IntN(3), g.s.number[id], 1+g.r.IntN(3))
	return g.oneOf("$JS.ACK.WIKI_TASKS."+lane+"."+end, "$JS.ACK.WIKI_TASKS."+g.lane()+"."+end, "$JS.ACK._.x.WIKI_TASKS."+lane+"."+end+".y", g.heldPlace())
}

// heldPlace and heldWord are what the hostile worker has of the task that it was given.
func (g *generator) heldPlace() string { return g.s.held["own"].Reply }

func (g *generator) heldWord() string { return g.s.held["own"].Header.Get("Wiki-Word") }

// ownSubject is a subject to which a worker may publish, as far as its beginning says.
func (g *generator) ownSubject() string {
	place := "wiki.work." + g.own + "."
	return g.oneOf(place+"take."+g.lane(), place+"take."+writer, place+"here", place+g.oneOf("say", "give", "back", "term")+"."+g.lane()+"."+g.to(),
		place+g.oneOf("say", "give", "back")+"."+strings.TrimPrefix(g.s.subject[g.dispatch()], "wiki.task."), "wiki.drain."+g.own, "_INBOX_"+g.own+"."+g.word(), place+g.word())
}

// subject is any subject at all.
func (g *generator) subject() string {
	subject := ""
	switch g.r.IntN(8) {
	case 0, 1:
		subject = g.oneOf(serverSubjects...)
		for strings.Contains(subject, "%s") {
			name := g.lane()
			if strings.Index(subject, "%s") == strings.LastIndex(subject, "%s") || strings.Count(subject, "%s") > 1 && !strings.Contains(subject, "WIKI") && !strings.Contains(subject, "OWN") {
				name = g.stream()
			}
			subject = strings.Replace(subject, "%s", name, 1)
		}
	case 2:
		subject = g.ack()
	case 3:
		subject = g.oneOf("wiki.task."+g.lane()+"."+g.to(), "wiki.result."+g.to(), "wiki.say."+g.to(), "wiki.cancel."+g.worker()+"."+g.to(), "wiki.join."+g.word())
	case 4:
		subject = g.oneOf("$KV.wiki_workers."+g.worker(), "wiki.drain."+g.worker(), "_INBOX_"+g.worker()+"."+g.word(), "wiki.work."+g.worker()+"."+g.oneOf("here", "take."+g.lane()))
	default:
		subject = g.ownSubject()
	}
	if g.r.IntN(10) == 0 { // bent
		parts := strings.Split(subject, ".")
		parts[g.r.IntN(len(parts))] = g.oneOf("*", ">", "", "WIKI_TASKS", g.word(), strings.ToUpper(g.own))
		subject = strings.Join(parts, ".")
	}
	return subject
}

func (g *generator) word() string {
	return g.oneOf("x", "evil", "good", "UABC", "a-b", "ключ", strings.Repeat("long", 100), fmt.Sprint(g.r.Uint64()))
}

// payload is what somebody might act upon.
func (g *generator) payload() []byte {
	to, id := g.to(), g.dispatch()
	text := g.oneOf("", "+ACK", "-NAK", "+WPI", "+TERM", "+NXT", "+NXT 100", `-NAK {"delay":1}`, "1", "5s", "1ms", "1h",
		`{"batch":1000,"expires":60000000000}`, `{"batch":100,"no_wait":true}`, `{"filter":"wiki.task.>"}`, `{"stream":"WIKI_RESULTS","seq":1}`,
		fmt.Sprintf(`{"seq":%d}`, g.s.number[id]), fmt.Sprintf(`{"seq":%d,"no_erase":true}`, g.s.number[id]), `{"last_by_subj":"`+g.s.subject[id]+`"}`,
		`{"name":"OWN","subjects":["wiki.say.>"],"storage":"memory"}`, `{"name":"WIKI_TASKS","subjects":["wiki.none"],"retention":"workqueue","storage":"file"}`,
		`{"stream_name":"WIKI_TASKS","config":{"durable_name":"own","ack_policy":"explicit","filter_subject":"wiki.task.>"}}`,
		`{"stream_name":"KV_wiki_workers","config":{"name":"own","deliver_subject":"_INBOX_`+g.own+`.x","ack_policy":"none"}}`,
		`{"host":"good","version":"9","lanes":["`+miner+`","`+third+`"],"slots":9}`, `{"lanes":["`+writer+`"],"leaving":true,"name":"good"}`,
		`{"public":"U","name":"good"}`, g.heldWord(), strings.Repeat("fill", 1<<16))
	switch g.r.IntN(4) {
	case 0:
		return pack(g.oneOf(`{"worker":"good","reply":{"Text":"hostile"}}`, `{"worker":"good","said":"hostile"}`, `{"worker":"good","ended":true}`, `{"tell":"hostile"}`,
			`{"task":"hostile","dispatch":"`+to+`"}`, `{"failure":{"reason":"hostile"}}`, text))
	case 1:
		return []byte(text[:g.r.IntN(len(text)+1)])
	}
	return []byte(text)
}

// header is what the server or the gate might act upon.
func (g *generator) header() nats.Header {
	h := nats.Header{}
	for range g.r.IntN(4) {
		name := g.oneOf(jetstream.MsgIDHeader, jetstream.MsgRollup, jetstream.ExpectedStreamHeader, jetstream.ExpectedLastSeqHeader, jetstream.MsgTTLHeader, jetstream.MarkerReasonHeader,
			"KV-Operation", "Nats-Trace-Dest", "Nats-Trace-Only", "Nats-Schedule", "Nats-Schedule-Target", "Nats-Batch-Id", "Nats-Batch-Commit", "Nats-Incr",
			"Nats-Request-Info", "Nats-Required-Api-Level", "Status", "Wiki-Worker", "traceparent")
		h.Set(name, g.oneOf("all", "sub", "DEL", "PURGE", "WIKI_TASKS", "1", "0", "1s", "@every 1s", g.dispatch(), g.s.subject[g.dispatch()], "$JS.API.STREAM.PURGE.WIKI_TASKS", "good", "503", g.subject()))
	}
	if g.r.IntN(2) == 0 {
		h.Set("Wiki-Word", g.oneOf(g.heldWord(), g.heldWord(), g.heldWord(), "x", "", g.heldWord()+"A", base64.RawURLEncoding.EncodeToString([]byte(g.word()))))
		h.Set("Wiki-Place", g.oneOf(g.ack(), g.ack(), g.heldPlace(), g.subject(), "a b c", "$JS.ACK.a b.x.WIKI_TASKS."+writer+".1.1.1.1.1.1"))
	}
	return h
}

// message is one hostile message: half of them are what a worker may say, but for one or two things.
func (g *generator) message() *nats.Msg {
	if g.r.IntN(2) == 0 {
		return g.nearlyTrue()
	}
	m := &nats.Msg{Subject: g.subject(), Header: g.header(), Data: g.payload()}
	switch g.r.IntN(4) {
	case 0:
		m.Reply = "_INBOX_" + g.own + "." + g.word()
	case 1, 2:
		m.Reply = g.subject()
	}
	return m
}

// nearlyTrue is what a worker may say of its own task, of a lane or of itself, with something of others in it.
func (g *generator) nearlyTrue() *nats.Msg {
	id, lane := "own", writer
	m := &nats.Msg{Reply: "_INBOX_" + g.own + ".x", Header: nats.Header{"Wiki-Word": {g.heldWord()}, "Wiki-Place": {g.heldPlace()}}, Data: pack(`{"reply":{"Text":"hostile"},"said":"hostile"}`)}
	verb := g.oneOf("take", "here", "say", "give", "back", "give", "back")
	if verb == "take" {
		m.Data = []byte("1s")
	}
	if verb == "here" {
		m.Data = []byte(g.oneOf("", `{"lanes":["`+writer+`"]}`))
	}
	for range 1 + g.r.IntN(2) {
		switch g.r.IntN(6) {
		case 0, 1:
			id, lane = g.dispatch(), g.lane()
		case 2:
			m.Header.Set("Wiki-Place", g.ack())
		case 3:
			m.Header.Set("Wiki-Word", g.oneOf("", "x", g.heldWord()+"A"))
		case 4:
			m.Reply = g.subject()
		case 5:
			m.Data = g.payload()
		}
	}
	m.Subject = "wiki.work." + g.own + "." + verb
	if verb == "take" {
		m.Subject += "." + lane
	} else if verb != "here" {
		m.Subject += strings.TrimPrefix(g.s.subject[id], "wiki.task")
	}
	return m
}

func pack(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text)) // into memory
	_ = z.Close()
	return b.Bytes()
}

// readSecrets returns which questions of others the server has sent to the hostile client.
func (s *scene) readSecrets() (acts []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.sniffed {
		text := string(m.Data)
		if z, err := gzip.NewReader(bytes.NewReader(m.Data)); err == nil {
			plain, _ := io.ReadAll(z) // as much as there is
			text += string(plain)
		}
		for _, id := range []string{"mined", "written", "waits"} {
			if strings.Contains(text, secretOf(id)) || strings.Contains(m.Subject, "."+id+".") {
				acts = append(acts, fmt.Sprintf("the question %s was sent to %s: %s", id, m.Subject, m.Header))
			}
		}
	}
	return slices.Compact(acts)
}
