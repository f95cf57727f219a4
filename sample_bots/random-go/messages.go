package main

// The messages between referee and bot, as types. What the fields mean is in the protocol's page.
// A pointer is nil where the message has null or no such field.

// What the bot says.
type (
	// BotHello says who the bot is, and how it wants to be spoken to.
	BotHello struct {
		Type     string `json:"type"`
		Name     string `json:"name"`
		Encoding string `json:"encoding"`
		State    string `json:"state"`
	}

	// Ready is the answer to Start.
	Ready struct {
		Type string `json:"type"`
	}

	// Choose is the answer to Decide: an index into its choices.
	Choose struct {
		Type   string `json:"type"`
		ID     int    `json:"id"`
		Choice int    `json:"choice"`
	}
)

// newMessage makes an empty message of the referee, nil for a type that is not known.
func newMessage(name string) any {
	switch name {
	case "hello":
		return &Hello{}
	case "start":
		return &Start{}
	case "decide":
		return &Decide{}
	case "error":
		return &Error{}
	case "end":
		return &End{}
	case "quit":
		return &Quit{}
	}
	return nil
}

// What the referee says.
type (
	// Hello is its first message.
	Hello struct {
		Type      string   `json:"type"`
		Protocol  int      `json:"protocol"`
		Referee   string   `json:"referee"`
		Game      string   `json:"game"`
		Encodings []string `json:"encodings"`
	}

	// Start begins a game.
	Start struct {
		Type    string   `json:"type"`
		Game    string   `json:"game"`
		Seat    int      `json:"seat"`
		Players []Seated `json:"players"`
		Rules   Rules    `json:"rules"`
		Board   Board    `json:"board"`
		Favours []string `json:"favours"`
		Mission []string `json:"mission"`
		Clock   Clock    `json:"clock"`
	}

	// Decide asks for a choice.
	Decide struct {
		Type     string           `json:"type"`
		ID       int              `json:"id"`
		Decision string           `json:"decision"`
		About    map[string]any   `json:"about"`
		Choices  []Choice         `json:"choices"`
		Events   []map[string]any `json:"events"`
		State    *State           `json:"state"`
		ClockMS  *float64         `json:"clock_ms"`
	}

	// Error says that the last answer was refused, and that the referee has chosen instead.
	Error struct {
		Type    string `json:"type"`
		ID      *int   `json:"id"`
		Fault   string `json:"fault"`
		Message string `json:"message"`
		Strikes int    `json:"strikes"`
		Allowed int    `json:"allowed"`
	}

	// End ends a game.
	End struct {
		Type      string           `json:"type"`
		Events    []map[string]any `json:"events"`
		State     State            `json:"state"`
		Missions  [][]string       `json:"missions"`
		Standings []Standing       `json:"standings"`
		Reason    string           `json:"reason"`
	}

	// Quit asks the bot to leave.
	Quit struct {
		Type string `json:"type"`
	}
)

// Choice is what can be done: Do says which of the other fields there are.
type Choice struct {
	Do        string   `json:"do"`
	Traders   *int     `json:"traders"`
	Merchants *int     `json:"merchants"`
	Route     *string  `json:"route"`
	Point     *int     `json:"point"`
	Tradesman *string  `json:"tradesman"`
	From      *string  `json:"from"`
	FromRoute *string  `json:"from_route"`
	FromPoint *int     `json:"from_point"`
	Pay       *Amount  `json:"pay"`
	Reward    *Reward  `json:"reward"`
	Marker    *string  `json:"marker"`
	Ability   *string  `json:"ability"`
	City      *string  `json:"city"`
	Spaces    []int    `json:"spaces"`
	Owner     *int     `json:"owner"`
	Takes     *string  `json:"takes"`
	Tile      *string  `json:"tile"`
	Markers   []string `json:"markers"`
}

// Reward is what a creation earns: one of the four, the additional post with its tradesman.
type Reward struct {
	Post       *string `json:"post"`
	Additional *string `json:"additional"`
	Tradesman  *string `json:"tradesman"`
	Develop    *string `json:"develop"`
	Special    *int    `json:"special"`
}

