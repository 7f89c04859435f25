import { QueryClientProvider } from "@tanstack/react-query";
import type { StoreTag } from "@tapthru/proto/fields";
import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { Toaster } from "../../../components/ui/toaster.tsx";
import { createQueryClient } from "../../../lib/http/query-client.ts";
import { mainChannel } from "../../../testing/examples.ts";
import { shortLink } from "../../../testing/links-server.ts";
import { failure, serve, serveChannels } from "../../../testing/serve.ts";
import { GuestTag, TagOfChannel } from "./tag-form.tsx";

const GERMAN = "https://www.amazon.de/dp/B0ZZ1Y2X3W?th=1";
const ME = { marketplace: "de", tag: "me-21" };

const onTagged = vi.fn<() => void>();
beforeEach(() => {
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
  test.each([`${GERMAN}&tag=other-21`, "https://amzn.to/3abc", "not a link"])("asks for no tag: %s", (url) => {
    renderForm(<GuestTag url={url} onTagged={onTagged} />);
    expect(screen.queryByRole("textbox")).toBeNull();
  });

  const US = { marketplace: "com", tag: "me-20" };
  test.each([
    [JSON.stringify([{ ...ME, tag: "old-21" }, US]), [US, ME]],
    ["{", [ME]],
    ['[{"marketplace":"de","tag":"<b>"}]', [ME]],
  ])("keeps a guest's tag in the browser, one for each store, with %s before", async (stored, after) => {
    localStorage.setItem("store_tags", stored);
    renderForm();
    expect(field().labels?.[0]?.textContent).toBe("Your tag for amazon.de");
    await userEvent.type(field(), "me-21{Enter}");
    expect(onTagged).toHaveBeenCalledOnce();
    expect(storedTags()).toEqual(after);
  });

  test.each([
    ["  ", "Please enter your tag", 0],
    ["me 21", /^A tag has only letters/, 0],
    ["me-22", /^Tags for amazon\.de usually end in -21/, 1],
    ["me", /^Tags usually end in a hyphen/, 1],
    ["maas", /^This is an Amazon Attribution tag/, 1],
  ])("%j is refused or unusual, which the form says", async (tag, message, accepted) => {
    renderForm();
    await userEvent.type(field(), tag);
    if (accepted === 0) await userEvent.keyboard("{Enter}");
    expect(screen.getByText(message)).toBeTruthy();
    expect(field().getAttribute("aria-invalid")).toBe(String(accepted === 0));
    if (accepted === 1) await userEvent.keyboard("{Enter}");
    // A tag with a warning needs a second click.
    const anyway = screen.queryByRole("button", { name: "Save anyway" });
    const isAsked = accepted === 1 && tag !== "maas";
    expect([anyway !== null, onTagged.mock.calls.length]).toEqual([isAsked, tag === "maas" ? 1 : 0]);
    if (anyway) await userEvent.click(anyway);
    expect(onTagged).toHaveBeenCalledTimes(accepted);
  });
});

test("the tag that is missing in one store is not what was typed for another", async () => {
  serveChannels(mainChannel());
  const { rerender } = renderForm(<TagOfChannel link={shortLink({ webUrl: GERMAN })} />);
  await userEvent.type(await screen.findByRole("textbox"), "me-21");
  rerender(<TagOfChannel link={shortLink({ webUrl: "https://www.amazon.fr/dp/B0ZZ1Y2X3W" })} />);
  expect(screen.getByRole("textbox", { name: "Your tag for amazon.fr" })).toHaveProperty("value", "");
});

describe("the tag that a channel lacks", () => {
  const LINK = shortLink({ id: 7, webUrl: GERMAN });
  const save = async () => {
    renderForm(<TagOfChannel link={LINK} />);
    await userEvent.type(await screen.findByRole("textbox"), "me-21{Enter}");
  };
  let tags: unknown[];
  beforeEach(() => {
    serveChannels(mainChannel());
    tags = serve("PUT /api/channels/:id/tags", ({ body }) => ({ ...(body as StoreTag), linkCount: 0 }));
  });

  test("begins with the one of a guest in this browser", async () => {
    localStorage.setItem("store_tags", '[{"marketplace":"de","tag":"de-21"}]');
    renderForm(<TagOfChannel link={LINK} />);
    expect((await screen.findByRole<HTMLInputElement>("textbox")).value).toBe("de-21");
  });

  test("goes to all links of its channel to the store without one, and the form says how many have it", async () => {
    serveChannels(mainChannel(), mainChannel({ id: 2, name: "Blog", isDefault: false }));
    const asked = serve("GET /api/link-ids", () => [7, 8, 9]);
    const results = [7, 8, 9].map((id) => ({ id, error: id === 9 ? "link-taken-down" : null }));
    const changes = serve("PUT /api/links/bulk/channel", () => ({ results }));
    renderForm(<TagOfChannel link={{ ...LINK, channelId: 2 }} />);
    await screen.findByText("All links of the channel Blog to amazon.de without a tag get it.");
    await userEvent.type(screen.getByRole("textbox"), "me-21{Enter}");
    await screen.findByText("Saved. 2 links now have the tag. Some links without a tag did not get it.");
    expect([tags, asked]).toEqual([[ME], ["?show=no-tag&channel=2&store=de"]]);
    expect(changes).toEqual([{ ids: [7, 8, 9], channelId: 2, usesChannelTag: true }]);
  });

  test("stays in the form if it cannot be saved", async () => {
    serve("PUT /api/channels/:id/tags", () => failure(403));
    await save();
    expect(await screen.findByText("Not saved. Please try again.")).toBeTruthy();
    expect(field().value).toBe("me-21");
  });
});
