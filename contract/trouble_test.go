package contract

import (
	"slices"
	"strings"
	"testing"
)

const radio = `
format: 1
domain: radio
reads:
  station: {tool: get_station, args: [id], over: [stations]}
  dial: {tool: look_at_dial, args: []}
customer:
  table: people
  read: ""
  identify: [{way: id, facts: [{act: my_id, slots: {id: me.id}}], finds: said.id}]
records: {station: {table: stations, key: id, read: station, owner: person, listed: stations}}
device:
  record: station
  where: own.works
  facts: [{act: my_radio, slots: {serial: own.serial}}]
  finds: "said.serial + '-1'"
  setup: [{side: user, func: plug_in, args: {id: device}}]
tools:
  get_station: {type: READ}
  look_at_dial: {type: READ, side: user}
  turn_dial: {type: WRITE, side: user}
  paint_dial: {type: WRITE, side: user, unseen: true}
  open_station: {type: WRITE}
  hand_over: {type: GENERIC}
protocol: {handoff: hand_over}
wishes:
  - {name: open, does: open_station, args: {id: device}, plant: [{side: assistant, func: close, args: {id: device}}]}
gold: {keep: [WRITE]}
troubles:
  - name: silence
    slots: [{name: volume, from: "[1, 2]"}]
    details: [{act: loud, set: {volume: volume}}]
    where: ["!dial().contains('music')"]
    solved: {tool: look_at_dial, shows: music}
faults:
  - name: off
    troubles: [silence]
    slots: [{name: how, from: "['left', 'right']"}]
    plant: [{side: user, func: turn_off, args: {how: ask.how}}]
    shows: dial().contains('off')
    repairs: [{tool: turn_dial, args: {to: ask.volume}, shared: true, or: [open_station]}]
    excludes: [open]
assertions:
  - {side: user, func: assert_music, each: "[1, 2]", when: "size(calls) > 0", args: {level: item}}
`

func TestTroublesLoad(t *testing.T) {
	c, err := Load([]byte(radio))
	if err != nil {
		t.Fatal(err)
	}
	if w := c.Wish("silence"); w == nil || w != &c.Trouble("silence").Wish || slices.Contains(c.Wishes, w) {
		t.Error("a trouble is found as a wish, and is none")
	}
	if f := c.Behind("silence"); len(f) != 1 || f[0] != c.Defect("off") {
		t.Errorf("behind silence stands %v", f)
	}
	for tool, want := range map[string]bool{"turn_dial": true, "paint_dial": false, "look_at_dial": false, "hand_over": true} {
		if c.InGold(tool) != want {
			t.Errorf("%s in gold: %v", tool, !want)
		}
	}
	if !c.OfUser("turn_dial") || c.OfUser("open_station") {
		t.Error("whose tool is it?")
	}
	if !c.Identifies("my_radio") || !c.Knows("serial") {
		t.Error("what is said of the device is no fact")
	}
	s := &Scope{Contract: c, Said: map[string]any{}}
	repair := c.Defect("off").Repairs[0].Args["to"]
	if _, err := s.Eval(repair); err == nil || !strings.Contains(err.Error(), "volume") {
		t.Errorf("the volume is known: %v", err)
	}
	open := c.Wish("open").Args["id"]
	if _, err := s.Eval(open); err == nil || !strings.Contains(err.Error(), "serial") {
		t.Errorf("the device is known: %v", err)
	}
	s.Said["serial"] = "R"
	if v, err := s.Eval(open); err != nil || v != "R-1" {
		t.Errorf("device %v, %v", v, err)
	}
}

func TestTroublesNameWhatIsThere(t *testing.T) {
	for from, to := range map[string]string{
		"troubles: [silence]":                  "troubles: [noise]",
		"excludes: [open]":                     "excludes: [shut]",
		"tool: turn_dial":                      "tool: turn_knob",
		"or: [open_station]":                   "or: [shut_station]",
		"{side: user, func: assert_":           "{side: me, func: assert_",
		"solved: {tool: look_at_dial":          "solved: {tool: look_at_nothing",
		"  record: station":                    "  record: radio",
		"side: user, func: turn_off":           "side: them, func: turn_off",
		"set: {volume: volume}":                "set: {volume: loudness}",
		"shows: dial().contains('off')":        "shows: dial().contains(sound)",
		"turn_dial: {type: WRITE, side: user}": "turn_dial: {type: WRITE, side: both}",
	} {
		if !strings.Contains(radio, from) {
			t.Fatalf("%s is not there", from)
		}
		if _, err := Load([]byte(strings.Replace(radio, from, to, 1))); err == nil {
			t.Errorf("%s loads", to)
		}
	}
}
