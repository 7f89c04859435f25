import type { Page } from "@playwright/test";

const CLICKS = /\/api\/(links\/\w+\/)?clicks\?/;

const BREAKDOWNS: Record<string, Record<string, number>> = {
  country: { DE: 8_123, US: 4_021, NP: 512, GB: 402, IN: 377, FR: 120, BR: 44, JP: 9, unknown: 3 },
  device: { ios: 9_000, android: 3_100, desktop: 1_511 },
  store: { original: 10_001, de: 3_400, "co.uk": 210 },
  app: { instagram: 7_001, browser: 4_000, tiktok: 2_610 },
  referrer: {
    direct: 9_000,
    instagram: 4_000,
    "a-very-long-name-of-a-website-about-lamps-and-everything-else.example.co.uk": 611,
  },
  pay: { payable: 12_001, untagged: 12, ads: 874, mail: 431, print: 120, store: 155, tag: 18 },
  outcome: { opened: 9_120, stayed: 1_034, unknown: 410 },
};

/** Replaces the replies about clicks with 30 days with people, previews, bots and prefetches. */
export async function serveManyClicks(page: Page, shortCodes: string[] = []) {
  await page.route(CLICKS, async (route) => {
    const query = new URL(route.request().url()).searchParams;
    const from = Date.parse(query.get("from") ?? "");
    const series = Array.from({ length: 30 }, (_, day) => {
      const person = Math.round(450 + 300 * Math.sin(day / 3) + day * 12);
      const others = { preview: 40 + day, bot: 90 - day, prefetch: day % 4, assistant: day % 3 };
      const start = new Date(from + day * 86_400_000).toISOString();
      return { start, person, ...others, visitors: Math.round(person * 0.83), opened: person - 99, tried: person - 50 };
    });
    const by = query.get("by") ?? "";
    const parts = by === "link" ? shortCodes.map((code, i) => [code, 900 - i]) : null;
    const breakdown =
      by === "bot"
        ? Array.from({ length: 14 }, (_, at) => ({ ...NONE, key: `Crawler-of-a-search-engine-${at}`, bot: 900 - at }))
        : (parts ?? Object.entries(BREAKDOWNS[by] ?? {})).map(([key, person]) => ({ ...NONE, key, person }));
    const totals: Record<string, number> = { ...NONE };
    for (const { start: _, ...counts } of series) {
      for (const [key, count] of Object.entries(counts)) totals[key] = (totals[key] ?? 0) + count;
    }
    const [to, completeUntil] = [query.get("to"), new Date().toISOString()];
    const timeZone = query.get("tz");
    await route.fulfill({
      json: { timeZone, from: query.get("from"), to, completeUntil, totals, series, breakdown },
    });
  });
}

/** The replies about people on cards are numbers for each link. */
export async function serveTaps(page: Page) {
  await page.route(/\/api\/clicks\/links\?/, async (route) => {
    const codes = new URL(route.request().url()).searchParams.get("codes")?.split(",") ?? [];
    const json = codes.map((shortCode, i) => ({
      shortCode,
      people: Array.from({ length: 30 }, (_, day) => (i === 1 ? 0 : (day * 37 + i * 11) % 9_000)),
    }));
    await route.fulfill({ json });
  });
}

const NONE = { person: 0, preview: 0, bot: 0, prefetch: 0, assistant: 0, visitors: 0, opened: 0 };
