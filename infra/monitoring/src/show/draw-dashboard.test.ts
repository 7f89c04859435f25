import { expect, it } from "vitest";
import type { Panel } from "../dashboards/dashboard.ts";
import { drawDashboard, type Line } from "./draw-dashboard.ts";

const PANEL: Panel = { title: "Heap & more", unit: "bytes", queries: [] };
const DASHBOARD = { uid: "x", title: "A <board>", panels: [PANEL] };
const draw = (lines: Line[]) => drawDashboard(DASHBOARD, [{ panel: PANEL, lines }]);

it("draws each line with its name and the unit", async () => {
  const svg = await draw([
    {
      name: 'api "1"',
      points: [
        [10, 0],
        [20, 2e6],
      ],
    },
  ]);
  expect(svg).toContain('d="M0,120L400,0"');
  expect(svg).toContain(">2M</text>");
  expect(svg).toContain(">bytes</text>");
  expect(svg).toContain('>api "1"</text>');
  expect(svg).toContain(">Heap &amp; more</text>");
});

it("draws a panel without lines", async () => {
  expect(await draw([])).toContain(">Heap &amp; more</text>");
});

it("lists at most six lines in the legend, and counts the others", async () => {
  const lines = Array.from(
    { length: 9 },
    (_, i): Line => ({ name: `line ${i}`, points: [[1, i]] }),
  );
  const svg = await draw(lines);
  expect(svg).toContain(">line 4</text>");
  expect(svg).toContain(">…4 entries</text>");
});

it("labels the axis of lines that are always 0", async () => {
  expect(await draw([{ name: "zero", points: [[1, 0]] }])).toContain(">0</text>");
});
