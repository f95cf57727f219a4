//! The messages between referee and bot, as types. What the fields mean is in the protocol's page.

#![allow(dead_code)] // a bot need not look at everything that it is told

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// What the bot says.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum FromBot {
    Hello(Hello),
    Ready,
    Choose { id: u32, choice: usize },
}

/// Who the bot is, and how it wants to be spoken to.
#[derive(Serialize)]
pub struct Hello {
    pub name: &'static str,
    pub encoding: &'static str,
    pub state: &'static str,
    pub detail: &'static str,
}

// -- what the referee says: a message with the type "start" is a Start, and so on

/// What every message has.
#[derive(Deserialize)]
pub struct Tag {
    #[serde(rename = "type")]
    pub kind: String,
}

#[derive(Deserialize, Serialize)]
pub struct RefereeHello {
    pub protocol: u32,
    pub referee: String,
    pub game: String,
    pub encodings: Vec<String>,
}

#[derive(Deserialize, Serialize)]
pub struct Start {
    pub game: String,
    pub seat: usize,
    pub players: Vec<Seated>,
    pub rules: Rules,
    pub board: Board,
    pub favours: Vec<String>,
    pub mission: Option<Vec<String>>,
    pub clock: Clock,
}

/// A decision, with choices and position in words or, as other types, in codes.
#[derive(Deserialize, Serialize)]
pub struct Decide<C = Words, S = State> {
    pub id: u32,
    pub decision: String,
    pub about: Option<Value>,
    pub choices: Vec<C>,
    pub events: Vec<Value>,
    pub state: Option<S>,
    pub clock_ms: Option<f64>,
}

#[derive(Deserialize, Serialize)]
pub struct Refusal {
    pub id: Option<u32>,
    pub fault: String,
    pub message: String,
    pub strikes: u32,
    pub allowed: u32,
}

#[derive(Deserialize, Serialize)]
pub struct End<S = State> {
    pub events: Vec<Value>,
    pub state: S,
    pub missions: Vec<Option<Vec<String>>>,
    pub standings: Vec<Standing>,
    pub reason: String,
}

// -- choices

/// A choice in words: what it does, and what that needs.
#[derive(Deserialize, Serialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Words {
    Income {
        traders: u32,
        merchants: u32,
    },
    Place {
        route: String,
        point: usize,
        tradesman: String,
        from: Option<String>,
        from_route: Option<String>,
        from_point: Option<usize>,
    },
    Displace {
        route: String,
        point: usize,
        tradesman: String,
        pay: Amount,
    },
    Move,
    Create {
        route: String,
        reward: Option<Reward>,
    },
    Use {
        marker: String,
        ability: Option<String>,
        city: Option<String>,
        spaces: Option<Vec<usize>>,
        owner: Option<usize>,
        takes: Option<String>,
        route: Option<String>,
    },
    Favour {
        tile: String,
        markers: Vec<String>,
    },
    Permit {
        marker: String,
    },
    EndTurn,
    Lift {
        route: String,
        point: usize,
    },
    Stop,
    Put {
        route: String,
        point: usize,
    },
    Relocate {
        tradesman: String,
        from: String,
        from_route: Option<String>,
        from_point: Option<usize>,
        route: String,
        point: usize,
    },
    Levy {
        tradesman: String,
    },
    Decline,
    GreenPost {
        city: String,
        tradesman: String,
    },
    Develop {
        ability: String,
    },
    PlaceMarker {
        marker: String,
        route: String,
    },
    NeutralPost {
        city: String,
    },
    Tribute {
        traders: u32,
        merchants: u32,
    },
    Pay {
        traders: u32,
        merchants: u32,
    },
    /// Something that a later referee offers.
    #[serde(other)]
    Unknown,
}

/// What a creation earns: one of the four, the additional post with its tradesman.
#[derive(Deserialize, Serialize)]
pub struct Reward {
    pub post: Option<String>,
    pub additional: Option<String>,
    pub tradesman: Option<String>,
    pub develop: Option<String>,
    pub special: Option<u32>,
}

