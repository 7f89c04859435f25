import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { clickReport, clicksApiHandlers } from "../../testing/clicks-server.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { server } from "../../testing/server.ts";

const THIRTY_DAYS = [...new Array(23).fill(0), 900, 0, 0, 0, 0, 0, 334];
const links = [shortLink({ id: 1, shortCode: "aaaaaaa" }), shortLink({ id: 2, shortCode: "bbbbbbb" })];
let requests: URLSearchParams[] = [];

function serveTaps(reply: () => Response) {
  requests = [];
  server.use(
    http.get("/api/clicks/links", ({ request }) => {
      requests.push(new URL(request.url).searchParams);
      return reply();
    }),
  );
}

const cards = () => screen.findAllByRole("listitem");

describe("the taps on cards", () => {
  beforeEach(() => serveLinks(links));

  test("are requested for all cards at once, and shown with a trend", async () => {
    serveTaps(() => HttpResponse.json([{ shortCode: "aaaaaaa", people: THIRTY_DAYS }]));
    await renderPages("/dashboard");
    const [first, second] = await cards();
    await waitFor(() => expect(first?.textContent).toContain("1,234 taps in 30 days"));
    expect(second?.textContent).toContain("0 taps in 30 days");
    const trend = "At most 900 on one day, 1,234 in the last 7 days.";
    expect(within(first as HTMLElement).getByRole("img", { name: trend })).toBeTruthy();
    expect(within(second as HTMLElement).queryByRole("img", { name: /on one day/ })).toBeNull();
    expect(requests.map((query) => query.get("codes"))).toEqual(["aaaaaaa,bbbbbbb"]);
    expect(requests[0]?.get("tz")).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  });

  test("have what the link earned beside them", async () => {
    const earned = [{ shortCode: "bbbbbbb", earnings: 1_840, currency: "EUR" }];
    const codes: (string | null)[] = [];
    server.use(
      http.get("/api/earnings/links", ({ request }) => {
        codes.push(new URL(request.url).searchParams.get("codes"));
        return HttpResponse.json(earned);
      }),
    );
    await renderPages("/dashboard");
    const [first, second] = await cards();
    await waitFor(() => expect(second?.textContent).toContain("Earned €18.40"));
    expect(first?.textContent).not.toContain("Earned");
    expect(codes).toEqual(["aaaaaaa,bbbbbbb"]);
  });

  test("are absent if they cannot be loaded", async () => {
    serveTaps(() => new HttpResponse("Unavailable.", { status: 503 }));
    await renderPages("/dashboard");
    await waitFor(() => expect(requests).toHaveLength(1));
    for (const card of await cards()) expect(card.textContent).not.toContain("taps");
    expect(screen.queryByRole("alert")).toBeNull();
  });
});

describe("the taps of all links", () => {
  test("are above the list, with a link to the clicks", async () => {
    serveLinks(links);
    const days = [{ person: 1_200 }, { person: 34 }];
    server.use(...clicksApiHandlers(() => HttpResponse.json(clickReport(days))));
    await renderPages("/dashboard");
    const clicks = await screen.findByRole("link", { name: "All clicks" });
    const line = clicks.parentElement as HTMLElement;
    expect(await within(line).findByText("1,234 taps")).toBeTruthy();
    expect(line.textContent).toBe("1,234 taps in 30 daysAll clicks");
    await userEvent.click(clicks);
    expect(await screen.findByRole("heading", { name: "Clicks" })).toBeTruthy();
  });
});

test("the list can be ordered by taps in the time zone of the browser", async () => {
  const { queries } = serveLinks(links);
  await renderPages("/dashboard");
  const order = screen.getByRole<HTMLSelectElement>("combobox", { name: "Sort" });
  await userEvent.selectOptions(order, "Most taps");
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  await waitFor(() => {
    const query = new URLSearchParams(queries.at(-1));
    expect([query.get("sort"), query.get("tz")]).toEqual(["clicks", timeZone]);
  });
});
