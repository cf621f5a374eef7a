// English strings of the ladder, loaded with its view.

import { counted } from "./plural.js";

/** @type {import("./language.js").Words} */
export const words = {
  "ladder.standings": "Standings",
  "ladder.help":
    "Ratings are relative to the mean of the agents, with 95% intervals. The trend is the change over about the last 100 games of the ladder.",
  "ladder.elo": "Elo",
  "ladder.interval": "Interval",
  "ladder.interval.between": "{0} to {1}",
  "ladder.trend": "Trend",
  "ladder.trend.up": "rising: {0}",
  "ladder.trend.down": "falling: {0}",
  "ladder.state.removed": "removed",
  "ladder.state.suspended": "suspended",
  "ladder.new": "not rated yet",
  "ladder.none": "No agents yet. Register agents with “fourfall ladder add ADDRESS”.",
  "ladder.line": "Draw the ratings of {0} as a line",
  "ladder.chart": "Ratings over time",
  "ladder.chart.label": "Ratings over time; the arrow keys select a point in time",
  "ladder.chart.help":
    "The names in the table select the lines. Earlier ratings are shifted so that a newcomer does not move the others.",
  "ladder.chart.none": "The chart appears after the first two pairs of games.",
  "ladder.chart.games": "games",
  "ladder.chart.point": (games, date) => `After ${counted(games, "game")}, ${date}`,
  "ladder.suspended": "Suspended agents",
  "ladder.suspended.help":
    "An agent that keeps losing by failures is not paired any more. “fourfall ladder resume NAME” activates it again; “fourfall ladder show” prints the command that reproduces the failure.",
  "ladder.suspended.all": (played) => `lost its last ${counted(played, "game")} by failures`,
  "ladder.suspended.some": (failed, played) => `lost ${failed} of its last ${counted(played, "game")} by failures`,
  "ladder.suspended.game": "Show the last one",
};
