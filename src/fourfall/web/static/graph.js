// Owns the evaluation graph: the first player's chances over a game, to look at, click, touch or walk with arrows.

import { el, svg } from "./dom.js";
import { t } from "./language.js";
import { height, verdict } from "./scores.js";

const TALL = 120;
const PAD = 10;
const LEFT = 26;
const GUIDES = [0.1, 0.25, 0.5, 0.75, 0.9];

export class Graph {
  /** `onPly(ply)` hears where somebody points. */
  constructor(onPly) {
    this.onPly = onPly;
    this.picture = svg("svg", { "aria-hidden": "true", height: TALL });
    this.element = el("div", { class: "graph", role: "slider", tabindex: 0, "aria-valuemin": 0 }, this.picture);
    this.points = [];
    this.ply = 0;
    this.names = ["", ""];
    this.element.addEventListener("pointerdown", (event) => {
      this.element.setPointerCapture(event.pointerId);
      this.point(event);
    });
    this.element.addEventListener("pointermove", (event) => event.buttons && this.point(event));
    this.element.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  /** `points`: for every ply from 0 { score (first player's) or null, mark }. */
  show(points, ply, names) {
    Object.assign(this, { points, ply, names });
    this.draw();
    this.element.setAttribute("aria-label", t("graph"));
    this.element.setAttribute("aria-valuemax", points.length - 1);
    this.element.setAttribute("aria-valuenow", ply);
    const score = points[ply]?.score;
    this.element.setAttribute("aria-valuetext", t("graph.at", ply, score ? verdict(score, names) : t("unknown")));
  }

  x(ply) {
    return LEFT + (ply / Math.max(this.points.length - 1, 1)) * (this.wide - LEFT - PAD);
  }

  y(chance) {
    return TALL / 2 - height(chance) * (TALL / 2 - PAD);
  }

  draw() {
    this.wide = this.element.clientWidth;
    if (!this.wide || !this.points.length) return;
    this.picture.setAttribute("viewBox", `0 0 ${this.wide} ${TALL}`);
    const guides = GUIDES.map((chance) =>
      svg("line", {
        class: chance === 0.5 ? "guide even" : "guide",
        x1: LEFT,
        x2: this.wide - PAD,
        y1: this.y(chance),
        y2: this.y(chance),
      }),
    );
    const known = this.points.map((point, ply) => ({ ...point, ply })).filter((point) => point.score);
    const dots = known
      .filter((point) => point.mark)
      .map((point) =>
        svg(
          "g",
          {
            class: `dot ${point.mark}`,
            transform: `translate(${this.x(point.ply)} ${this.y(point.score.win_chance)})`,
          },
          markShape(point.mark),
        ),
      );
    const here = svg("line", { class: "here", x1: this.x(this.ply), x2: this.x(this.ply), y1: 2, y2: TALL - 2 });
    const now = this.points[this.ply]?.score;
    const spot = now && svg("circle", { class: "spot", cx: this.x(this.ply), cy: this.y(now.win_chance), r: 4.5 });
    const sides = [
      [12, 12, "circle", { r: 5 }],
      [12, TALL - 12, "rect", { x: -4, y: -4, width: 8, height: 8, transform: "rotate(45)" }],
    ].map(([x, y, shape, attributes], player) =>
      svg("g", { class: `player-${player}`, transform: `translate(${x} ${y})` }, svg(shape, attributes)),
    );
    this.picture.replaceChildren(...guides, ...sides, ...this.areas(known), here, ...(spot ? [spot] : []), ...dots);
  }

  /** The curve, with the room between it and the even line in the colour of the side that is better. */
  areas(known) {
    if (known.length < 2) return [];
    const middle = TALL / 2;
    const at = known.map((point) => [this.x(point.ply), this.y(point.score.win_chance)]);
    const area = (bound) => {
      const edge = at.map(([x, y], index) => `${crossing(at[index - 1], [x, y], middle)}L${x} ${bound(y, middle)}`);
      return `M${at[0][0]} ${middle}${edge.join("")}L${at.at(-1)[0]} ${middle}Z`;
    };
    return [
      svg("path", { class: "area first", d: area(Math.min) }),
      svg("path", { class: "area second", d: area(Math.max) }),
      svg("path", { class: "curve", d: `M${at.map((point) => point.join(" ")).join("L")}` }),
    ];
  }

  point(event) {
    const box = this.element.getBoundingClientRect();
    const share = (event.clientX - box.left - LEFT) / (box.width - LEFT - PAD);
    this.onPly(Math.round(Math.min(Math.max(share, 0), 1) * (this.points.length - 1)));
  }

  key(event) {
    const last = this.points.length - 1;
    const target = {
      ArrowLeft: this.ply - 1,
      ArrowDown: this.ply - 1,
      ArrowRight: this.ply + 1,
      ArrowUp: this.ply + 1,
      Home: 0,
      End: last,
      PageDown: this.ply - 10,
      PageUp: this.ply + 10,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.onPly(Math.min(Math.max(target, 0), last));
  }
}

/** Where the curve crosses the even line between two points, so that neither colour spills over. */
function crossing(from, to, middle) {
  if (!from || (from[1] - middle) * (to[1] - middle) >= 0) return "";
  const share = (middle - from[1]) / (to[1] - from[1]);
  return `L${from[0] + share * (to[0] - from[0])} ${middle}`;
}

/** A mistake's shape says how bad it is: triangle, square, cross. */
function markShape(mark) {
  const shape = {
    inaccuracy: "M0-5.500L5.500 4.500H-5.500Z",
    mistake: "M-4.500-4.500H4.500V4.500H-4.500Z",
    blunder: "M-5-5L5 5M5-5L-5 5",
  }[mark];
  return svg("path", { d: shape });
}