// Amount is so many tradesmen of each kind.
type Amount struct {
	Traders   int `json:"traders"`
	Merchants int `json:"merchants"`
}

// The table.
type (
	// Seated says who sits where.
	Seated struct {
		Seat int    `json:"seat"`
		Name string `json:"name"`
	}

	// Rules are the options that a game is played with.
	Rules struct {
		Edition          string   `json:"edition"`
		Board            string   `json:"board"`
		Players          int      `json:"players"`
		Missions         bool     `json:"missions"`
		Favours          bool     `json:"favours"`
		Neutral          *string  `json:"neutral"`
		Permits          bool     `json:"permits"`
		Promos           bool     `json:"promos"`
		PromoMarkers     []string `json:"promo_markers"`
		CountryTies      *string  `json:"country_ties"`
		PermanentMarkers *string  `json:"permanent_markers"`
		MaxTurns         int      `json:"max_turns"`
		RulesVersion     int      `json:"rules_version"`
	}

	// Clock is the time allowed, in milliseconds; nil is without limit.
	Clock struct {
		StartMS     *int `json:"start_ms"`
		BankMS      *int `json:"bank_ms"`
		IncrementMS *int `json:"increment_ms"`
		MoveMS      *int `json:"move_ms"`
	}

	// Standing is a seat's place and the parts of its total.
	Standing struct {
		Seat         int            `json:"seat"`
		Name         string         `json:"name"`
		Rank         int            `json:"rank"`
		Total        int            `json:"total"`
		Track        int            `json:"track"`
		Abilities    int            `json:"abilities"`
		Markers      int            `json:"markers"`
		Special      int            `json:"special"`
		Cities       int            `json:"cities"`
		Network      int            `json:"network"`
		Missions     int            `json:"missions"`
		Countries    map[string]int `json:"countries"`
		Disqualified *string        `json:"disqualified"`
	}
)

// The board.
type (
	// Board is the whole map; cities, routes, points and spaces are always in this order.
	Board struct {
		ID                    string              `json:"id"`
		Title                 string              `json:"title"`
		Side                  string              `json:"side"`
		Players               Range               `json:"players"`
		Aspect                float64             `json:"aspect"`
		Cities                []City              `json:"cities"`
		Routes                []Route             `json:"routes"`
		EastWest              EastWest            `json:"east_west"`
		SpecialPrestige       SpecialPrestige     `json:"special_prestige"`
		CompletedCitiesLimit  int                 `json:"completed_cities_limit"`
		CompletedTrack        *CompletedTrack     `json:"completed_track"`
		Countries             map[string]Country  `json:"countries"`
		Permits               map[string][]string `json:"permits"`
		NeutralStart          []string            `json:"neutral_start"`
		NeutralStartBritannia []string            `json:"neutral_start_britannia"`
		Missions              [][]string          `json:"missions"`
		Favours               bool                `json:"favours"`
		Replaces              map[string]string   `json:"replaces"`
	}

	// Range is how many can play.
	Range struct {
		Min int `json:"min"`
		Max int `json:"max"`
	}

	// City has its spaces from left to right.
	City struct {
		ID        string   `json:"id"`
		Name      string   `json:"name"`
		Aliases   []string `json:"aliases"`
		X         int      `json:"x"`
		Y         int      `json:"y"`
		Banner    string   `json:"banner"`
		Abilities []string `json:"abilities"`
		Countries []string `json:"countries"`
		Green     bool     `json:"green"`
		Spaces    []Space  `json:"spaces"`
	}

	// Space is for a trading post.
	Space struct {
		Privilege string `json:"privilege"`
		Shape     string `json:"shape"`
		Coin      int    `json:"coin"`
	}

	// Route has its points from the end that is named first.
	Route struct {
		ID        string    `json:"id"`
		Ends      [2]string `json:"ends"`
		Points    []Point   `json:"points"`
		Country   *string   `json:"country"`
		Tavern    bool      `json:"tavern"`
		Permanent *string   `json:"permanent"`
		MarkerAt  [2]int    `json:"marker_at"`
	}

	// Point is a connection point, of type "house" or "ship".
	Point struct {
		Type string `json:"type"`
		X    int    `json:"x"`
		Y    int    `json:"y"`
	}

	// EastWest is what linking the two cities gives to the first, second and third.
	EastWest struct {
		Ends     [2]string `json:"ends"`
		Prestige []int     `json:"prestige"`
	}

	// SpecialPrestige is to be had in one city.
	SpecialPrestige struct {
		City   string         `json:"city"`
		Routes []string       `json:"routes"`
		Spaces []SpecialSpace `json:"spaces"`
	}

	// SpecialSpace is a space of special prestige.
	SpecialSpace struct {
		Points    int    `json:"points"`
		Privilege string `json:"privilege"`
		X         int    `json:"x"`
		Y         int    `json:"y"`
	}

	// CompletedTrack says where the track of completed cities is drawn.
	CompletedTrack struct {
		First [2]int `json:"first"`
		Last  [2]int `json:"last"`
	}

	// Country says whether it needs no permit, and what its majority gives.
	Country struct {
		Home     bool  `json:"home"`
		Prestige []int `json:"prestige"`
	}
)

