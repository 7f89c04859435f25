import { QueryClientProvider } from "@tanstack/react-query";
import type { Channel } from "@tapthru/proto/channels";
import { render, screen, waitFor } from "@testing-library/react";
import { type UserEvent, userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { Toaster } from "../../components/ui/toaster.tsx";
import { createQueryClient } from "../../lib/http/query-client.ts";
import { catchLogs } from "../../testing/catch-logs.ts";
import { mainChannel, serveChannels } from "../../testing/channels-server.ts";
import { errorReply } from "../../testing/generate-server.ts";
import { server } from "../../testing/server.ts";
import { FirstTag, GuestTag } from "./tag-form.tsx";

const GERMAN = "https://www.amazon.de/dp/B0ZZ1Y2X3W?th=1";

let user: UserEvent;
const onTagged = vi.fn<() => void>();
beforeEach(() => {
  user = userEvent.setup();
  onTagged.mockReset();
});

const renderForm = (form = <GuestTag url={GERMAN} onTagged={onTagged} />) =>
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Toaster>{form}</Toaster>
    </QueryClientProvider>,
  );

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
    ["  ", "Please enter your tag"],
    ["me 21", /^A tag has only letters/],
    ["me&x=1", /^A tag has only letters/],
  ])("is not %j", async (tag, message) => {
    renderForm();
    await user.type(field(), `${tag}{Enter}`);
    expect(screen.getByText(message)).toBeTruthy();
    expect(field().getAttribute("aria-invalid")).toBe("true");
    expect(onTagged).not.toHaveBeenCalled();
  });

  test.each([
    ["me-22", /^Tags for amazon\.de usually end in -21/],
    ["me-20", /^This looks like a tag for amazon\.com\./],
    ["me", /^Tags usually end in a hyphen/],
    ["maas", /^This is an Amazon Attribution tag/],
  ])("%s is unusual, which the form says, and accepts it", async (tag, message) => {
    renderForm();
    await user.type(field(), tag);
    expect(screen.getByText(message)).toBeTruthy();
    await user.keyboard("{Enter}");
    expect(onTagged).toHaveBeenCalledOnce();
  });

  test.each(["{", '{"de":"me-21"}', '[{"marketplace":"de","tag":"<b>"}]'])("replaces %s", async (stored) => {
    localStorage.setItem("store_tags", stored);
    renderForm();
    await user.type(field(), "me-21{Enter}");
    expect(storedTags()).toEqual([{ marketplace: "de", tag: "me-21" }]);
  });
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

  test("is filled in if they entered it before they signed up", async () => {
    localStorage.setItem("store_tags", '[{"marketplace":"fr","tag":"me-21"}]');
    serve(mainChannel());
    renderForm(<FirstTag />);
    const filled = await screen.findByRole<HTMLInputElement>("textbox", { name: "Your Associates tag for amazon.fr" });
    expect(filled.value).toBe("me-21");
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

  test("is saved also if links cannot be given it, which is only logged", async () => {
    const warnings = catchLogs("warn");
    serve(mainChannel());
    server.use(http.put("/api/links/bulk/channel", errorReply(403, "No.")));
    renderForm(<FirstTag />);
    await user.type(await screen.findByRole("textbox"), "me-21{Enter}");
    await screen.findByText("Your links to amazon.de without a tag get this one.");
    expect(warnings()).toEqual([expect.stringContaining("Failed to add the tag to links")]);
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
