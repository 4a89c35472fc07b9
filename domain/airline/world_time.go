package airline

import "fmt"

// The calendar of a world. Minutes are counted from the midnight before the
// day in question and may pass 24 hours.
const (
	firstDay = 1
	today    = 15
	lastDay  = 30

	minutesPerDay = 24 * 60
	nowMinute     = 15 * 60
)

// date spells a day of May 2024.
func date(day int) string { return fmt.Sprintf("2024-05-%02d", day) }

// stamp spells a minute of a day of May 2024.
func stamp(day, minute int) string {
	return date(day+minute/minutesPerDay) + "T" + clock(minute%minutesPerDay)
}

func clock(minute int) string { return fmt.Sprintf("%02d:%02d:00", minute/60, minute%60) }

// schedule spells a timetable entry, with "+1" when it falls on the next day.
func schedule(minute int) string {
	if minute >= minutesPerDay {
		return clock(minute-minutesPerDay) + "+1"
	}
	return clock(minute)
}

// minuteOf reads a timetable entry.
func minuteOf(entry string) int {
	m := int(entry[0]-'0')*600 + int(entry[1]-'0')*60 + int(entry[3]-'0')*10 + int(entry[4]-'0')
	if len(entry) > len("15:04:05") {
		m += minutesPerDay
	}
	return m
}

// weekday of a day of May 2024, Monday being 0; the 1st was a Wednesday.
func weekday(day int) int { return (day + 1) % 7 }

// blockMinutes is how long a flight of a distance takes: half an hour and 800
// kilometres an hour, rounded up to five minutes.
func blockMinutes(km int) int { return (30 + km*3/40 + 4) / 5 * 5 }
