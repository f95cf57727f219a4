//! The talk with the referee: a message in, an answer out, until it says quit or its input ends.

mod messages;
mod think;
mod wire;

use messages::{Decide, FromBot, Hello, Refusal, State, Tag, Words};
use serde::de::{DeserializeOwned, IgnoredAny};
use std::io;
use think::{Kinded, Player};
use wire::Wire;

fn main() -> io::Result<()> {
    let (mut codes, mut msgpack) = (false, false);
    let mut wishes = std::env::args().skip(1);
    while let Some(wish) = wishes.next() {
        match wish.as_str() {
            "--codes" => codes = true,
            "--msgpack" => msgpack = true,
            // "post=1.5" follows: a parameter that bot.toml declares.
            "--set" => drop(wishes.next()),
            _ => {
                eprintln!("{wish} is no option; there are --codes, --msgpack and --set NAME=VALUE");
                std::process::exit(2);
            }
        }
    }
    if codes {
        talk::<Vec<i32>, IgnoredAny>("codes", msgpack)
    } else {
        talk::<Words, State>("words", msgpack)
    }
}

/// One conversation: choices of the type `C` and positions of the type `S`, as the detail has them.
fn talk<C, S>(detail: &'static str, msgpack: bool) -> io::Result<()>
where
    C: Kinded + DeserializeOwned,
    S: DeserializeOwned,
{
    let mut wire = Wire::new();
    wire.write(&FromBot::Hello(Hello {
        name: "random-rust",
        encoding: if msgpack { "msgpack" } else { "json" },
        state: "none", // "full" if you want to be told the position with every request
        detail,
    }))?;
    wire.read()?; // the referee's own hello, which is always JSON
    wire.msgpack = msgpack;

    let mut player = None;
    while wire.read()? {
        match wire.decode::<Tag>()?.kind.as_str() {
            "start" => {
                player = Some(Player::new(wire.decode()?));
                wire.write(&FromBot::Ready)?;
            }
            "decide" => {
                let request: Decide<C, S> = wire.decode()?;
                let player = player.as_mut().expect("a game starts before a decision");
                let choice = player.choose(&request);
                wire.write(&FromBot::Choose {
                    id: request.id,
                    choice,
                })?;
            }
            "error" => eprintln!("refused: {}", wire.decode::<Refusal>()?.message),
            "quit" => break,
            _ => {} // an end, or something that a later referee says
        }
    }
    Ok(())
}
