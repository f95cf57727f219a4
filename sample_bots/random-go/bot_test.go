package main

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// recorded gives the lines of messages.jsonl, which were sent at a real table.
func recorded(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("messages.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

// withoutNulls drops null fields: here null and absent are the same.
func withoutNulls(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, field := range value {
			if withoutNulls(field) == nil {
				delete(value, name)
			}
		}
	case []any:
		for _, item := range value {
			withoutNulls(item)
		}
	}
	return value
}

func TestTheTypesHaveEveryFieldThatTheRefereeSends(t *testing.T) {
	for _, line := range recorded(t) {
		message, err := parse([]byte(line), json.Unmarshal)
		if err != nil || message == nil {
			t.Fatalf("%v: %.200s", err, line)
		}
		again, _ := json.Marshal(message)
		var sent, understood any
		json.Unmarshal([]byte(line), &sent)
		json.Unmarshal(again, &understood)
		if !reflect.DeepEqual(withoutNulls(understood), withoutNulls(sent)) {
			t.Errorf("sent %s\nunderstood %s", line, again)
		}
	}
}

func choicesMade(t *testing.T) []int {
	var player *Player
	var made []int
	for _, line := range recorded(t) {
		message, _ := parse([]byte(line), json.Unmarshal)
		switch message := message.(type) {
		case *Start:
			player = NewPlayer(message)
		case *Decide:
			choice := player.Choose(message)
			if choice < 0 || choice >= len(message.Choices) {
				t.Errorf("%d is no choice of request %d", choice, message.ID)
			}
			made = append(made, choice)
		}
	}
	return made
}

func TestTheSameGameIsPlayedTheSameWayAgain(t *testing.T) {
	first := choicesMade(t)
	if len(first) == 0 || !slices.Equal(first, choicesMade(t)) {
		t.Error("the choices differ")
	}
}
