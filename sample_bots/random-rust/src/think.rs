//! What the bot thinks. This is the place for your own thoughts.

use crate::messages::{Decide, Start, Words};
use fastrand::Rng;

/// One seat in one game; a new one is made at every start.
pub struct Player {
    rng: Rng,
}

impl Player {
    /// `start` has the board, the rules and your seat. Keep what you need of it.
    pub fn new(start: Start) -> Self {
        // Chance comes from the game's id and the seat, so that the same game is played the same way again.
        let seed = fnv1a(&format!("{}/{}", start.game, start.seat));
        Player {
            rng: Rng::with_seed(seed),
        }
    }

    /// The index of one of `request.choices`, all of which are legal.
    ///
    /// YOUR OWN THINKING GOES HERE. So far it is this: a kind of choice, then one of that kind.
    pub fn choose<C: Kinded, S>(&mut self, request: &Decide<C, S>) -> usize {
        let mut kinds: Vec<C::Kind> = Vec::new();
        for choice in &request.choices {
            if !kinds.contains(&choice.kind()) {
                kinds.push(choice.kind());
            }
        }
        let kind = kinds[self.rng.usize(..kinds.len())];
        let of_kind: Vec<usize> = (0..request.choices.len())
            .filter(|&index| request.choices[index].kind() == kind)
            .collect();
        of_kind[self.rng.usize(..of_kind.len())]
    }
}

/// A choice in words or in codes: both say what kind of choice they are.
pub trait Kinded {
    type Kind: Copy + PartialEq;
    fn kind(&self) -> Self::Kind;
}

impl Kinded for Words {
    type Kind = std::mem::Discriminant<Words>;
    fn kind(&self) -> Self::Kind {
        std::mem::discriminant(self)
    }
}

impl Kinded for Vec<i32> {
    type Kind = i32;
    fn kind(&self) -> i32 {
        self[0]
    }
}

fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::{State, Tag};

    /// The game and the decisions of `messages.jsonl`, which were recorded at a real table.
    fn recorded() -> (Start, Vec<Decide<Words, State>>) {
        let (mut start, mut requests) = (None, Vec::new());
        let recorded = std::fs::read_to_string("messages.jsonl").unwrap();
        for line in recorded.lines() {
            let tag: Tag = serde_json::from_str(line).unwrap();
            match tag.kind.as_str() {
                "start" => start = Some(serde_json::from_str(line).unwrap()),
                "decide" => requests.push(serde_json::from_str(line).unwrap()),
                _ => {}
            }
        }
        (start.expect("a start"), requests)
    }

    fn choices_made() -> Vec<usize> {
        let (start, requests) = recorded();
        let mut player = Player::new(start);
        requests
            .iter()
            .map(|request| player.choose(request))
            .collect()
    }

    #[test]
    fn every_choice_is_on_offer() {
        let (_, requests) = recorded();
        for (choice, request) in choices_made().into_iter().zip(&requests) {
            assert!(choice < request.choices.len());
        }
    }

    #[test]
    fn the_same_game_is_played_the_same_way_again() {
        assert!(!choices_made().is_empty());
        assert_eq!(choices_made(), choices_made());
    }
}
