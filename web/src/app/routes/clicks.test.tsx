import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { delay, HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { clickReport, clicksApiHandlers } from "../../testing/clicks-server.ts";
import { advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { shortLink } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { server } from "../../testing/server.ts";

const DAYS = [
  { person: 1_200, visitors: 1_000, opened: 300 },
  { person: 34, bot: 7, preview: 2 },
];
const BREAKDOWNS: Record<string, Record<string, number>> = {
  country: { DE: 900, NP: 300, unknown: 34 },
  store: { original: 1_000, "co.uk": 234 },
  device: { ios: 1_000, android: 234 },
  app: { instagram: 1_000, browser: 234 },
  referrer: { "instagram.com": 1_200, direct: 34 },
  page: { "blog.example/%C3%A9/": 90, "blog.example/%E0%A4": 9, other: 1 },
  outcome: { opened: 300, stayed: 10 },
  link: { abcdefg: 1_200, hijklmn: 34 },
};

let user: ReturnType<typeof userEvent.setup>;
let requests: { path: string; query: URLSearchParams }[];

/** @param before counts of the previous period */
function serveClicks(days: object[] = DAYS, before: object[] = [{ person: 1_000 }]) {
  server.use(
    ...clicksApiHandlers((query, path) => {
      requests.push({ path, query });
      const by = query.get("by");
      if (by) return HttpResponse.json(clickReport(days, BREAKDOWNS[by], by === "link" ? "My " : undefined));
      const isBefore = Date.parse(query.get("to") ?? "") < Date.now();
      return HttpResponse.json(clickReport(isBefore ? before : days));
    }),
  );
}

beforeEach(() => {
  user = userEvent.setup();
  requests = [];
  server.use(
    http.get("/api/links/:shortCode", ({ params }) => {
      const shortCode = String(params.shortCode);
      return HttpResponse.json(shortLink({ shortCode, nickname: `My ${shortCode}` }));
    }),
  );
});

const open = () => renderPages("/clicks");
const radio = (name: RegExp) => screen.findByRole("radio", { name });
const total = async (name: string) => (await screen.findByText(name, { selector: "dt" })).parentElement?.textContent;
const rows = async (name: string) =>
  within(await screen.findByRole("table", { name }))
    .getAllByRole("row")
    .map((row) => [...row.children].map(({ textContent }) => textContent).join(" "));
const lastQuery = () => requests.findLast(({ query }) => !query.has("by"))?.query;
const daysOf = (query: URLSearchParams | undefined) =>
  (Date.parse(query?.get("to") ?? "") - Date.parse(query?.get("from") ?? "")) / 86_400_000;

describe("the page of all links", () => {
  test("shows taps first, compared with the previous period, and visitors as an estimate", async () => {
    serveClicks();
    await open();
    await waitFor(async () => expect(await total("Taps")).toBe("Taps1,234+23% compared with the previous period"));
    expect(await total("Visitors (estimate)")).toBe("Visitors (estimate)1,000");
    expect(await total("App openings")).toBe("App openings300");
    expect(document.title).toBe("Clicks - Tapthru");
  });

  test("names the links with the most taps, and leads to their pages", async () => {
    serveClicks();
    await open();
    const name = await screen.findByRole("link", { name: "My abcdefg" });
    expect(name.getAttribute("href")).toBe("/link/abcdefg");
    expect(await rows("Top links")).toEqual(["Link Taps Share", "My abcdefg 1,200 97%", "My hijklmn 34 3%"]);
  });

  test("shows previews, bots and prefetches by one click", async () => {
    serveClicks();
    await open();
    await user.click(await radio(/^Bots 7$/));
    expect(await rows("Bots by day")).toEqual(["Time Bots", "Mon, Nov 2 7", "Sun, Nov 1 0"]);
    await user.click(await radio(/^Prefetches 0$/));
    expect(await screen.findByText("No clicks in this period.")).toBeTruthy();
  });

  test("requests the chosen period in the time zone of the browser", async () => {
    serveClicks();
    await open();
    await screen.findByText("1,234", { selector: "dd" });
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(requests.every(({ query }) => query.get("tz") === timeZone)).toBe(true);
    for (const [name, days, interval] of [
      [/^24 hours/, 1, "hour"],
      [/^7 days/, 7, "day"],
      [/^90 days/, 90, "day"],
      [/^This month/, new Date().getDate(), "day"],
    ] as const) {
      requests = [];
      await user.click(await radio(name));
      await waitFor(() => expect(requests.length).toBeGreaterThanOrEqual(4));
      const query = requests.find(({ query: each }) => Date.parse(each.get("to") ?? "") > Date.now());
      expect(Math.round(daysOf(query?.query))).toBe(days);
      expect(query?.query.get("interval")).toBe(interval);
    }
  });

  test("refuses a custom range that ends before it begins, and shows a valid one", async () => {
    serveClicks();
    await open();
    await user.click(await radio(/^Custom range$/));
    const first = await screen.findByLabelText("First day");
    const last = screen.getByLabelText("Last day");
    fireEvent.change(first, { target: { value: "2026-03-09" } });
    fireEvent.change(last, { target: { value: "2026-03-08" } });
    await user.click(screen.getByRole("button", { name: "Show" }));
    expect(screen.getByText("The first day must not be after the last one.")).toBeTruthy();
    requests = [];
    fireEvent.change(last, { target: { value: "2026-03-12" } });
    await user.click(screen.getByRole("button", { name: "Show" }));
    await waitFor(() => expect(lastQuery()).toBeTruthy());
    const current = requests.find(({ query }) => query.has("by"))?.query;
    expect(current?.get("from")).toBe(new Date("2026-03-09T00:00").toISOString());
    expect(Math.round(daysOf(current))).toBe(4);
  });

  test("says that there are no taps yet", async () => {
    serveClicks([], []);
    await open();
    expect(await screen.findByText(/^No taps in this period\./)).toBeTruthy();
    expect(await total("Taps")).toBe("Taps0None in the previous period");
  });

  test("keeps the error on screen while the clicks are requested again", async () => {
    useFakeClock();
    server.use(...clicksApiHandlers(() => new HttpResponse("Unavailable.", { status: 503 })));
    await open();
    await advanceUntil(() => screen.queryAllByRole("alert").length === 3);
    const alerts = screen.getAllByRole("alert");
    let pending = 0;
    server.use(
      http.get("/api/clicks", async () => {
        pending += 1;
        await delay("infinite");
      }),
    );
    await advanceUntil(() => pending >= alerts.length);
    expect(alerts.map(({ isConnected }) => isConnected)).toEqual([true, true, true]);
  });

  test("updates while it is visible, and keeps the numbers if that fails", async () => {
    useFakeClock();
    serveClicks();
    await open();
    await advanceUntil(() => screen.queryByText("1,234", { selector: "dd" }) !== null);
    serveClicks([{ person: 1_235 }], [{ person: 2_470 }]);
    await advanceUntil(() => screen.queryByText("1,235", { selector: "dd" }) !== null);
    expect(screen.getByText("-50% compared with the previous period")).toBeTruthy();
    server.use(...clicksApiHandlers(() => new HttpResponse("Unavailable.", { status: 503 })));
    await advanceUntil(() => screen.queryByText(/^The clicks could not be updated\./) !== null);
    expect(screen.getByText("1,235", { selector: "dd" })).toBeTruthy();
  });
});

describe("where taps come from", () => {
  test.each([
    ["Country", ["Germany 900 73%", "Nepal 300 24%", "Unknown 34 3%"]],
    ["Store", ["The link's own store 1,000 81%", "amazon.co.uk 234 19%"]],
    ["Device", ["iPhone 1,000 81%", "Android 234 19%"]],
    ["App", ["Instagram 1,000 81%", "Browser 234 19%"]],
    ["Website", ["instagram.com 1,200 97%", "Direct or unknown 34 3%"]],
    ["Page", ["blog.example/é/ 90 90%", "blog.example/%E0%A4 9 9%", "Other pages 1 1%"]],
    ["App opening", ["The Amazon app opened 300 97%", "Stayed in the browser 10 3%"]],
  ])("is listed by %s", async (by, expected) => {
    serveClicks();
    await open();
    await user.click(await radio(new RegExp(`^${by}$`)));
    const [, ...listed] = await rows(`Where taps come from: ${by}`);
    expect(listed).toEqual(expected);
  });
});

test("a link's page shows its own clicks, and keeps period and class in its URL", async () => {
  serveClicks();
  await renderPages("/link/abcdefg/clicks?period=7d&show=bot");
  expect(await rows("Bots by day")).toHaveLength(3);
  expect(((await radio(/^7 days$/)) as HTMLInputElement).checked).toBe(true);
  expect(new Set(requests.map(({ path }) => path))).toEqual(new Set(["/api/links/abcdefg/clicks"]));
  expect(screen.queryByRole("heading", { name: "Top links" })).toBeNull();
});
