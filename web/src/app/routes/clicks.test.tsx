import { fireEvent, screen, waitFor } from "@testing-library/react";
import { HttpResponse } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { dayOf } from "../../lib/dates.ts";
import { plusDays } from "../../lib/period.ts";
import { clickReport, clicksApiHandlers } from "../../testing/clicks-server.ts";
import { check, choose, click, link, rowsOf, textsOf } from "../../testing/controls.ts";
import { earningsTable, figuresOf, until } from "../../testing/earnings.ts";
import { advanceBy, advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { shortLink } from "../../testing/links-server.ts";
import { openAsUser } from "../../testing/open-as-user.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { failure, noReply, serve } from "../../testing/serve.ts";
import { server } from "../../testing/server.ts";

const DAYS = [
  { person: 1_200, visitors: 1_000, opened: 300, tried: 400 },
  { person: 34, bot: 7, preview: 2 },
];
const PROGRAMS = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`bot-${at}`, { bot: 12 - at }]));
const BREAKDOWNS: Record<string, Parameters<typeof clickReport>[1]> = {
  pay: { payable: 1_104, ads: 74, mail: 31, store: 25 },
  bot: { other: { bot: 30 }, ...PROGRAMS },
  preview: { Slackbot: { preview: 2 }, other: { preview: 1 } },
  country: { DE: 900, NP: 300, unknown: 34 },
  store: { original: 1_000, "co.uk": 234 },
  device: { ios: 1_000, android: 234 },
  app: { instagram: 1_000, browser: 234 },
  referrer: { instagram: 1_200, direct: 34 },
  source: { newsletter: 90, qr: 9, other: 1 },
  outcome: { opened: 300, stayed: 10 },
  link: { abcdefg: 1_200, hijklmn: 34 },
};

let requests: { path: string; query: URLSearchParams }[];

/** @param before counts of the previous period */
function serveClicks(days: object[] = DAYS, before: object[] = [{ person: 1_000 }]) {
  server.use(
    ...clicksApiHandlers((query, path) => {
      requests.push({ path, query });
      const by = query.get("by");
      if (by) return HttpResponse.json(clickReport(days, BREAKDOWNS[by], by === "link" ? "My " : undefined));
      const isBefore = Date.parse(query.get("to") ?? "") < Date.now();
      const report = clickReport(isBefore ? before : days);
      const series = report.series.map((bar) => ({ ...bar, start: plusDays(new Date(bar.start), -30).toISOString() }));
      return HttpResponse.json(isBefore ? { ...report, series } : report);
    }),
  );
}

beforeEach(() => {
  requests = [];
  serveClicks();
  serve("GET /api/links/abcdefg", () => shortLink({ shortCode: "abcdefg" }));
});

const open = () => renderPages("/clicks");
const total = async (name: string) => (await screen.findByText(name, { selector: "dt" })).parentElement?.textContent;
const reasons = async () => {
  const heading = await screen.findByRole("heading", { name: "Taps that cannot pay" });
  return [...(heading.parentElement?.querySelectorAll("li") ?? [])];
};
const daysOf = (query: URLSearchParams | undefined) =>
  Math.round((Date.parse(query?.get("to") ?? "") - Date.parse(query?.get("from") ?? "")) / 86_400_000);

