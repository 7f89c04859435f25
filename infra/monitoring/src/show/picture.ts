import type { Dashboard, Panel } from "../dashboards/dashboard.ts";
import type { Series } from "./prometheus.ts";

export interface Line {
  name: string;
  points: Series["points"];
}

/** What a panel's queries gave. */
export interface Shown {
  panel: Panel;
  lines: readonly Line[];
}

const PANEL = { width: 470, height: 230, left: 58, top: 34, chartHeight: 120 };
const GAP = 20;
const LEGENDS = 6;
const COLOURS = ["#2a78d6", "#1baa6f", "#e8843c", "#a05bd0", "#d64545", "#8a8f98"];

/** A dashboard drawn like Grafana's, two panels a row. */
export function picture({ title }: Dashboard, shown: readonly Shown[]): string {
  const rows = Math.ceil(shown.length / 2);
  const width = 2 * PANEL.width + 3 * GAP;
  const height = rows * (PANEL.height + GAP) + GAP;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}">
<style>text{font:12px system-ui,sans-serif;fill:#3c4250}.title{font-weight:600;font-size:13px}.axis{fill:#6b7280;font-size:11px}</style>
<rect width="100%" height="100%" fill="#f4f5f7"/>
${shown.map(drawPanel).join("\n")}
</svg>
`;
}

function drawPanel({ panel, lines }: Shown, index: number): string {
  const x = GAP + (index % 2) * (PANEL.width + GAP);
  const y = GAP + Math.floor(index / 2) * (PANEL.height + GAP);
  const points = lines.flatMap((line) => line.points);
  const [from, to] = extent(points.map(([seconds]) => seconds));
  const [lowest, highest] = extent([0, ...points.map(([, value]) => value)]);
  const top = highest === lowest ? lowest + 1 : highest;
  const chartWidth = PANEL.width - PANEL.left - 14;
  const atX = (seconds: number) => PANEL.left + ((seconds - from) / (to - from || 1)) * chartWidth;
  const atY = (value: number) =>
    PANEL.top + PANEL.chartHeight * (1 - (value - lowest) / (top - lowest));
  const grid = [top, (top + lowest) / 2, lowest].map((value) => {
    const height = atY(value).toFixed(1);
    return `<path d="M${PANEL.left} ${height}h${chartWidth}" stroke="#e3e5ea"/><text class="axis" x="${PANEL.left - 6}" y="${Number(height) + 4}" text-anchor="end">${readable(value, panel.unit)}</text>`;
  });
  const drawn = lines.map(({ points: own }, i) => {
    const path = own.map(([s, value]) => `${atX(s).toFixed(1)} ${atY(value).toFixed(1)}`);
    return `<path d="M${path.join("L")}" fill="none" stroke="${colour(i)}" stroke-width="1.6"/>`;
  });
  return `<g transform="translate(${x} ${y})"><rect width="${PANEL.width}" height="${PANEL.height}" rx="6" fill="#fff"/><text class="title" x="14" y="20">${escapeXml(panel.title)}</text>
${grid.join("")}
${drawn.join("\n")}
${legend(lines)}</g>`;
}

function legend(lines: readonly Line[]): string {
  const named = lines.slice(0, LEGENDS).map(({ name }, i) => {
    const x = 14 + (i % 2) * 226;
    const y = 178 + Math.floor(i / 2) * 17;
    return `<rect x="${x}" y="${y - 8}" width="9" height="9" rx="2" fill="${colour(i)}"/><text x="${x + 14}" y="${y}">${escapeXml(shorten(name))}</text>`;
  });
  const others = lines.length - LEGENDS;
  const rest =
    others > 0
      ? `<text class="axis" x="${PANEL.width - 14}" y="20" text-anchor="end">and ${others} more</text>`
      : "";
  return named.join("") + rest;
}

function extent(values: readonly number[]): [number, number] {
  return [
    values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
    values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
  ];
}

const colour = (index: number) => COLOURS[index % COLOURS.length];

function readable(value: number, unit: Panel["unit"]): string {
  const digits = { maximumSignificantDigits: 3 };
  if (unit === "percentunit") return `${(100 * value).toLocaleString("en", digits)} %`;
  if (unit === "bytes") {
    const isSmall = value < 1e6;
    return `${(value / (isSmall ? 1e3 : 1e6)).toLocaleString("en", digits)} ${isSmall ? "kB" : "MB"}`;
  }
  if (unit === "s" && Math.abs(value) < 1)
    return `${(1e3 * value).toLocaleString("en", digits)} ms`;
  const suffix = unit === "s" ? " s" : unit === "reqps" || unit === "ops" ? "/s" : "";
  return `${value.toLocaleString("en", digits)}${suffix}`;
}

function shorten(name: string): string {
  return name.length <= 30 ? name : `${name.slice(0, 29)}…`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
