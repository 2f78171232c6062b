package apitest

import (
	"context"
	"reflect"
	"testing/fstest"
	"time"

	"vaultdispatcher/engine/api"
)

// noon is the time that is told where a test does not say one.
var noon = time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)

// Fill writes a text into every string of a value, and makes one of each thing.
func Fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		Fill(v.Index(0), text)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		Fill(v.Elem(), text)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(noon))
			return
		}
		for i := range v.NumField() {
			Fill(v.Field(i), text)
		}
	}
}

// Filled is a value with that text in every string.
func Filled[T any](text string) (v T) {
	Fill(reflect.ValueOf(&v).Elem(), text)
	return v
}

// ToolsOf are tools that tell the same text everywhere.
func ToolsOf(text string) api.Tools {
	return api.Tools{
		Docs: fstest.MapFS{"README.md": {Data: []byte("# Documents\n\n[One](one.md)\n")}, "one.md": {Data: []byte("# One\n")}},
		Log: func(int) ([]api.LogLine, error) {
			return []api.LogLine{{Time: noon, Level: text, Text: text}, {Level: text, Text: text}}, nil
		},
		Doctor: func(context.Context) ([]api.Finding, error) {
			return []api.Finding{{Check: text, Level: text, Text: text, Next: text}, {Check: "engine", Level: "problem", Text: text}}, nil
		},
		Setup: &api.SetupTools{
			Look: func(context.Context) (api.Setup, error) { return Filled[api.Setup](text), nil },
			Write: func(context.Context, api.SetupChoice) (api.SetupWritten, error) {
				return api.SetupWritten{ConfigWritten: api.ConfigWritten{File: text}}, nil
			},
			Prove: func(context.Context) (api.SetupProof, error) {
				return api.SetupProof{Text: text, Answer: text}, nil
			},
			Try: func(context.Context, string) (api.SetupTried, error) {
				return api.SetupTried{Role: text, Runner: text, Answer: text}, nil
			},
		},
	}
}
