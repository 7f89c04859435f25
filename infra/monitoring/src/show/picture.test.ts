import { expect, it } from "vitest";
import type { Panel } from "../dashboards/dashboard.ts";
import { picture } from "./picture.ts";

const PANEL: Panel = { title: "Heap & more", unit: "bytes", queries: [] };
const dashboard = { uid: "x", title: "A <board>", panels: [PANEL] };

it("draws each line from the lowest to the highest value, and names it", () => {
  const svg = picture(dashboard, [
    {
      panel: PANEL,
      lines: [
        {
          name: 'api "1"',
          points: [
            [10, 0],
            [20, 2e6],
          ],
        },
      ],
    },
  ]);
  expect(svg).toContain('d="M58.0 154.0L456.0 34.0"');
  expect(svg).toContain("2 MB</text>");
  expect(svg).toContain("api &quot;1&quot;</text>");
  expect(svg).toContain("Heap &amp; more</text>");
  expect(svg).toContain('aria-label="A &lt;board>"');
});

it("says how many lines it names no more", () => {
  const lines = Array.from({ length: 9 }, (_, i) => ({ name: `line ${i}`, points: [] }));
  expect(picture(dashboard, [{ panel: PANEL, lines }])).toContain("and 3 more");
});