describe("the page of all links", () => {
  test("shows taps first, compared with the period before, visitors as an estimate, and the links with most taps", async () => {
    await open();
    await waitFor(async () => expect(await total("Taps")).toMatch(/^Taps1,234▲ \+23% · .+ 1,000$/));
    expect(await total("Visitors (estimate)")).toMatch(/^Visitors \(estimate\)1,000/);
    expect(await total("App opened")).toMatch(/^App opened75%/);
    expect((await link("My abcdefg")).getAttribute("href")).toBe("/link/abcdefg");
    expect(await rowsOf("Top links")).toEqual(["Link Taps Share", "My abcdefg 1,200 97%", "My hijklmn 34 3%"]);
    await check(/^Bots 7$/, "radio");
    expect(await rowsOf("Bots by day")).toEqual(["Time Bots", "Mon, Nov 2 7", "Sun, Nov 1 0"]);
    expect(screen.getByText(/No prefetches or assistants in this period\.$/)).toBeTruthy();
    expect(screen.queryByRole("radio", { name: /^Prefetches/ })).toBeNull();
  });

  test("says how many taps cannot pay, and what to do about each reason", async () => {
    await open();
    expect(await screen.findByText("Of 1,234 taps, at least 130 cannot pay by Amazon's rules.")).toBeTruthy();
    expect(textsOf(await reasons())).toEqual([
      "74 came from ads, for which Amazon does not pay: advertise without the tag. See which links",
      "31 came from email, where Amazon allows no tag: use ‘Copy for email’. See which links",
      "25 went to a store for which the link has no tag of yours. Add your tag",
    ]);
    const hrefs = (await reasons()).map((reason) => reason.querySelector("a")?.getAttribute("href"));
    expect(hrefs).toEqual(["/account/data", "/account/data", "/account/stores"]);
  });

  test("says nothing of taps that cannot pay if all could", async () => {
    server.use(
      ...clicksApiHandlers((query, path) => {
        requests.push({ path, query });
        return HttpResponse.json(clickReport(DAYS, { payable: 1_234 }));
      }),
    );
    await open();
    await screen.findByRole("table", { name: "Top links" });
    await waitFor(() => expect(requests.some(({ query }) => query.get("by") === "pay")).toBe(true));
    expect(screen.queryByText("Taps that cannot pay")).toBeNull();
  });

  test("offers viewers of another account only what they can do about it", async () => {
    serve("GET /api/memberships", () => [{ id: 42, username: "carla", role: "viewer" }]);
    serve("GET /api/clicks", () => clickReport(DAYS, { ads: 1, store: 1, tag: 1 }));
    await openAsUser("/a/42/clicks");
    const links = async () => (await reasons()).flatMap((reason) => [...reason.querySelectorAll("a")]);
    await waitFor(async () => expect(textsOf(await links())).toEqual(["See which links"]));
    expect((await links())[0]?.getAttribute("href")).toBe("/a/42/dashboard?show=needs-attention");
  });

  test("says nothing of bots, or of one tap, in the words of many taps", async () => {
    serve("GET /api/clicks", () => clickReport([{ person: 1 }], { ads: 1 }));
    await renderPages("/clicks?show=bot");
    expect(await screen.findByText("Of 1 tap, at least 1 cannot pay by Amazon's rules.")).toBeTruthy();
    expect(await screen.findAllByText("No bots in this period.")).toHaveLength(2);
  });

  test("names the ten most frequent programs of bots, and the others on demand", async () => {
    await open();
    expect(screen.queryByRole("table", { name: "Bots by program" })).toBeNull();
    await check(/^Bots 7$/, "radio");
    const [, first, second, ...others] = await rowsOf("Bots by program");
    expect([first, second, others.length]).toEqual(["Other programs 30 28%", "bot-0 12 11%", 8]);
    await click("Show all 12");
    expect(await rowsOf("Bots by program")).toHaveLength(13);
    await check(/^Previews 2$/, "radio");
    expect((await rowsOf("Previews by program")).slice(1)).toEqual(["Slackbot 2 67%", "Other programs 1 33%"]);
  });

  test("requests the chosen period in the time zone of the browser", async () => {
    await open();
    await screen.findByText("1,234", { selector: "dd" });
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(requests.every(({ query }) => query.get("tz") === timeZone)).toBe(true);
    requests = [];
    await choose("Period", "24 hours");
    const isCurrent = ({ query }: (typeof requests)[number]) =>
      query.has("by") && Date.parse(query.get("to") ?? "") > Date.now();
    await waitFor(() => expect(requests.some(isCurrent)).toBe(true));
    const current = requests.find(isCurrent)?.query;
    expect([daysOf(current), current?.get("interval")]).toEqual([1, "hour"]);
  });

  test("refuses a custom range that ends before it begins, and shows a valid one", async () => {
    await open();
    await choose("Period", "Custom range");
    const last = await screen.findByLabelText("Last day");
    fireEvent.change(screen.getByLabelText("First day"), { target: { value: "2026-03-09" } });
    fireEvent.change(last, { target: { value: "2026-03-08" } });
    await click("Show");
    expect(screen.getByText("The first day must not be after the last one.")).toBeTruthy();
    requests = [];
    fireEvent.change(last, { target: { value: "2026-03-12" } });
    await click("Show");
    const current = () => requests.find(({ query }) => query.has("by"))?.query;
    await waitFor(() => expect(current()?.get("from")).toBe(new Date("2026-03-09T00:00").toISOString()));
    expect(daysOf(current())).toBe(4);
  });

  test("says that there are no taps yet", async () => {
    serveClicks([], []);
    await open();
    expect(await screen.findByText(/^No taps in this period\./)).toBeTruthy();
    expect(await total("Taps")).toMatch(/^Taps0.+ 0$/);
  });

  test("keeps the error on screen while the clicks are requested again", async () => {
    useFakeClock();
    server.use(...clicksApiHandlers(() => failure()));
    await open();
    await advanceUntil(() => screen.queryAllByRole("alert").length === 3);
    const alerts = screen.getAllByRole("alert");
    const pending = serve("GET /api/clicks", noReply);
    await advanceUntil(() => pending.length >= alerts.length);
    expect(alerts.map(({ isConnected }) => isConnected)).toEqual([true, true, true]);
  });

  test.each([
    ["a period that is over is not requested again", "period=custom&from=2025-10-01&to=2025-10-31", false],
    ["the month before this one is not requested again", "period=last-month", false],
    ["a period until today is requested again every ten seconds", "period=month", true],
    ["chosen days until a later one are requested again", "period=custom&from=2026-11-01&to=2026-12-31", true],
  ])("%s", async (_case, search, isRepeated) => {
    useFakeClock();
    vi.setSystemTime("2026-12-01T12:00:00Z");
    const client = await renderPages(`/clicks?${search}`);
    await advanceUntil(() => requests.length > 0 && client.isFetching() === 0);
    const before = requests.length;
    await advanceBy(30_000);
    await advanceUntil(() => client.isFetching() === 0);
    expect(requests.length > before).toBe(isRepeated);
  });

  test("updates while it is visible, and keeps the numbers if that fails", async () => {
    useFakeClock();
    await open();
    const isShown = (taps: string) => screen.queryByText(taps, { selector: "dd" }) !== null;
    await advanceUntil(() => isShown("1,234"));
    serveClicks([{ person: 1_235 }], [{ person: 2_470 }]);
    await advanceUntil(() => isShown("1,235"));
    expect(screen.getByText("-50%", { exact: false })).toBeTruthy();
    server.use(...clicksApiHandlers(() => failure()));
    await advanceUntil(() => screen.queryByText(/^The clicks could not be updated\./) !== null);
    expect(isShown("1,235")).toBe(true);
  });
});

