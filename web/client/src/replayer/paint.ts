import { SHAPES } from "../table/Card.js";
import type { CardShape, Rect, Shape, Text } from "./picture.js";

const FONT = "system-ui, sans-serif";
const INK: Readonly<Record<string, string>> = { s: "#14191e", c: "#14191e", h: "#c11f1f", d: "#c11f1f" };

/** Draws them one over the other, in their order. */
export function paint(on: CanvasRenderingContext2D, shapes: readonly Shape[]): void {
  for (const shape of shapes) {
    if (shape.kind === "rect") box(on, shape);
    else if (shape.kind === "text") words(on, shape);
    else card(on, shape);
  }
}

function box(on: CanvasRenderingContext2D, { at, size, radius, fill, edge }: Rect): void {
  on.beginPath();
  on.roundRect(at.x - size.width / 2, at.y - size.height / 2, size.width, size.height, radius);
  on.fillStyle = fill;
  on.fill();
  if (edge === undefined) return;
  on.strokeStyle = edge.colour;
  on.lineWidth = edge.width;
  on.stroke();
}

function words(on: CanvasRenderingContext2D, { at, text, size, fill, bold, align, most }: Text): void {
  on.font = `${bold ? 700 : 500} ${size}px ${FONT}`;
  on.textAlign = align ?? "center";
  on.textBaseline = "middle";
  on.fillStyle = fill;
  on.fillText(text, at.x, at.y, most);
}

function card(on: CanvasRenderingContext2D, { at, size, card: which, dim }: CardShape): void {
  on.save();
  if (dim) on.globalAlpha = 0.55;
  const edge = { colour: "#0006", width: 1 };
  box(on, { kind: "rect", at, size, radius: 5, fill: which === null ? "#7c2330" : "#fdfdfb", edge });
  if (which !== null) {
    const suit = which.charAt(1);
    const ink = INK[suit] ?? "#14191e";
    const rank = which.charAt(0) === "T" ? "10" : which.charAt(0);
    const up = { x: at.x, y: at.y - size.height * 0.2 };
    words(on, { kind: "text", at: up, text: rank, size: size.height * 0.42, fill: ink, bold: true });
    const wide = size.height * 0.38;
    on.translate(at.x - wide / 2, at.y + size.height * 0.06);
    on.scale(wide / 100, wide / 100);
    on.fillStyle = ink;
    on.fill(new Path2D(SHAPES[suit]));
  }
  on.restore();
}