#[derive(Deserialize, Serialize)]
pub struct Amount {
    pub traders: u32,
    pub merchants: u32,
}

// -- the table

#[derive(Deserialize, Serialize)]
pub struct Seated {
    pub seat: usize,
    pub name: String,
}

#[derive(Deserialize, Serialize)]
pub struct Rules {
    pub edition: String,
    pub board: String,
    pub players: usize,
    pub missions: bool,
    pub favours: bool,
    pub neutral: Option<String>,
    pub permits: bool,
    pub promos: bool,
    pub promo_markers: Option<Vec<String>>,
    pub country_ties: Option<String>,
    pub permanent_markers: Option<String>,
    pub max_turns: u32,
    pub rules_version: u32,
}

/// Milliseconds; None is without limit.
#[derive(Deserialize, Serialize)]
pub struct Clock {
    pub start_ms: Option<u64>,
    pub bank_ms: Option<u64>,
    pub increment_ms: Option<u64>,
    pub move_ms: Option<u64>,
}

#[derive(Deserialize, Serialize)]
pub struct Standing {
    pub seat: usize,
    pub name: String,
    pub rank: u32,
    pub total: i32,
    pub track: i32,
    pub abilities: i32,
    pub markers: i32,
    pub special: i32,
    pub cities: i32,
    pub network: i32,
    pub missions: i32,
    pub countries: BTreeMap<String, i32>,
    pub disqualified: Option<String>,
}

// -- the board

#[derive(Deserialize, Serialize)]
pub struct Board {
    pub id: String,
    pub title: String,
    pub side: String,
    pub players: Range,
    pub aspect: f64,
    pub cities: Vec<City>,
    pub routes: Vec<Route>,
    pub east_west: EastWest,
    pub special_prestige: SpecialPrestige,
    pub completed_cities_limit: u32,
    pub completed_track: Option<CompletedTrack>,
    pub countries: BTreeMap<String, Country>,
    pub permits: BTreeMap<String, Vec<String>>,
    pub neutral_start: Vec<String>,
    pub neutral_start_britannia: Option<Vec<String>>,
    pub missions: Vec<Vec<String>>,
    pub favours: bool,
    pub replaces: BTreeMap<String, String>,
}

#[derive(Deserialize, Serialize)]
pub struct Range {
    pub min: usize,
    pub max: usize,
}

#[derive(Deserialize, Serialize)]
pub struct City {
    pub id: String,
    pub name: String,
    pub aliases: Vec<String>,
    pub x: i32,
    pub y: i32,
    pub banner: String,
    pub abilities: Vec<String>,
    pub countries: Vec<String>,
    pub green: bool,
    pub spaces: Vec<Space>,
}

#[derive(Deserialize, Serialize)]
pub struct Space {
    pub privilege: String,
    pub shape: String,
    pub coin: u32,
}

#[derive(Deserialize, Serialize)]
pub struct Route {
    pub id: String,
    pub ends: [String; 2],
    pub points: Vec<Point>,
    pub country: Option<String>,
    pub tavern: bool,
    pub permanent: Option<String>,
    pub marker_at: [i32; 2],
}

#[derive(Deserialize, Serialize)]
pub struct Point {
    #[serde(rename = "type")]
    pub kind: String,
    pub x: i32,
    pub y: i32,
}

#[derive(Deserialize, Serialize)]
pub struct EastWest {
    pub ends: [String; 2],
    pub prestige: Vec<u32>,
}

#[derive(Deserialize, Serialize)]
pub struct SpecialPrestige {
    pub city: String,
    pub routes: Vec<String>,
    pub spaces: Vec<SpecialSpace>,
}

#[derive(Deserialize, Serialize)]
pub struct SpecialSpace {
    pub points: u32,
    pub privilege: String,
    pub x: i32,
    pub y: i32,
}

#[derive(Deserialize, Serialize)]
pub struct CompletedTrack {
    pub first: [i32; 2],
    pub last: [i32; 2],
}

