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
    let wishes: Vec<String> = std::env::args().skip(1).collect();
    if let Some(unknown) = wishes.iter().find(|w| *w != "--codes" && *w != "--msgpack") {
        eprintln!("{unknown} is no option; there are --codes and --msgpack");
        std::process::exit(2);
    }
    let msgpack = wishes.iter().any(|wish| wish == "--msgpack");
    if wishes.iter().any(|wish| wish == "--codes") {
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
