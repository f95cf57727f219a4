// The messages between referee and bot, as types. What the fields mean is in the protocol's page.

// -- what the bot says

export type FromBot = BotHello | Ready | Choose;

export interface BotHello {
  type: "hello";
  name: string;
  version?: string;
  author?: string;
  protocol?: number;
  encoding?: "json" | "msgpack";
  state?: "full" | "none";
  detail?: "words" | "codes";
}

export interface Ready {
  type: "ready";
}

export interface Choose {
  type: "choose";
  id: number;
  choice: number;
  say?: string;
}

// -- what the referee says

export type FromReferee = Hello | Start | Decide | Refusal | End | Quit;

export interface Hello {
  type: "hello";
  protocol: number;
  referee: string;
  game: string;
  encodings: string[];
}

export interface Start {
  type: "start";
  game: string;
  seat: number;
  players: { seat: number; name: string }[];
  rules: Rules;
  board: Board;
  favours: Favour[];
  mission: string[] | null;
  clock: Clock;
}

export interface Decide {
  type: "decide";
  id: number;
  decision: string;
  about?: About;
  choices: Choice[];
  events: Event[];
  state?: State;
  clock_ms: number | null;
}

export interface Refusal {
  type: "error";
  id: number | null;
  fault: Fault;
  message: string;
  strikes: number;
  allowed: number;
}

export interface End {
  type: "end";
  events: Event[];
  state: State;
  missions: (string[] | null)[];
  standings: Standing[];
  reason: "prestige" | "markers" | "cities" | "max-turns" | "abandoned";
}

export interface Quit {
  type: "quit";
}

// -- the names of things

export type Kind = "trader" | "merchant";
export type Ability = "keys" | "actions" | "privilege" | "book" | "bank";
export type Colour = "white" | "orange" | "pink" | "black";
export type Marker =
  | "additional-post"
  | "exchange-posts"
  | "develop-ability"
  | "plus-3-actions"
  | "plus-4-actions"
  | "move-3"
  | "remove-3"
  | "swap-marker"
  | "tribute"
  | "block";
export type PermanentMarker =
  "move-2-any" | "develop-privilege" | "green-post" | "place-2-from-route" | "place-2-abroad";
export type Favour =
  "relocate-anywhere" | "extra-action" | "levy" | "reinforce" | "patron" | "scholar";
export type Fault = "start" | "timeout" | "crash" | "garbage" | "illegal" | "flood" | "ponder";
export type Source = "displaced" | "stock" | "supply" | "route" | "point";
/** A seat's number, or "n" for the neutral colour. */
export type SeatOrNeutral = number | "n";
/** Seat and kind, such as "0t", "3m" or "nt". */
export type Tradesman = string;

export interface Amount {
  traders: number;
  merchants: number;
}

export interface Place {
  route: string;
  point: number;
}

/** Where a tradesman comes from; with "point" also which point that is. */
export interface Origin {
  from: Source;
  from_route?: string;
  from_point?: number;
}

// -- choices, told apart by `do`

export type Choice =
  | { do: "income"; traders: number; merchants: number }
  | ({ do: "place"; tradesman: Kind } & Place & Partial<Origin>)
  | ({ do: "displace"; tradesman: Kind; pay: Amount } & Place)
  | { do: "move" }
  | { do: "create"; route: string; reward: Reward | null }
  | Use
  | { do: "favour"; tile: Favour; markers: Marker[] }
  | { do: "permit"; marker: Marker }
  | { do: "end-turn" }
  | ({ do: "lift" } & Place)
  | { do: "stop" }
  | ({ do: "put" } & Place)
  | ({ do: "relocate"; tradesman: Kind } & Origin & Place)
  | { do: "levy"; tradesman: Kind }
  | { do: "decline" }
  | { do: "green-post"; city: string; tradesman: Kind }
  | { do: "develop"; ability: Ability }
  | { do: "place-marker"; marker: Marker; route: string }
  | { do: "neutral-post"; city: string }
  | { do: "tribute"; traders: number; merchants: number }
  | { do: "pay"; traders: number; merchants: number };

export interface Use {
  do: "use";
  marker: Marker;
  ability?: Ability;
  city?: string;
  spaces?: number[];
  owner?: number;
  takes?: Marker;
  route?: string;
}