// The position.
type (
	// State is a position as one seat may see it. A tradesman is its seat and kind: "0t", "3m", "nt".
	State struct {
		Turn            int                   `json:"turn"`
		Active          int                   `json:"active"`
		ActionsLeft     int                   `json:"actions_left"`
		ExtraActions    int                   `json:"extra_actions"`
		Fresh           bool                  `json:"fresh"`
		Acted           bool                  `json:"acted"`
		Forgone         bool                  `json:"forgone"`
		CompletedCities int                   `json:"completed_cities"`
		MarkerSupply    int                   `json:"marker_supply"`
		Undrawn         bool                  `json:"undrawn"`
		EastWest        []any                 `json:"east_west"` // a seat's number, or "n"
		Routes          map[string]RouteState `json:"routes"`
		Cities          map[string]CityState  `json:"cities"`
		SpecialPrestige []*int                `json:"special_prestige"`
		Favours         []string              `json:"favours"`
		Players         []PlayerState         `json:"players"`
		Mission         []string              `json:"mission"`
		PlateSeen       []string              `json:"plate_seen"`
		InHand          []string              `json:"in_hand"`
		Permits         *Permits              `json:"permits"`
		Laid            []Laid                `json:"laid"`
		MarkersOut      []string              `json:"markers_out"`
		Neutral         *Neutral              `json:"neutral"`
	}

	// RouteState is what stands and lies on a route.
	RouteState struct {
		Points []*string `json:"points"`
		Marker *string   `json:"marker"`
	}

	// CityState is the posts of a city.
	CityState struct {
		Posts      []*string `json:"posts"`
		Additional []string  `json:"additional"`
	}

	// PlayerState is what lies before one player.
	PlayerState struct {
		Seat        int      `json:"seat"`
		Prestige    int      `json:"prestige"`
		Stock       Amount   `json:"stock"`
		Supply      Amount   `json:"supply"`
		Desk        Desk     `json:"desk"`
		Markers     []string `json:"markers"`
		UsedMarkers []string `json:"used_markers"`
		Plate       int      `json:"plate"`
		Favours     []string `json:"favours"`
	}

	// Desk is how many steps of each ability are developed.
	Desk struct {
		Keys      int `json:"keys"`
		Actions   int `json:"actions"`
		Privilege int `json:"privilege"`
		Book      int `json:"book"`
		Bank      int `json:"bank"`
	}

	// Permits are those of the active seat.
	Permits struct {
		Cities map[string]int `json:"cities"`
		Spent  []string       `json:"spent"`
		Bought bool           `json:"bought"`
	}

	// Laid is a tribute or block above a route.
	Laid struct {
		Marker string `json:"marker"`
		Route  string `json:"route"`
		Seat   int    `json:"seat"`
	}

	// Neutral is the neutral colour.
	Neutral struct {
		Prestige int `json:"prestige"`
	}
)
