import { QueryClientProvider } from "@tanstack/react-query";
import type { Channel } from "@tapthru/proto/channels";
import { render, screen, waitFor } from "@testing-library/react";
import { type UserEvent, userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import type { ReactNode } from "react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { Toaster } from "../../../components/ui/toaster.tsx";
import { createQueryClient } from "../../../lib/http/query-client.ts";
import { mainChannel, serveChannels } from "../../../testing/channels-server.ts";
import { errorReply } from "../../../testing/generate-server.ts";
import { shortLink } from "../../../testing/links-server.ts";
import { server } from "../../../testing/server.ts";
import { FirstTag, GuestTag, TagOfChannel } from "./tag-form.tsx";

const GERMAN = "https://www.amazon.de/dp/B0ZZ1Y2X3W?th=1";

let user: UserEvent;
const onTagged = vi.fn<() => void>();
beforeEach(() => {
  user = userEvent.setup();
  onTagged.mockReset();
});

function renderForm(form = <GuestTag url={GERMAN} onTagged={onTagged} />) {
  const client = createQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <Toaster>{children}</Toaster>
    </QueryClientProvider>
  );
  return render(form, { wrapper });
}

const field = () => screen.getByRole<HTMLInputElement>("textbox");
const storedTags = () => JSON.parse(localStorage.getItem("store_tags") ?? "[]");

describe("the tag of a guest", () => {
  test.each([`${GERMAN}&tag=other-21`, "https://amzn.to/3abc", "not a link"])("is not asked for %s", (url) => {
    renderForm(<GuestTag url={url} onTagged={onTagged} />);
    expect(screen.queryByRole("textbox")).toBeNull();
  });

  test("is kept in the browser, one for each store", async () => {
    localStorage.setItem(
      "store_tags",
      JSON.stringify([
        { marketplace: "de", tag: "old-21" },
        { marketplace: "com", tag: "me-20" },
      ]),
    );
    renderForm();
    expect(field().labels?.[0]?.textContent).toBe("Your Associates tag for amazon.de");
    await user.type(field(), "me-21{Enter}");
    expect(onTagged).toHaveBeenCalledOnce();
    expect(storedTags()).toEqual([
      { marketplace: "com", tag: "me-20" },
      { marketplace: "de", tag: "me-21" },
    ]);
  });

  test.each([
    ["  ", "Please enter your tag", 0],
    ["me 21", /^A tag has only letters/, 0],
    ["me-22", /^Tags for amazon\.de usually end in -21/, 1],
    ["me-20", /^This looks like a tag for amazon\.com\./, 1],
    ["me", /^Tags usually end in a hyphen/, 1],
    ["maas", /^This is an Amazon Attribution tag/, 1],
  ])("%j is refused or unusual, which the form says", async (tag, message, accepted) => {
    renderForm();
    await user.type(field(), tag);
    if (accepted === 0) await user.keyboard("{Enter}");
    expect(screen.getByText(message)).toBeTruthy();
    expect(field().getAttribute("aria-invalid")).toBe(String(accepted === 0));
    if (accepted === 1) await user.keyboard("{Enter}");
    // A tag with a warning needs a second press.
    const anyway = screen.queryByRole("button", { name: "Save anyway" });
    expect([anyway !== null, onTagged.mock.calls.length]).toEqual([
      accepted === 1 && tag !== "maas",
      tag === "maas" ? 1 : 0,
    ]);
    if (anyway) await user.click(anyway);
    expect(onTagged).toHaveBeenCalledTimes(accepted);
  });

  test.each(["{", '{"de":"me-21"}', '[{"marketplace":"de","tag":"<b>"}]'])("replaces %s", async (stored) => {
    localStorage.setItem("store_tags", stored);
    renderForm();
    await user.type(field(), "me-21{Enter}");
    expect(storedTags()).toEqual([{ marketplace: "de", tag: "me-21" }]);
  });
});

test("the tag that is missing in one store is not what was typed for another", async () => {
  server.use(serveChannels(mainChannel()));
  const { rerender } = renderForm(<TagOfChannel link={shortLink({ webUrl: GERMAN })} />);
  await user.type(await screen.findByRole("textbox"), "me-21");
  rerender(<TagOfChannel link={shortLink({ webUrl: "https://www.amazon.fr/dp/B0ZZ1Y2X3W" })} />);
  expect(screen.getByRole("textbox", { name: "Your Associates tag for amazon.fr" })).toHaveProperty("value", "");
});