export type Reward =
  | { post: string }
  | { additional: string; tradesman: Kind }
  | { develop: Ability }
  | { special: number };

/** What a decision concerns: which of these there are depends on the kind of decision. */
export interface About {
  why?: string;
  unbound?: boolean;
  left?: number;
  lifted?: ({ tradesman: Tradesman } & Place)[];
  rest?: ({ tradesman: Tradesman } & Place)[];
  tradesman?: Tradesman;
  route?: string;
  created?: string | null;
  city?: string;
  point?: number;
  by?: number;
  owner?: SeatOrNeutral;
  extras?: number;
  placed?: Place[];
  marker?: PermanentMarker;
  post?: string | null;
  markers?: Marker[];
}

/** What happened: `event` says which of the other fields there are. */
export interface Event {
  event: string;
  [field: string]: unknown;
}

// -- the table

export interface Rules {
  edition: string;
  board: string;
  players: number;
  missions: boolean;
  favours: boolean;
  neutral: string | null;
  permits: boolean;
  promos: boolean;
  promo_markers: Marker[] | null;
  country_ties: string | null;
  permanent_markers: string | null;
  max_turns: number;
  rules_version: number;
}

/** Milliseconds; null is without limit. */
export interface Clock {
  start_ms: number | null;
  bank_ms: number | null;
  increment_ms: number | null;
  move_ms: number | null;
}

export interface Standing {
  seat: number;
  name: string;
  rank: number;
  total: number;
  track: number;
  abilities: number;
  markers: number;
  special: number;
  cities: number;
  network: number;
  missions: number;
  countries: Record<string, number>;
  disqualified: Fault | null;
}

// -- the board

export interface Board {
  id: string;
  title: string;
  side: string;
  players: { min: number; max: number };
  aspect: number;
  cities: City[];
  routes: Route[];
  east_west: { ends: [string, string]; prestige: number[] };
  special_prestige: { city: string; routes: string[]; spaces: SpecialSpace[] };
  completed_cities_limit: number;
  completed_track?: { first: [number, number]; last: [number, number] } | null;
  countries: Record<string, { home: boolean; prestige: number[] }>;
  permits: Record<string, string[]>;
  neutral_start: string[];
  neutral_start_britannia?: string[];
  missions: string[][];
  favours: boolean;
  replaces: Record<string, string>;
}

export interface City {
  id: string;
  name: string;
  aliases: string[];
  x: number;
  y: number;
  banner: string;
  abilities: Ability[];
  countries: string[];
  green: boolean;
  spaces: { privilege: Colour; shape: "square" | "round"; coin: number }[];
}

export interface Route {
  id: string;
  ends: [string, string];
  points: { type: "house" | "ship"; x: number; y: number }[];
  country: string | null;
  tavern: boolean;
  permanent: PermanentMarker | null;
  marker_at: [number, number];
}

export interface SpecialSpace {
  points: number;
  privilege: Colour;
  x: number;
  y: number;
}

// -- the position

/** A position as one seat may see it. */
export interface State {
  turn: number;
  active: number;
  actions_left: number;
  extra_actions: number;
  fresh: boolean;
  acted: boolean;
  forgone: boolean;
  completed_cities: number;
  marker_supply: number;
  undrawn: boolean;
  east_west: SeatOrNeutral[];
  routes: Record<string, { points: (Tradesman | null)[]; marker: Marker | null }>;
  cities: Record<string, { posts: (Tradesman | null)[]; additional: Tradesman[] }>;
  special_prestige: (number | null)[];
  favours: Favour[];
  players: PlayerState[];
  mission: string[] | null;
  plate_seen: Marker[];
  in_hand: Tradesman[];
  permits: { cities: Record<string, number>; spent: string[]; bought: boolean } | null;
  laid: { marker: Marker; route: string; seat: number }[];
  markers_out: Marker[];
  neutral: { prestige: number } | null;
}

export interface PlayerState {
  seat: number;
  prestige: number;
  stock: Amount;
  supply: Amount;
  desk: Record<Ability, number>;
  markers: Marker[];
  used_markers: Marker[];
  plate: number;
  favours: Favour[];
}