#[derive(Deserialize, Serialize)]
pub struct Country {
    pub home: bool,
    pub prestige: Vec<u32>,
}

// -- the position

/// A position as one seat may see it. A tradesman is its seat and kind, such as "0t" or "nm".
#[derive(Deserialize, Serialize)]
pub struct State {
    pub turn: u32,
    pub active: usize,
    pub actions_left: u32,
    pub extra_actions: u32,
    pub fresh: bool,
    pub acted: bool,
    pub forgone: bool,
    pub completed_cities: u32,
    pub marker_supply: u32,
    pub undrawn: bool,
    pub east_west: Vec<Value>, // a seat's number, or "n"
    pub routes: BTreeMap<String, RouteState>,
    pub cities: BTreeMap<String, CityState>,
    pub special_prestige: Vec<Option<usize>>,
    pub favours: Vec<String>,
    pub players: Vec<PlayerState>,
    pub mission: Option<Vec<String>>,
    pub plate_seen: Vec<String>,
    pub in_hand: Vec<String>,
    pub permits: Option<Permits>,
    pub laid: Vec<Laid>,
    pub markers_out: Vec<String>,
    pub neutral: Option<Neutral>,
}

#[derive(Deserialize, Serialize)]
pub struct RouteState {
    pub points: Vec<Option<String>>,
    pub marker: Option<String>,
}

#[derive(Deserialize, Serialize)]
pub struct CityState {
    pub posts: Vec<Option<String>>,
    pub additional: Vec<String>,
}

#[derive(Deserialize, Serialize)]
pub struct PlayerState {
    pub seat: usize,
    pub prestige: i32,
    pub stock: Amount,
    pub supply: Amount,
    pub desk: Desk,
    pub markers: Vec<String>,
    pub used_markers: Vec<String>,
    pub plate: u32,
    pub favours: Vec<String>,
}

/// How many steps of each ability are developed.
#[derive(Deserialize, Serialize)]
pub struct Desk {
    pub keys: u32,
    pub actions: u32,
    pub privilege: u32,
    pub book: u32,
    pub bank: u32,
}

#[derive(Deserialize, Serialize)]
pub struct Permits {
    pub cities: BTreeMap<String, u32>,
    pub spent: Vec<String>,
    pub bought: bool,
}

#[derive(Deserialize, Serialize)]
pub struct Laid {
    pub marker: String,
    pub route: String,
    pub seat: usize,
}

#[derive(Deserialize, Serialize)]
pub struct Neutral {
    pub prestige: i32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::de::DeserializeOwned;
    use serde_json::{from_value, json, to_value};

    /// Null and absent are the same here, and so are 1500 and 1500.0.
    fn simplify(value: &mut Value) {
        match value {
            Value::Number(number) => *value = number.as_f64().into(),
            Value::Object(fields) => {
                fields.retain(|_, field| !field.is_null());
                fields.values_mut().for_each(simplify);
            }
            Value::Array(items) => items.iter_mut().for_each(simplify),
            _ => {}
        }
    }

    fn through<M: DeserializeOwned + Serialize>(sent: &Value) -> Value {
        let message: M = from_value(sent.clone()).expect("a message of this type");
        to_value(message).unwrap()
    }

    #[test]
    fn the_types_have_every_field_that_the_referee_sends() {
        let recorded = std::fs::read_to_string("messages.jsonl").unwrap();
        for line in recorded.lines() {
            let mut sent: Value = serde_json::from_str(line).unwrap();
            let mut understood = match sent["type"].as_str().unwrap() {
                "hello" => through::<RefereeHello>(&sent),
                "start" => through::<Start>(&sent),
                "decide" => through::<Decide>(&sent),
                "error" => through::<Refusal>(&sent),
                "end" => through::<End>(&sent),
                other => json!({ "type": other }),
            };
            understood["type"] = sent["type"].clone();
            simplify(&mut sent);
            simplify(&mut understood);
            assert_eq!(understood, sent);
        }
    }
}