describe("the first tag of a user", () => {
  const heading = () => screen.queryByRole("heading", { name: "Earn from purchases" });
  /** @returns what was changed */
  const serve = (...channels: Channel[]) => {
    const changes: unknown[] = [];
    const record = async ({ request }: { request: Request }) => {
      const body = await request.json();
      changes.push(body);
      return HttpResponse.json(new URL(request.url).pathname.endsWith("/tags") ? body : { results: [] });
    };
    server.use(
      serveChannels(...channels),
      http.put("/api/channels/:id/tags", record),
      http.get("/api/link-ids", () => HttpResponse.json([7])),
      http.put("/api/links/bulk/channel", record),
    );
    return changes;
  };

  test("is asked for once in the store of their links, which get it", async () => {
    const changes = serve(mainChannel());
    renderForm(<FirstTag />);
    await user.type(await screen.findByRole("textbox", { name: "Your Associates tag for amazon.de" }), "me-21");
    server.use(serveChannels(mainChannel({ tags: [{ marketplace: "de", tag: "me-21" }] })));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(heading()).toBeNull());
    expect(changes).toEqual([
      { marketplace: "de", tag: "me-21" },
      { ids: [7], channelId: null, usesChannelTag: true },
    ]);
  });

  test("is not asked for again after 'Not now'", async () => {
    serve(mainChannel());
    const { unmount } = renderForm(<FirstTag />);
    await user.click(await screen.findByRole("button", { name: "Not now" }));
    expect(heading()).toBeNull();
    unmount();
    renderForm(<FirstTag />);
    await waitFor(() => expect(heading()).toBeNull());
  });

  test("is given to all links of a user with many, after a pause if the api asks for one", async () => {
    const changes = serve(mainChannel());
    const ids = Array.from({ length: 1_100 }, (_, at) => at + 1);
    const headers = { Link: '</api/link-ids?before=9>; rel="next"' };
    server.use(
      http.get("/api/link-ids", ({ request }) =>
        new URL(request.url).searchParams.has("before")
          ? HttpResponse.json(ids.slice(600))
          : HttpResponse.json(ids.slice(0, 600), { headers }),
      ),
    );
    const throttled = () => new HttpResponse(null, { status: 429, headers: { "Retry-After": "0" } });
    server.use(http.put("/api/links/bulk/channel", throttled, { once: true }));
    renderForm(<FirstTag />);
    await user.type(await screen.findByRole("textbox"), "me-21{Enter}");
    await screen.findByText("Your links to amazon.de without a tag get this one.");
    const [, ...batches] = changes as { ids: number[] }[];
    expect(batches.map((batch) => batch.ids.length)).toEqual([1_000, 100]);
    expect(batches.flatMap((batch) => batch.ids)).toEqual(ids);
  });

  test("is for new links if the user has several channels", async () => {
    const changes = serve(mainChannel(), mainChannel({ id: 2, name: "Blog", isDefault: false }));
    renderForm(<FirstTag />);
    await user.type(await screen.findByRole("textbox"), "me-21{Enter}");
    await screen.findByText("New links to amazon.de without a tag get this one.");
    expect(changes).toEqual([{ marketplace: "de", tag: "me-21" }]);
  });

  test("is saved also if links are refused, which is said", async () => {
    serve(mainChannel());
    const refusal = { results: [{ id: 7, error: "link-taken-down" }] };
    server.use(http.put("/api/links/bulk/channel", () => HttpResponse.json(refusal)));
    renderForm(<FirstTag />);
    await user.type(await screen.findByRole("textbox"), "me-21{Enter}");
    await screen.findByText(/^The tag is saved\. Not all of your links to amazon\.de/);
  });

  test("keeps the typed text and the focus when another store is chosen", async () => {
    serve(mainChannel());
    localStorage.setItem("store_tags", '[{"marketplace":"fr","tag":"fr-21"},{"marketplace":"de","tag":"de-21"}]');
    renderForm(<FirstTag />);
    const stores = await screen.findByRole("combobox", { name: "Amazon store" });
    expect(field().value).toBe("fr-21");
    await user.selectOptions(stores, "de");
    expect([field().value, document.activeElement]).toEqual(["de-21", stores]);
    await user.clear(field());
    await user.type(field(), "my-2");
    await user.selectOptions(stores, "fr");
    expect(field().value).toBe("my-2");
  });

  test("stays in the form if it cannot be saved", async () => {
    serve(mainChannel());
    server.use(http.put("/api/channels/:id/tags", errorReply(403, "No.")));
    renderForm(<FirstTag />);
    await user.type(await screen.findByRole("textbox"), "me-21{Enter}");
    expect(await screen.findByText("Failed to save the tag. Please try again.")).toBeTruthy();
    expect(field().value).toBe("me-21");
  });
});
