import { act, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse } from "msw";
import { describe, expect, test, vi } from "vitest";
import { linkListOptions } from "../../features/links/list/list-links.ts";
import { NO_FILTERS } from "../../features/links/list/use-list-view.ts";
import { clickReport, clicksApiHandlers } from "../../testing/clicks-server.ts";
import { choose, click, heading, link, textsOf } from "../../testing/controls.ts";
import { earningsTable, figuresOf, sumsIn, until } from "../../testing/earnings.ts";
import { domain, HOST, mainChannel } from "../../testing/examples.ts";
import { advanceBy, advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { openAsUser } from "../../testing/open-as-user.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { failure, noReply, serve, serveChannels } from "../../testing/serve.ts";
import { server } from "../../testing/server.ts";

const cards = () => screen.queryAllByRole("listitem");
const names = () => textsOf(cards().map((card) => within(card).getByRole("link")));
const areShown = (...wanted: string[]) => waitFor(() => expect(names()).toEqual(wanted));
const searchField = () => screen.getByRole<HTMLInputElement>("searchbox", { name: "Search your links" });
const button = (name: string) => screen.getByRole("button", { name });
const menu = (name: string) => screen.getByRole<HTMLSelectElement>("combobox", { name });
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const nextPage = (path: string, links: unknown[]) =>
  HttpResponse.json(links, { headers: { Link: `<${path}>; rel="next"` } });

const createLinks = (count: number) =>
  Array.from({ length: count }, (_, index) => shortLink({ id: count - index, title: `Lamp ${count - index}` }));
const [LAMP, CHAIR] = [shortLink({ id: 2 }), shortLink({ id: 1, title: "A chair" })];

describe("a card", () => {
  // Specification 2.30
  test("shows name, image, short URL, store, date and tag, and links to the details", async () => {
    const createdAt = "2019-11-20T08:00:00.000Z";
    serveLinks([shortLink({ shortCode: "abcdefg", createdAt })]);
    await renderPages("/dashboard");
    expect((await link("A lamp")).getAttribute("href")).toBe("/link/abcdefg");
    expect(screen.getByText("tapthru.example/l/abcdefg")).toBeTruthy();
    expect(cards()[0]?.querySelector("img")?.src).toBe("https://m.media-amazon.com/images/I/lamp.jpg");
    expect(screen.getByText("amazon.de", { selector: "span" })).toBeTruthy();
    expect(screen.getByText("Nov 20, 2019").getAttribute("datetime")).toBe(createdAt);
    expect(screen.getByText("me-21")).toBeTruthy();
    expect(screen.queryByText("No tag", { selector: "span" })).toBeNull();
  });

  // Specification 2.30
  test("shows a parcel icon if there is no image or it does not load", async () => {
    serveLinks([LAMP, shortLink({ imageUrl: null })]);
    await renderPages("/dashboard");
    await waitFor(() => expect(cards()).toHaveLength(2));
    const pictures = () => cards().map((card) => card.querySelector("img"));
    expect(pictures()[1]).toBeNull();
    act(() => void pictures()[0]?.dispatchEvent(new Event("error")));
    expect(pictures()).toEqual([null, null]);
  });

  test("the card of an invalid link has no copy button and no address", async () => {
    serveLinks([shortLink({ originalUrl: "javascript:alert(1)", webUrl: "", deepLink: "", invalid: true })]);
    await renderPages("/dashboard");
    expect(await screen.findByText("Invalid link")).toBeTruthy();
    expect(screen.queryByRole("button", { name: /^Copy/ })).toBeNull();
    expect(document.body.innerHTML).not.toContain("javascript:");
  });

  test("shows one label at most, and reads out all of them", async () => {
    const labels = ["Gifts", "Summer", "Toys"].map((name, id) => ({ id, name, colour: "red" as const }));
    serveLinks([shortLink({ labels })]);
    await renderPages("/dashboard");
    expect((await screen.findByText("Gifts")).closest(".sr-only")).toBeNull();
    expect(screen.getByText("+2").getAttribute("aria-hidden")).toBe("true");
    expect(screen.getByText("Summer, Toys").className).toBe("sr-only");
  });

  test("names the channel before the tag, and a tag that is not the user's", async () => {
    serveChannels(mainChannel(), mainChannel({ id: 2, name: "YouTube", isDefault: false }));
    const webUrl = "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=annas-kitchen-yt-21";
    serveLinks([shortLink({ channelId: 2, webUrl }), shortLink({ id: 2, webUrl, hasUnknownTag: true })]);
    await renderPages("/dashboard");
    await waitFor(() => expect(cards()[0]?.textContent).toMatch(/Channel YouTube.*Tag annas-kitchen-yt-21/));
    expect(cards()[1]?.textContent).toMatch(/Channel Main.*Not yours:\sannas-kitchen-yt-21/);
  });

  test("shows the taps of 30 days with a trend, and what the link earned; requests both for all cards", async () => {
    const people = [...new Array(23).fill(0), 900, 0, 0, 0, 0, 0, 334];
    const taps: URLSearchParams[] = [];
    serve("GET /api/clicks/links", ({ query }) => {
      taps.push(query);
      return [{ shortCode: "aaaaaaa", people }];
    });
    const shared = { earnings: 5_040, currency: "EUR", links: 1 };
    const earned = { sums: [], earnings: null, currency: "EUR", shared: null };
    const earnings = serve("GET /api/earnings/links", () => ({
      ...{ from: "2026-10-22", ...until("2026-11-20"), missing: null },
      links: [
        { ...earned, shortCode: "aaaaaaa" },
        { ...earned, shortCode: "bbbbbbb", sums: [sumsIn("EUR", 1_840)], earnings: 1_840 },
        { ...earned, shortCode: "ccccccc", earnings: 0, shared },
        {
          ...earned,
          shortCode: "ddddddd",
          sums: [sumsIn("EUR", 100)],
          earnings: 100,
          shared: { ...shared, earnings: null },
        },
        { ...earned, shortCode: "eeeeeee", earnings: 0 },
      ],
    }));
    const codes = ["aaaaaaa", "bbbbbbb", "ccccccc", "ddddddd", "eeeeeee"];
    serveLinks(codes.map((shortCode, id) => shortLink({ id, shortCode })));
    await renderPages("/dashboard");
    const [first, second, ...others] = await screen.findAllByRole("listitem");
    await waitFor(() => expect(first?.textContent).toContain("1,234 taps in 30 days"));
    expect(second?.textContent).toContain("0 taps in 30 days");
    await waitFor(() => expect(second?.textContent).toMatch(/Earned €18.40, Oct 22.*Nov 20, what Amazon has reported/));
    expect(first?.textContent).toContain("Earned –Not in the imported reports");
    const texts = ["€50.40 with 1 other link", "€1.00 and shared with 1 other link", "€0.00"];
    for (const [at, text] of texts.entries()) expect(others[at]?.textContent).toContain(`Earned ${text}, Oct 22`);
    const [trend] = screen.getAllByRole("img", { name: "At most 900 on one day, 1,234 in the last 7 days." });
    expect([first?.contains(trend ?? null), screen.getAllByRole("img", { name: /on one day/ })]).toEqual([
      true,
      [trend],
    ]);
    expect(taps.map((query) => [query.get("codes"), query.get("tz")])).toEqual([[codes.join(), timeZone]]);
    expect(earnings).toEqual([expect.stringContaining("codes=aaaaaaa%2Cbbbbbbb")]);
  });

  test("shows no taps if they cannot be loaded", async () => {
    serveLinks([LAMP]);
    const requests = serve("GET /api/clicks/links", () => failure());
    await renderPages("/dashboard");
    await waitFor(() => expect(requests).toHaveLength(1));
    await areShown("A lamp");
    expect(cards()[0]?.textContent).not.toContain("taps");
    expect(screen.queryByRole("alert")).toBeNull();
  });
});

describe("the list", () => {
  test.each([
    ["is shown from the cache 55 seconds later", 55_000, 1],
    ["is refetched 60 seconds later, as are a link's details", 60_000, 2],
  ])("%s", async (_case, ms, times) => {
    const user = useFakeClock();
    const { queries } = serveLinks([LAMP]);
    const details = serve(`GET /api/links/${LAMP.shortCode}`, () => LAMP);
    const card = () => screen.queryByRole("link", { name: "A lamp" });
    const openCard = async () => {
      await advanceUntil(() => card() !== null);
      await user.click(card() as Element);
      await advanceUntil(() => screen.queryByRole("button", { name: "Delete" }) !== null);
    };
    const queryClient = await renderPages("/dashboard");
    await openCard();
    await advanceBy(ms);
    await user.click(button("< Back to List"));
    await advanceUntil(() => queries.length >= times);
    await openCard();
    await advanceUntil(() => queryClient.isFetching() === 0);
    expect([queries.length, details.length]).toEqual([times, times]);
  });

  // Specification 2.3, 2.29, 2.34
  test("an empty list has a title, steps and ways to link creation, and no search", async () => {
    serveLinks([]);
    await renderPages("/dashboard");
    expect(screen.getByRole("heading", { name: "Your Links" })).toBeTruthy();
    expect(document.title).toBe("Your Links - Tapthru");
    expect(await screen.findByText("You haven't created any links yet.")).toBeTruthy();
    expect(screen.queryByRole("searchbox")).toBeNull();
    expect(screen.queryByRole("button", { name: "Select" })).toBeNull();
    await userEvent.click(await link("Create your first link"));
    await heading("Create New Link");
    await click("Browser's back");
    await click("Create link");
    expect(await heading("Create New Link")).toBeTruthy();
  });

  // Specification 2.33, 8.23
  test("shows an error when loading fails, and a retry button", async () => {
    serve("GET /api/links", () => failure(403));
    const queryClient = await renderPages("/dashboard");
    expect((await screen.findByRole("alert")).textContent).toBe("Oops! Please try to refresh this page");
    const { queryKey } = linkListOptions({ q: "", sort: "newest", ...NO_FILTERS });
    const message = "Network response was not ok: 403 Unavailable.";
    expect(queryClient.getQueryState(queryKey)?.error?.message).toBe(message);
    serveLinks([LAMP]);
    await click("Try again");
    await areShown("A lamp");
  });

  test.each([
    [503, 4],
    [404, 1],
  ])("retries the list after %i only if that may help", async (status, times) => {
    useFakeClock();
    const attempts = serve("GET /api/links", () => failure(status));
    await renderPages("/dashboard");
    await advanceUntil(() => screen.queryByRole("alert") !== null);
    expect(attempts).toHaveLength(times);
  });

  test("says how many links there are, and is sorted by its column headers", async () => {
    const sent = serve("GET /api/links", ({ query }) =>
      query.has("cursor") ? noReply() : nextPage("/api/links?cursor=1", [shortLink()]),
    );
    serve("GET /api/link-count", () => ({ count: 10_000, areMore: true }));
    await renderPages("/dashboard");
    expect(await screen.findByText("10,000+ links")).toBeTruthy();
    const headers = within(screen.getByRole("group", { name: "Sort by" }));
    const pressed = () => textsOf(headers.getAllByRole("button", { pressed: true }));
    expect([pressed(), textsOf(headers.getAllByRole("button"))]).toEqual([
      ["Created"],
      ["Name", "Taps", "Earned", "Created"],
    ]);
    await click("Earned");
    await waitFor(() => expect(sent.at(-1)).toContain("sort=earnings"));
    expect(pressed()).toEqual(["Earned"]);
    expect(menu("Sort").value).toBe("earnings");
  });
});

describe("above the list", () => {
  const figure = (name: string) => screen.getByText(name, { selector: "dt" }).parentElement?.textContent;

  test("shows four figures of 30 days, each with its change", async () => {
    serveLinks([LAMP]);
    server.use(
      ...clicksApiHandlers((query) => {
        const isNow = Date.parse(query.get("to") ?? "") > Date.now();
        return HttpResponse.json(
          isNow
            ? clickReport([
                { person: 1_200, opened: 617, tried: 1_000 },
                { person: 34, tried: 234 },
              ])
            : clickReport([{ person: 1_028, opened: 535, tried: 1_028 }]),
        );
      }),
    );
    const sums = (earnings: number, earningsPerClick: number) =>
      figuresOf({ sums: [sumsIn("EUR", earnings)], earningsPerClick });
    const before = { from: "2026-09-28", to: "2026-10-27", totals: sums(20_000, 20.04), rows: [] };
    const sent = serve("GET /api/earnings", () =>
      earningsTable({ from: "2026-10-28", ...until("2026-11-26"), currency: "EUR", totals: sums(18_000, 20), before }),
    );
    await renderPages("/dashboard");
    await waitFor(() => expect(figure("Earnings")).toMatch(/^Earnings€180.00▼ -10% · before €200.00$/));
    expect(figure("Per tap")).toMatch(/^Per tap€0.2000% · before €0.200$/);
    await waitFor(() => expect(figure("Taps")).toMatch(/^Taps1,234▲ \+20% · .+ 1,028/));
    expect(figure("App opened")).toMatch(/^App opened50%▼ -4% · .+ 52%/);
    expect(screen.getByRole("img", { name: "Taps by day, at most 1,200" })).toBeTruthy();
    expect(screen.getByText(/^Last 30 days, and the 30 before\. Earnings: Oct 28.*Nov 26, what Amazon/)).toBeTruthy();
    // Of the last days that reports have, and as many before, in one reply.
    expect(sent).toEqual([expect.stringMatching(/^\?to=reported&days=30&against=days&by=day/)]);
  });

  test("shows earnings without a change if the period before had no gain", async () => {
    serveLinks([LAMP]);
    server.use(...clicksApiHandlers(() => HttpResponse.json(clickReport([{ person: 1 }]))));
    const sums = (earnings: number) => figuresOf({ sums: [sumsIn("EUR", earnings)] });
    const before = { from: "2026-09-28", to: "2026-10-27", totals: sums(-500), rows: [] };
    serve("GET /api/earnings", () =>
      earningsTable({ ...until("2026-11-24"), currency: "EUR", totals: sums(1_000), before }),
    );
    await renderPages("/dashboard");
    await waitFor(() => expect(figure("Earnings")).toMatch(/^Earnings€10.00before -€5.00$/));
  });

  test("shows no steps to a user without recent taps who had some before", async () => {
    serveLinks([LAMP]);
    server.use(...clicksApiHandlers(() => HttpResponse.json({ ...clickReport([{ person: 0 }]), hasTaps: true })));
    await renderPages("/dashboard");
    await waitFor(() => expect(figure("Taps")).toMatch(/^Taps0/));
    expect(screen.queryByRole("navigation", { name: "First steps" })).toBeNull();
  });

  test("leads a user with taps and no reports to the import", async () => {
    serveLinks([LAMP]);
    server.use(...clicksApiHandlers(() => HttpResponse.json(clickReport([{ person: 1 }]))));
    await renderPages("/dashboard");
    expect((await link("Import reports")).getAttribute("href")).toBe("/earnings/import");
  });

  test("shows three steps before the first tap, and ticks those that are done", async () => {
    serveLinks([LAMP]);
    server.use(...clicksApiHandlers(() => HttpResponse.json(clickReport([{ person: 0, bot: 3 }]))));
    serveChannels(mainChannel({ tags: [{ marketplace: "de", tag: "me-21" }] }));
    await renderPages("/dashboard");
    const steps = within(await screen.findByRole("navigation", { name: "First steps" }));
    await waitFor(() =>
      expect(textsOf(steps.getAllByRole("link"))).toEqual(["Save your tag", "2Link in your bio", "3Import a report"]),
    );
    expect(steps.getByRole("link", { name: "Done: Save your tag" }).getAttribute("href")).toBe("/account/stores");
    const paths = steps.getAllByRole("link").map((step) => step.getAttribute("href"));
    expect(paths).toEqual(["/account/stores", "/link-creation", "/earnings/import"]);
    expect(screen.queryByText("Earnings", { selector: "dt" })).toBeNull();
  });

  test("shows how many violations of Amazon's rules there are, with a link to them", async () => {
    serveLinks([LAMP]);
    serve("GET /api/compliance-report", () => ({ linkCount: 1, violationCount: 2, violations: [] }));
    await renderPages("/dashboard");
    const alarm = await link("2 violations of Amazon's rules");
    expect(alarm.getAttribute("href")).toBe("/account/data");
    serve("GET /api/compliance-report", () => ({ linkCount: 200, violationCount: 2, violations: [] }));
    await renderPages("/dashboard");
    await link("At least 2 violations of Amazon's rules");
  });
});

describe("a long list", () => {
  test("loads more at the click of a button, until the list is complete", async () => {
    const { queries } = serveLinks(createLinks(500));
    await renderPages("/dashboard");
    await waitFor(() => expect(cards()).toHaveLength(200));
    await click("Show more");
    await screen.findByText("More than 350 links");
    await click("Show more");
    await screen.findByText("500 links");
    expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
    expect(cards()[350]?.contains(document.activeElement)).toBe(true);
    expect(queries).toEqual(["?limit=50", "?limit=150&cursor=451", "?limit=150&cursor=301", "?limit=150&cursor=151"]);
  });

  test("shows an error when a page fails, which the same button loads again", async () => {
    serveLinks(createLinks(220));
    await renderPages("/dashboard");
    await waitFor(() => expect(cards()).toHaveLength(200));
    const failures = serve("GET /api/links", () => failure(403));
    await click("Show more");
    expect((await screen.findByRole("alert")).textContent).toBe("More links could not be loaded.");
    expect(failures).toHaveLength(1);
    expect(names()[0]).toBe("Lamp 220");
    serveLinks(createLinks(220));
    await click("Show more");
    await screen.findByText("220 links");
  });
});

describe("a search", () => {
  test("starts after a pause in typing, with the order that was chosen meanwhile", async () => {
    const user = useFakeClock();
    const { queries } = serveLinks([LAMP, CHAIR]);
    await renderPages("/dashboard");
    await advanceUntil(() => cards().length === 2);
    await user.type(searchField(), "chai");
    await advanceBy(200);
    await user.type(searchField(), "r");
    await advanceUntil(() => cards().length === 1);
    expect(names()).toEqual(["A chair"]);
    expect(queries).toEqual(["?limit=50", "?limit=50&q=chair"]);
    await user.type(searchField(), "s");
    await user.selectOptions(menu("Sort"), "name");
    await advanceBy(1_000);
    expect(queries.at(-1)).toBe("?limit=50&q=chairs&sort=name");
  });

  test("keeps the list visible until the results arrive, and says so at once if there is no connection", async () => {
    serveLinks([LAMP, CHAIR]);
    await renderPages("/dashboard");
    await areShown("A lamp", "A chair");
    serve("GET /api/links", noReply);
    await userEvent.type(searchField(), "lam{Enter}");
    await waitFor(() => expect(cards()[0]?.closest("ul")?.getAttribute("aria-busy")).toBe("true"));
    expect(names()).toEqual(["A lamp", "A chair"]);
    const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    const attempts = serve("GET /api/links", () => HttpResponse.error());
    act(() => void dispatchEvent(new Event("offline")));
    await userEvent.type(searchField(), "p{Enter}");
    expect((await screen.findByRole("alert")).textContent).toBe("You're offline. Check your internet connection.");
    expect(attempts).toHaveLength(1);
    serveLinks([LAMP, CHAIR]);
    onLine.mockReturnValue(true);
    act(() => void dispatchEvent(new Event("online")));
    await areShown("A lamp");
  });

  test("a search drops control characters, continues while pages are empty, and can be cleared if nothing matches", async () => {
    const sent = serve("GET /api/links", ({ query }) =>
      query.has("cursor")
        ? [LAMP]
        : query.has("q")
          ? []
          : nextPage("/api/links?sort=name&cursor=7~%C3%96l+%26+more", []),
    );
    await renderPages("/dashboard?q=%00lamp&store=de&sort=name");
    await screen.findByText("No links match these filters.");
    await click("Clear filters");
    await areShown("A lamp");
    expect([searchField().value, document.activeElement]).toEqual(["", searchField()]);
    const [first, cleared, next] = sent.map((query) => Object.fromEntries(new URLSearchParams(String(query))));
    expect([first?.q, cleared, next?.cursor]).toEqual(["lamp", { limit: "50", sort: "name" }, "7~Öl & more"]);
  });
});

describe("order and filters", () => {
  const blog = mainChannel({ id: 2, name: "Blog", isDefault: false });

  test("puts order and filters into the request and the URL, and shows removable chips of filters in use", async () => {
    const { queries } = serveLinks([LAMP]);
    serve("GET /api/links/stores", () => ["com", "de"]);
    serve("GET /api/labels", () => [{ id: 3, name: "Toys", colour: "red", linkCount: 2 }]);
    serveChannels(mainChannel(), blog);
    await renderPages("/dashboard?q=lamp&from=2026-11-02");
    await waitFor(() => expect(menu("Filter by store").options).toHaveLength(3));
    await screen.findByRole("option", { name: "Toys" });
    await choose("Filter by channel", "Blog");
    await choose("Filter by store", "amazon.de");
    await choose("Filter by label", "Toys");
    await choose("Sort", "By name");
    const createdFrom = new Date("2026-11-02T00:00").toISOString();
    const query = { limit: "50", q: "lamp", channel: "2", store: "de", label: "3", createdFrom, sort: "name" };
    await waitFor(() => expect(Object.fromEntries(new URLSearchParams(queries.at(-1)))).toEqual(query));
    await choose("Filter by store", "Stores");
    await choose("Filter by label", "Labels");
    await click("More: 1");
    await userEvent.clear(screen.getByLabelText("Created from"));
    await choose("Sort", "Newest first");
    await waitFor(() => expect(queries.at(-1)).toBe("?limit=50&q=lamp&channel=2"));
    await choose("Sort", "Most taps");
    await waitFor(() => expect(queries.at(-1)).toContain(`sort=clicks&tz=${encodeURIComponent(timeZone)}`));
  });

  test("reads order and filters from the URL, without invalid values", async () => {
    const { queries } = serveLinks([LAMP]);
    await renderPages("/dashboard?sort=name&store=fr&show=everything&expiry=soon&from=yesterday");
    await areShown("A lamp");
    expect(queries).toEqual(["?limit=50&store=fr&expiry=soon&sort=name"]);
    await click("More: 1");
    const values = ["Sort", "Filter by store", "Filter by tag", "Expiry"].map((name) => menu(name).value);
    expect(values).toEqual(["name", "fr", "", "soon"]);
  });

  test("shows a chip for each tag of a channel and for none, and rare ones behind 'More', with their names", async () => {
    const { queries } = serveLinks([LAMP]);
    serveChannels(mainChannel({ tags: [{ marketplace: "de", tag: "me-21" }] }));
    await renderPages("/dashboard?tag=Other-21");
    const tags = () => textsOf([...menu("Filter by tag").options]);
    await waitFor(() => expect(tags()).toEqual(["Tags", "No tag", "me-21", "Other-21"]));
    await choose("Filter by tag", "me-21");
    await waitFor(() => expect(queries.at(-1)).toBe("?limit=50&tag=me-21"));
    await choose("Filter by tag", "No tag");
    await waitFor(() => expect(queries.at(-1)).toBe("?limit=50&show=no-tag"));
    await choose("Filter by tag", "Tags");
    await waitFor(() => expect(queries.at(-1)).toBe("?limit=50"));
    await click("More");
    expect(button("More").getAttribute("aria-expanded")).toBe("true");
    await choose("State", "Needs attention");
    await choose("Expiry", "Expired");
    await choose("Filter by tag", "me-21");
    const query = { limit: "50", tag: "me-21", show: "needs-attention", expiry: "expired" };
    await waitFor(() => expect(Object.fromEntries(new URLSearchParams(queries.at(-1)))).toEqual(query));
  });

  test.each([
    ["channel=1", "Main"],
    ["channel=9", "..."],
  ])("shows the filter of the URL %s as %s to a user with one channel", async (query, name) => {
    serveLinks([LAMP]);
    await renderPages(`/dashboard?${query}`);
    const chip = await screen.findByRole<HTMLSelectElement>("combobox", { name: "Filter by channel" });
    await waitFor(() => expect(chip.selectedOptions[0]?.textContent).toBe(name));
  });

  test("counts filters without a chip, also that of the domain of a user without one", async () => {
    serveLinks([LAMP]);
    await renderPages("/dashboard?domain=none&to=2026-11-02");
    await click("More: 2");
    const domain = await screen.findByRole<HTMLSelectElement>("combobox", { name: "Domain" });
    expect([domain.value, domain.selectedOptions[0]?.textContent]).toEqual(["none", "tapthru.example"]);
  });
});

test("moves several links to a domain, and counts the failures", async () => {
  serveLinks([LAMP, CHAIR]);
  serve("GET /api/domains", () => [domain()]);
  const results = [
    { id: 2, error: "slug-taken" },
    { id: 1, error: null },
  ];
  const sent = serve("PUT /api/links/bulk/domain", () => ({ results }));
  await openAsUser("/dashboard", { changes: { hasDomains: true } });
  for (const name of ["Select", "Select all", "Domain"]) await click(name);
  await userEvent.selectOptions(await screen.findByLabelText("Domain"), HOST);
  await click("Move");
  await screen.findByText("1 link was not moved: another link has the name there, or it cannot be changed.");
  expect(sent).toEqual([{ ids: [2, 1], domain: HOST }]);
});
