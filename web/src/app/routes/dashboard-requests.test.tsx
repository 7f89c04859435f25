import type { Link } from "@tapthru/proto/links";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse } from "msw";
import { expect, onTestFinished, test } from "vitest";
import { fill, pasteOnPage } from "../../testing/controls.ts";
import { generatedLink, linkReply, serveReplies } from "../../testing/generate-server.ts";
import { shortLink } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { failure, serve } from "../../testing/serve.ts";
import { server } from "../../testing/server.ts";
import { findToast } from "../../testing/toast.ts";

const COUNT = 12;
const PAGE_SIZE = 3;
const ROWS = Array.from({ length: COUNT }, (_, at) => shortLink({ id: COUNT - at, title: `Lamp ${COUNT - at}` }));

/** Serves them in pages, and refuses the one that follows. */
function servePages(rows: Link[]) {
  serve("GET /api/links", ({ query }) => {
    const start = Number(query.get("cursor") ?? 0);
    if (start >= rows.length) return failure(403);
    const headers = { Link: `</api/links?cursor=${start + PAGE_SIZE}>; rel="next"` };
    return HttpResponse.json(rows.slice(start, start + PAGE_SIZE), { headers });
  });
}

/** Opens a list of several pages. @returns the requests from then on */
async function openLongList() {
  servePages(ROWS);
  serve("GET /api/link-count", () => ({ count: 40, areMore: false }));
  serve("GET /api/clicks/links", () => []);
  const queryClient = await renderPages("/dashboard");
  await screen.findByText("40 links");
  await screen.findByText("More links could not be loaded.");
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  const requests: string[] = [];
  const record = ({ request: { method, url } }: { request: Request }) => {
    const { pathname, searchParams } = new URL(url);
    // The page that was refused is not one that was shown.
    if (!(Number(searchParams.get("cursor")) >= COUNT)) requests.push(`${method} ${pathname}`);
  };
  server.events.on("request:start", record);
  onTestFinished(() => server.events.removeListener("request:start", record));
  const settled = async () => {
    await waitFor(() => expect(requests.length).toBeGreaterThan(0));
    await waitFor(() => expect([queryClient.isFetching(), queryClient.isMutating()]).toEqual([0, 0]));
    return requests;
  };
  return { settled };
}

async function choose(item: string) {
  (await screen.findByRole("button", { name: "More actions for Lamp 12" })).focus();
  await userEvent.keyboard("{Enter}");
  await userEvent.click(within(await screen.findByRole("menu")).getByRole("menuitem", { name: item }));
}

test("a rename in a list of several pages sends one request", async () => {
  const { settled } = await openLongList();
  serve<{ nickname: string }>("PATCH /api/links/:shortCode", ({ body }) => ({ ...ROWS[0], ...body }));
  await choose("Rename");
  await fill("Name, which only you see", "Desk{Enter}");
  await screen.findByRole("link", { name: "Desk" });
  expect(await settled()).toEqual([`PATCH /api/links/${ROWS[0]?.shortCode}`]);
});

test("a deletion in a list of several pages sends one request, and lowers the count", async () => {
  const { settled } = await openLongList();
  serve("DELETE /api/links/bulk", () => [{ id: COUNT, isDeleted: true }]);
  await choose("Delete");
  await findToast("1 link deleted");
  await screen.findByText("39 links");
  expect(await settled()).toEqual(["DELETE /api/links/bulk"]);
});

test("a deletion that failed leaves the count, and requests the list again", async () => {
  const { settled } = await openLongList();
  serve("DELETE /api/links/bulk", () => HttpResponse.error());
  await choose("Delete");
  await findToast("Error");
  await waitFor(async () => expect(await settled()).toContain("GET /api/links/stores"));
  expect(screen.getByText("40 links")).toBeTruthy();
});

test("a new link requests its taps and the stores of links, and no taps of other links again", async () => {
  const { settled } = await openLongList();
  const taps = serve("GET /api/clicks/links", () => []);
  serveReplies("/api/generate", linkReply({ shortCode: "newcode" }));
  servePages([shortLink({ id: COUNT + 1, shortCode: "newcode", title: "A new lamp" }), ...ROWS]);
  pasteOnPage(generatedLink().originalUrl);
  await screen.findByRole("button", { name: "More actions for A new lamp" });
  await waitFor(async () => expect(await settled()).toContain("GET /api/links/stores"));
  await settled();
  expect(taps.map((query) => new URLSearchParams(String(query)).get("codes"))).toEqual(["newcode"]);
});

test("a new destination, which may be in another store, requests the list and the stores again", async () => {
  const { settled } = await openLongList();
  serve("PATCH /api/links/:shortCode", () => ROWS[0]);
  await choose("Change destination");
  await fill("New Amazon link", "https://www.amazon.fr/dp/B0ZZ1Y2X3W{Enter}");
  await waitFor(async () => expect(await settled()).toContain("GET /api/links/stores"));
  await waitFor(async () => expect(await settled()).toContain("GET /api/links"));
});