describe("the chart", () => {
  const chart = () => screen.findByRole("slider", { name: "Taps by day" });

  test("compares each day with the same day of the period before", async () => {
    serveClicks(DAYS, [{ person: 1_000 }, { person: 0 }]);
    await open();
    const slider = await chart();
    expect(slider.getAttribute("aria-valuetext")).toMatch(/^Mon, Nov 2: 34, Sat, Oct 3: 0$/);
    fireEvent.change(slider, { target: { value: "0" } });
    expect(slider.getAttribute("aria-valuetext")).toMatch(/^Sun, Nov 1: 1,200, Fri, Oct 2: 1,000 \(\+20%\)$/);
  });

  test("leads to a day", async () => {
    await open();
    fireEvent.focus(await chart());
    requests = [];
    fireEvent.keyDown(await chart(), { key: "Enter" });
    expect((await screen.findByLabelText<HTMLInputElement>("First day")).value).toBe("2026-11-02");
    await waitFor(() => expect(requests.some(({ query }) => query.get("by") === "link")).toBe(true));
    const ofDay = requests.find(({ query }) => query.get("by") === "link")?.query;
    expect([ofDay?.get("from"), daysOf(ofDay)]).toEqual([new Date(2026, 10, 2).toISOString(), 1]);
    await choose("Period", "30 days");
    await waitFor(() => expect(screen.queryByLabelText("First day")).toBeNull());
  });

  test("shows a grid of the taps by weekday and hour", async () => {
    await open();
    // Both days begin at midnight.
    expect(await screen.findByText("Most taps: Sunday from 12 AM, 1,200 taps in an hour of the week.")).toBeTruthy();
    await choose("Period", "Custom range");
    const long = dayOf(plusDays(new Date(), -200));
    fireEvent.change(await screen.findByLabelText("First day"), { target: { value: long } });
    await click("Show");
    await waitFor(() => expect(screen.queryByText(/^Most taps/)).toBeNull());
  });
});

describe("the way from tap to order", () => {
  const steps = async () => {
    const list = (await screen.findByRole("heading", { name: "From tap to order" })).parentElement?.querySelector("ol");
    return textsOf([...(list?.children ?? [])]);
  };
  beforeEach(() => {
    const totals = figuresOf({ ordered: 617, conversion: 0.75 });
    serve("GET /api/earnings", () => earningsTable({ totals, ...until("2026-10-31"), from: "2026-10-02" }));
  });

  test("ends with what people ordered, and its share of the taps on the days that reports have", async () => {
    await open();
    await waitFor(async () =>
      expect(await steps()).toEqual([
        "Taps1,234 ",
        "App opened300 75%",
        expect.stringMatching(/^Ordered Oct 2.*31.*617 75.0%$/),
      ]),
    );
  });

  test("shows no orders of hours, which reports do not have", async () => {
    await renderPages("/clicks?period=24h");
    expect(await steps()).toEqual(["Taps1,234 ", "App opened300 75%"]);
  });
});

test.each([
  ["Country", ["Germany 900 73%", "Nepal 300 24%", "Unknown 34 3%"]],
  ["Store", ["The link's own store 1,000 81%", "amazon.co.uk 234 19%"]],
  ["Device", ["iPhone 1,000 81%", "Android 234 19%"]],
  ["App", ["Instagram 1,000 81%", "Browser 234 19%"]],
  ["Website", ["Instagram 1,200 97%", "Direct or unknown 34 3%"]],
  ["Source", ["newsletter 90 90%", "qr 9 9%", "Other sources 1 1%"]],
  ["App opening", ["The Amazon app opened 300 97%", "Stayed in the browser 10 3%"]],
])("lists where taps come from by %s", async (by, expected) => {
  await open();
  await choose("By", by);
  expect((await rowsOf(`Where taps come from: ${by}`)).slice(1)).toEqual(expected);
});
