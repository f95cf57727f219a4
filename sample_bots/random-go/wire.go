package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"

	"github.com/vmihailenco/msgpack/v5"
)

// Wire is both ends of the pipe: a line of JSON a message, or maps of MessagePack back to back.
type Wire struct {
	in     *bufio.Reader
	out    io.Writer
	packed *msgpack.Decoder // nil as long as JSON is spoken
}

// NewWire speaks JSON.
func NewWire(in io.Reader, out io.Writer) *Wire {
	return &Wire{in: bufio.NewReaderSize(in, 1<<16), out: out}
}

// SwitchToMessagePack is for after the two hellos.
func (w *Wire) SwitchToMessagePack() {
	w.packed = msgpack.NewDecoder(w.in)
	w.packed.SetCustomStructTag("json")
}

// Read gives the next message: a pointer to one of the referee's types, or nil for an unknown one.
func (w *Wire) Read() (any, error) {
	if w.packed != nil {
		raw, err := w.packed.DecodeRaw()
		if err != nil {
			return nil, err
		}
		return parse(raw, unpack)
	}
	line, err := w.in.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	return parse(line, json.Unmarshal)
}

// Write says something, at once.
func (w *Wire) Write(message any) error {
	data, err := w.encode(message)
	if err == nil {
		_, err = w.out.Write(data)
	}
	return err
}

func (w *Wire) encode(message any) ([]byte, error) {
	if w.packed == nil {
		data, err := json.Marshal(message)
		return append(data, '\n'), err
	}
	var buffer bytes.Buffer
	encoder := msgpack.NewEncoder(&buffer)
	encoder.SetCustomStructTag("json")
	err := encoder.Encode(message)
	return buffer.Bytes(), err
}

func unpack(data []byte, into any) error {
	decoder := msgpack.NewDecoder(bytes.NewReader(data))
	decoder.SetCustomStructTag("json")
	return decoder.Decode(into)
}

// parse looks at the type of a message first, and then at the fields of that type.
func parse(data []byte, unmarshal func([]byte, any) error) (any, error) {
	var tag struct {
		Type string `json:"type"`
	}
	if err := unmarshal(data, &tag); err != nil {
		return nil, err
	}
	message := newMessage(tag.Type)
	if message == nil {
		return nil, nil // something that a later referee says: to be ignored
	}
	return message, unmarshal(data, message)
}
