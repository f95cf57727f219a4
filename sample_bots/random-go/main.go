// A bot for Hansa Teutonica: the talk with the referee, a message in, an answer out.
package main

import (
	"errors"
	"flag"
	"io"
	"log"
	"os"
	"strconv"
	"strings"
)

// The values of the parameters that bot.toml declares: --set post=1.5
var parameters = map[string]float64{}

func main() {
	log.SetFlags(0) // to stderr, which is the bot's own
	msgpack := flag.Bool("msgpack", false, "speak MessagePack instead of JSON")
	flag.Func("set", "`NAME=VALUE` of a parameter", set)
	flag.Parse()
	if err := talk(NewWire(os.Stdin, os.Stdout), *msgpack); err != nil && !errors.Is(err, io.EOF) {
		log.Fatal(err)
	}
}

func set(text string) (err error) {
	name, value, _ := strings.Cut(text, "=")
	parameters[name], err = strconv.ParseFloat(value, 64)
	return err
}

// talk answers until the referee says quit or the input ends.
func talk(wire *Wire, msgpack bool) error {
	encoding := "json"
	if msgpack {
		encoding = "msgpack"
	}
	// State "full" if you want to be told the position with every request.
	hello := BotHello{Type: "hello", Name: "random-go", Encoding: encoding, State: "none"}
	if err := wire.Write(hello); err != nil {
		return err
	}
	if _, err := wire.Read(); err != nil { // the referee's own hello, which is always JSON
		return err
	}
	if msgpack {
		wire.SwitchToMessagePack()
	}
	var player *Player
	for {
		message, err := wire.Read()
		if err != nil {
			return err
		}
		switch message := message.(type) {
		case *Start:
			player = NewPlayer(message)
			err = wire.Write(Ready{Type: "ready"})
		case *Decide:
			err = wire.Write(Choose{Type: "choose", ID: message.ID, Choice: player.Choose(message)})
		case *Error:
			log.Print("refused: ", message.Message)
		case *Quit:
			return nil
		}
		if err != nil {
			return err
		}
	}
}
