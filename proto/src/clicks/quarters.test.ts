import fc from "fast-check";
import { expect, it } from "vitest";
import { dayOf, firstQuarterOf, QUARTER_MS, QUARTERS_PER_DAY, quarterAt, quarterStart } from "./quarters.ts";

const YEAR_2020 = Date.UTC(2020, 0, 1);
const YEAR_2040 = Date.UTC(2040, 0, 1);

/** Minutes ahead of UTC, as in GMT+05:45. */
function offsetIn(name: string): number {
  const [, sign, hours, minutes] = /^GMT(?:([+-])(\d\d):(\d\d))?$/.exec(name) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}

it("a day starts with a quarter in every time zone", () => {
  for (const timeZone of Intl.supportedValuesOf("timeZone")) {
    const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
    for (let time = YEAR_2020; time < YEAR_2040; time += 91 * 86_400_000) {
      const parts = format.formatToParts(time);
      const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
      expect([timeZone, Math.abs(offsetIn(name)) % 15]).toEqual([timeZone, 0]);
    }
  }
});

it("a quarter belongs to the day in UTC of each of its instants", () => {
  fc.assert(
    fc.property(fc.integer({ min: YEAR_2020, max: YEAR_2040 }), (time) => {
      const quarter = quarterAt(time);
      const day = new Date(time).toISOString().slice(0, 10);
      expect(dayOf(quarter)).toBe(day);
      expect(time - quarterStart(quarter)).toBeLessThan(QUARTER_MS);
      const slot = quarter - firstQuarterOf(day);
      expect(slot >= 0 && slot < QUARTERS_PER_DAY).toBe(true);
    }),
  );
});
