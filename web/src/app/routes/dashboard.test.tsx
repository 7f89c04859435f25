import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { describe, expect, test, vi } from "vitest";
import { linkListOptions } from "../../features/links/list/list-links.ts";
import { NO_FILTERS } from "../../features/links/list/use-list-view.ts";
import { fakeIntersections } from "../../testing/fake-intersections.ts";
import { advanceBy, advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { server } from "../../testing/server.ts";

const cards = () => screen.queryAllByRole("listitem");
const names = () => cards().map((card) => within(card).getByRole("link").textContent);
const searchField = () => screen.getByRole<HTMLInputElement>("searchbox", { name: "Search your links" });

const ALL_LINKS = { q: "", sort: "newest", ...NO_FILTERS } as const;

const createLinks = (count: number) =>
  Array.from({ length: count }, (_, index) => shortLink({ id: count - index, title: `Lamp ${count - index}` }));

describe("a card", () => {
  // Specification 2.30
  test("shows name, image and the short URL in at most 30 characters, and links to the details", async () => {
    serveLinks([shortLink({ shortCode: "abcdefg" })]);
    await renderPages("/dashboard");
    const link = await screen.findByRole("link", { name: "A lamp" });
    expect(link.getAttribute("href")).toBe("/link/abcdefg");
    expect(screen.getByText("tapthru.example/l/abcdefg")).toBeTruthy();
    expect(cards()[0]?.querySelector("img")?.src).toBe("https://m.media-amazon.com/images/I/lamp.jpg");
  });

  // Specification 2.30
  test("shows a parcel icon if there is no image or it does not load", async () => {
    serveLinks([shortLink({ id: 2 }), shortLink({ id: 1, imageUrl: null })]);
    await renderPages("/dashboard");
    await waitFor(() => expect(cards()).toHaveLength(2));
    const picture = cards()[0]?.querySelector("img");
    expect(cards()[1]?.querySelector("img")).toBeNull();
    act(() => void picture?.dispatchEvent(new Event("error")));
    expect(cards()[0]?.querySelector("img")).toBeNull();
  });

  // Specification 2.30
  test.each([
    ["the nickname", { nickname: "My lamp" }, "My lamp"],
    ["the title, cut at the end of a sentence", { title: `${"x".repeat(40)}. More` }, "x".repeat(40)],
    ["the product id if the title is only the host", { title: "tapthru.example" }, "Amazon Product: B0ZZ1Y2X3W"],
    ["the product id if there is no title", { title: null }, "Amazon Product: B0ZZ1Y2X3W"],
    ["a general name for other pages", { title: null, originalUrl: "https://www.amazon.de/shop/me" }, "Amazon Product"],
  ])("is named by %s", async (_case, changes, name) => {
    serveLinks([shortLink(changes)]);
    await renderPages("/dashboard");
    await waitFor(() => expect(names()).toEqual([name]));
  });

  test("marks an invalid link and has no copy button for it", async () => {
    serveLinks([shortLink({ originalUrl: "javascript:alert(1)", webUrl: "", deepLink: "", invalid: true })]);
    await renderPages("/dashboard");
    expect(await screen.findByText("Invalid link")).toBeTruthy();
    expect(screen.queryByRole("button", { name: /^Copy/ })).toBeNull();
    expect(document.body.innerHTML).not.toContain("javascript:");
  });

  test("can be opened, and going back restores the list", async () => {
    const user = userEvent.setup();
    const link = shortLink({ shortCode: "abcdefg" });
    serveLinks([link]);
    server.use(http.get("/api/links/abcdefg", () => HttpResponse.json(link)));
    await renderPages("/dashboard?q=lamp");
    await user.click(await screen.findByRole("link", { name: "A lamp" }));
    await user.click(await screen.findByRole("button", { name: "< Back to List" }));
    expect(searchField().value).toBe("lamp");
    expect(names()).toEqual(["A lamp"]);
  });
});

describe("the list", () => {
  test.each([
    ["is shown from the cache 55 seconds later", 55_000, 1],
    ["is refetched 60 seconds later, as are a link's details", 60_000, 2],
  ])("%s", async (_case, ms, times) => {
    const user = useFakeClock();
    const link = shortLink({ shortCode: "abcdefg" });
    const { queries } = serveLinks([link]);
    let detailRequests = 0;
    server.use(
      http.get("/api/links/abcdefg", () => {
        detailRequests += 1;
        return HttpResponse.json(link);
      }),
    );
    const card = () => screen.queryByRole("link", { name: "A lamp" });
    const openCard = async () => {
      await advanceUntil(() => card() !== null);
      await user.click(card() as Element);
      await advanceUntil(() => screen.queryByRole("button", { name: "Delete" }) !== null);
    };
    const queryClient = await renderPages("/dashboard");
    await openCard();
    await advanceBy(ms);
    await user.click(screen.getByRole("button", { name: "< Back to List" }));
    await advanceUntil(() => queries.length >= times);
    await openCard();
    await advanceUntil(() => queryClient.isFetching() === 0);
    expect([queries.length, detailRequests]).toEqual([times, times]);
  });

  // Specification 2.3, 2.29
  test("has a title, a hint to paste and a button that opens link creation", async () => {
    serveLinks([]);
    await renderPages("/dashboard");
    expect(screen.getByRole("heading", { name: "Your Links" })).toBeTruthy();
    expect(document.title).toBe("Your Links - Tapthru");
    expect(screen.getByText("Paste an Amazon link anywhere on this page to shorten it.")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Create link" }));
    expect(await screen.findByRole("heading", { name: "Create New Link" })).toBeTruthy();
  });

  // Specification 2.34
  test("says that there are no links yet, leads to link creation, and has no search", async () => {
    serveLinks([]);
    await renderPages("/dashboard");
    expect(await screen.findByText("You haven't created any links yet.")).toBeTruthy();
    expect(screen.queryByRole("searchbox")).toBeNull();
    expect(screen.queryByRole("button", { name: "Select" })).toBeNull();
    await userEvent.click(screen.getByRole("link", { name: "Create your first link" }));
    expect(await screen.findByRole("heading", { name: "Create New Link" })).toBeTruthy();
  });

  // Specification 2.33, 8.23
  test("shows an error when loading fails, and a retry button", async () => {
    server.use(http.get("/api/links", () => new HttpResponse("Not allowed", { status: 403 })));
    const queryClient = await renderPages("/dashboard");
    expect((await screen.findByRole("alert")).textContent).toBe("Oops! Please try to refresh this page");
    expect(queryClient.getQueryState(linkListOptions(ALL_LINKS).queryKey)?.error?.message).toBe(
      "Network response was not ok: 403 Not allowed",
    );
    serveLinks([shortLink()]);
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(names()).toEqual(["A lamp"]));
  });

  test.each([
    ["503", () => new HttpResponse("Unavailable", { status: 503 }), 4],
    // Requested before the list is mounted, and then once more.
    ["404", () => new HttpResponse("Not found.", { status: 404 }), 2],
  ])("is retried after %s only if that may help", async (_case, reply, times) => {
    useFakeClock();
    let attempts = 0;
    server.use(
      http.get("/api/links", () => {
        attempts += 1;
        return reply();
      }),
    );
    await renderPages("/dashboard");
    await advanceUntil(() => screen.queryByRole("alert") !== null);
    expect(attempts).toBe(times);
  });
});

describe("a long list", () => {
  const lastCard = () => cards().at(-1);
  const showMore = () => screen.queryByRole("button", { name: "Show more" });

  function scrollDown(to: number) {
    scrollTo(0, to);
    fireEvent.scroll(window);
  }

  test("renders only the cards in view and some around them if it is longer", async () => {
    // happy-dom has no layout.
    vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(96);
    serveLinks(createLinks(201));
    await renderPages("/dashboard");
    await userEvent.click(await screen.findByRole("button", { name: "Show more" }));
    await waitFor(() => expect(cards()[0]?.getAttribute("aria-setsize")).toBe("201"));
    expect(names()[0]).toBe("Lamp 201");
    expect(cards().length).toBeLessThan(30);
    scrollDown(100_000);
    await waitFor(() => expect(names().at(-1)).toBe("Lamp 1"));
    expect(lastCard()?.getAttribute("aria-posinset")).toBe("201");
    expect(cards().length).toBeLessThan(30);
  });

  test("loads more at the click of a button, until the list is complete", async () => {
    const { queries } = serveLinks(createLinks(500));
    await renderPages("/dashboard");
    await waitFor(() => expect(cards()).toHaveLength(200));
    expect(lastCard()?.getAttribute("aria-setsize")).toBe("-1");
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    await screen.findByText("More than 350 links");
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    await screen.findByText("500 links");
    expect(showMore()).toBeNull();
    expect(queries).toEqual(["?limit=50", "?limit=150&cursor=451", "?limit=150&cursor=301", "?limit=150&cursor=151"]);
  });

  test("loads the next page when its end comes near the viewport", async () => {
    const { intersect } = fakeIntersections();
    serveLinks(createLinks(220));
    await renderPages("/dashboard");
    await waitFor(() => expect(cards()).toHaveLength(200));
    act(intersect);
    await screen.findByText("220 links");
  });

  test("shows an error when a page fails, and then loads it only at the click of a button", async () => {
    const { intersect } = fakeIntersections();
    serveLinks(createLinks(220));
    await renderPages("/dashboard");
    await waitFor(() => expect(cards()).toHaveLength(200));
    let failures = 0;
    server.use(
      http.get("/api/links", () => {
        failures += 1;
        return new HttpResponse("Not allowed", { status: 403 });
      }),
    );
    act(intersect);
    expect((await screen.findByRole("alert")).textContent).toBe("More links could not be loaded.");
    act(intersect);
    expect(failures).toBe(1);
    expect(names()[0]).toBe("Lamp 220");
    serveLinks(createLinks(220));
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    await screen.findByText("220 links");
  });
});

describe("a list that is shown again", () => {
  async function showTwice(linkCount: number) {
    const user = useFakeClock();
    const links = createLinks(linkCount);
    const { queries } = serveLinks(links);
    server.use(http.get("/api/links/:code", () => HttpResponse.json(links[0])));
    await renderPages("/dashboard");
    await advanceUntil(() => cards().length > 0);
    for (let shown = 200; shown < linkCount; shown += 150) {
      await advanceUntil(() => screen.queryByText(`More than ${shown} links`) !== null);
      await user.click(screen.getByRole("button", { name: "Show more" }));
    }
    await advanceUntil(() => screen.queryByText(`${linkCount} links`) !== null);
    const requests = queries.length;
    await user.click(screen.getByRole("link", { name: `Lamp ${linkCount}` }));
    await advanceUntil(() => screen.queryByRole("button", { name: "< Back to List" }) !== null);
    await advanceBy(61_000);
    await user.click(screen.getByRole("button", { name: "< Back to List" }));
    await advanceBy(2_000);
    expect(screen.getByText(`${linkCount} links`)).toBeTruthy();
    return { requests, again: queries.length - requests };
  }

  test("keeps its links if it has more than four pages", async () => {
    expect(await showTwice(650)).toEqual({ requests: 5, again: 0 });
  });
});

describe("a search", () => {
  test("starts after a pause in typing, and is part of the URL", async () => {
    const user = useFakeClock();
    const { queries } = serveLinks([shortLink({ id: 2, title: "A lamp" }), shortLink({ id: 1, title: "A chair" })]);
    await renderPages("/dashboard");
    await advanceUntil(() => cards().length === 2);
    await user.type(searchField(), "chai");
    await advanceBy(200);
    await user.type(searchField(), "r");
    await advanceUntil(() => cards().length === 1);
    expect(names()).toEqual(["A chair"]);
    expect(queries).toEqual(["?limit=50", "?limit=50&q=chair"]);
  });

  test("keeps the list visible until the results arrive", async () => {
    serveLinks([shortLink()]);
    await renderPages("/dashboard");
    await waitFor(() => expect(cards()).toHaveLength(1));
    server.use(http.get("/api/links", () => new Promise(() => {})));
    await userEvent.type(searchField(), "chair{Enter}");
    await waitFor(() => expect(cards()[0]?.closest("ul")?.getAttribute("aria-busy")).toBe("true"));
    expect(names()).toEqual(["A lamp"]);
  });

  test("without a connection says so at once, and is repeated when the browser is online", async () => {
    serveLinks([shortLink(), shortLink({ id: 2, title: "A chair" })]);
    await renderPages("/dashboard");
    await waitFor(() => expect(cards()).toHaveLength(2));
    const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    let attempts = 0;
    server.use(
      http.get("/api/links", () => {
        attempts += 1;
        return HttpResponse.error();
      }),
    );
    act(() => void dispatchEvent(new Event("offline")));
    await userEvent.type(searchField(), "chair{Enter}");
    expect((await screen.findByRole("alert")).textContent).toBe("You're offline. Check your internet connection.");
    expect(attempts).toBe(1);
    serveLinks([shortLink({ id: 2, title: "A chair" })]);
    onLine.mockReturnValue(true);
    act(() => void dispatchEvent(new Event("online")));
    await waitFor(() => expect(names()).toEqual(["A chair"]));
  });

  test("goes on while pages are empty", async () => {
    server.use(
      http.get("/api/links", ({ request }) =>
        new URL(request.url).searchParams.has("cursor")
          ? HttpResponse.json([shortLink()])
          : HttpResponse.json([], {
              headers: { Link: '</api/links?q=lamp&cursor=7>; rel="next"' },
            }),
      ),
    );
    await renderPages("/dashboard?q=lamp");
    await waitFor(() => expect(names()).toEqual(["A lamp"]));
  });

  test("says that there is no match, and can be cleared", async () => {
    serveLinks([shortLink()]);
    await renderPages("/dashboard");
    await waitFor(() => expect(cards()).toHaveLength(1));
    await userEvent.type(searchField(), "chair{Enter}");
    expect(await screen.findByText('No links match "chair".')).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Clear search" }));
    await waitFor(() => expect(names()).toEqual(["A lamp"]));
    expect(searchField().value).toBe("");
    expect(document.activeElement).toBe(searchField());
  });

  test("keeps an order that was chosen during the pause", async () => {
    const user = useFakeClock();
    const { queries } = serveLinks([shortLink()]);
    await renderPages("/dashboard");
    await advanceUntil(() => cards().length === 1);
    await user.type(searchField(), "lamp");
    await user.selectOptions(screen.getByRole("combobox", { name: "Sort" }), "name");
    await advanceBy(1_000);
    expect(queries.at(-1)).toBe("?limit=50&q=lamp&sort=name");
  });

  test("removes control characters and blanks", async () => {
    const { queries } = serveLinks([shortLink()]);
    await renderPages("/dashboard?q=%00%20");
    await waitFor(() => expect(queries).toEqual(["?limit=50"]));
  });
});
