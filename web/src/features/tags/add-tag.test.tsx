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
import { AddTag } from "./add-tag.tsx";
import type { TagFormProps } from "./tag-form.tsx";

const GERMAN = "https://www.amazon.de/dp/B0ZZ1Y2X3W?th=1";
const AMERICAN = "https://www.amazon.com/dp/B0ZZ1Y2X3W";

let user: UserEvent;
const onTagged = vi.fn<TagFormProps["onTagged"]>();
beforeEach(() => {
  user = userEvent.setup();
  onTagged.mockReset();
});

function renderAddTag(url = GERMAN, { isMember = false } = {}) {
  return render(
    <QueryClientProvider client={createQueryClient()}>
      <Toaster>
        <AddTag url={url} isMember={isMember} pending={false} onTagged={onTagged} />
      </Toaster>
    </QueryClientProvider>,
  );
}

const button = () => screen.queryByRole("button", { name: "Add your tag" });
const field = () => screen.findByRole<HTMLInputElement>("textbox");
const submit = () => user.click(screen.getByRole("button", { name: "Create link with tag" }));
const openForm = async () => {
  await user.click(button() as HTMLElement);
  return field();
};

async function addTag(tag: string) {
  const input = await openForm();
  await user.clear(input);
  await user.type(input, tag);
  await submit();
}

test.each([`${GERMAN}&tag=other-21`, "https://amzn.to/3abc", "not a link"])("is not offered for %s", (url) => {
  renderAddTag(url);
  expect(button()).toBeNull();
});

test("creates the link with the tag only once the user confirms", async () => {
  renderAddTag();
  const input = await openForm();
  expect(input.labels?.[0]?.textContent).toBe("Your Associates tag for amazon.de");
  await user.type(input, "me-21");
  expect(onTagged).not.toHaveBeenCalled();
  await submit();
  expect(onTagged.mock.calls).toEqual([[`${GERMAN}&tag=me-21`]]);
});

test.each([
  ["  ", "Please enter your tag"],
  ["me 21", /^A tag has only letters/],
  ["me&x=1", /^A tag has only letters/],
])("refuses the tag %j", async (tag, message) => {
  renderAddTag();
  await addTag(tag);
  expect(screen.getByText(message)).toBeTruthy();
  expect((await field()).getAttribute("aria-invalid")).toBe("true");
  expect(onTagged).not.toHaveBeenCalled();
});

test.each([
  ["me-22", /^Tags for amazon\.de usually end in -21/],
  ["me-20", /^This looks like a tag for amazon\.com\./],
  ["me", /^Tags usually end in a hyphen/],
  ["maas", /^This is an Amazon Attribution tag/],
])("warns about the unusual tag %s, and accepts it", async (tag, message) => {
  renderAddTag();
  await user.type(await openForm(), tag);
  expect(screen.getByText(message)).toBeTruthy();
  await submit();
  expect(onTagged.mock.calls).toEqual([[`${GERMAN}&tag=${tag}`]]);
});

test.each(["{Escape}", "Cancel"])("%s closes the form and returns the focus", async (way) => {
  renderAddTag();
  const input = await openForm();
  if (way === "Cancel") await user.click(screen.getByRole("button", { name: way }));
  else await user.type(input, way);
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(document.activeElement).toBe(button());
});

describe("without an account", () => {
  test("the tag is remembered in the browser for each store", async () => {
    const { unmount } = renderAddTag();
    await addTag("me-21");
    unmount();
    const american = renderAddTag(AMERICAN);
    expect((await openForm()).value).toBe("");
    await user.type(await field(), "me-20{Enter}");
    american.unmount();
    renderAddTag();
    expect((await openForm()).value).toBe("me-21");
    await submit();
    expect(onTagged).toHaveBeenLastCalledWith(`${GERMAN}&tag=me-21`);
  });

  test.each(["{", '{"de":"me-21"}', '[{"marketplace":"de","tag":"<b>"}]'])(
    "the form works if the browser stored %s",
    async (stored) => {
      localStorage.setItem("store_tags", stored);
      renderAddTag();
      expect((await openForm()).value).toBe("");
      await user.type(await field(), "me-21{Enter}");
      expect(onTagged).toHaveBeenCalledTimes(1);
    },
  );
});

describe("with an account", () => {
  const serve = (...channels: Channel[]) => {
    const saved: unknown[] = [];
    server.use(
      serveChannels(...channels),
      http.put("/api/channels/:id/tags", async ({ request, params }) => {
        const body = await request.json();
        saved.push([params.id, body]);
        return HttpResponse.json(body);
      }),
    );
    return saved;
  };
  const GERMAN_TAG = { marketplace: "de", tag: "me-21" } as const;

  test("the channel's tag is filled in, which the link follows", async () => {
    const saved = serve(mainChannel({ tags: [GERMAN_TAG] }));
    renderAddTag(GERMAN, { isMember: true });
    expect((await openForm()).value).toBe("me-21");
    await submit();
    const following = { channelId: null, usesChannelTag: true };
    expect(onTagged.mock.calls).toEqual([[`${GERMAN}&tag=me-21`, following]]);
    expect(saved).toEqual([]);
  });

  test("another tag is the link's own, and the channel's stays", async () => {
    const saved = serve(mainChannel({ tags: [GERMAN_TAG] }));
    renderAddTag(GERMAN, { isMember: true });
    const input = await openForm();
    await user.clear(input);
    await user.type(input, "new-21");
    expect(screen.getByText(/The channel's tag me-21 stays as it is\./)).toBeTruthy();
    await submit();
    const own = { channelId: null, usesChannelTag: false };
    expect(onTagged.mock.calls).toEqual([[`${GERMAN}&tag=new-21`, own]]);
    expect(saved).toEqual([]);
  });

  test("the first tag of a chosen channel is saved there", async () => {
    const blog = mainChannel({ id: 2, name: "Blog", isDefault: false });
    const saved = serve(mainChannel({ tags: [GERMAN_TAG] }), blog);
    renderAddTag(GERMAN, { isMember: true });
    await openForm();
    await user.selectOptions(screen.getByRole("combobox", { name: "Channel" }), "Blog");
    const input = await field();
    expect(input.value).toBe("");
    await user.type(input, "blog-21{Enter}");
    await waitFor(() => expect(onTagged).toHaveBeenCalled());
    const following = { channelId: 2, usesChannelTag: true };
    expect(onTagged.mock.calls).toEqual([[`${GERMAN}&tag=blog-21`, following]]);
    expect(saved).toEqual([["2", { marketplace: "de", tag: "blog-21" }]]);
    expect(localStorage.getItem("store_tags")).toBeNull();
  });

  test("a tag of the browser is filled in if the channel has none", async () => {
    serve(mainChannel());
    localStorage.setItem("store_tags", '[{"marketplace":"de","tag":"me-21"}]');
    renderAddTag(GERMAN, { isMember: true });
    expect((await openForm()).value).toBe("me-21");
  });

  test("the link is created with its own tag if the channel's cannot be saved", async () => {
    const warnings = catchLogs("warn");
    server.use(http.put("/api/channels/:id/tags", errorReply(403, "No.")));
    renderAddTag(GERMAN, { isMember: true });
    await addTag("me-21");
    await waitFor(() => expect(onTagged).toHaveBeenCalled());
    const own = { channelId: null, usesChannelTag: false };
    expect(onTagged.mock.calls).toEqual([[`${GERMAN}&tag=me-21`, own]]);
    expect(warnings()).toEqual([expect.stringContaining("Failed to save the tag")]);
  });

  test("the link is created even if the account is unavailable", async () => {
    server.use(http.get("/api/channels", errorReply(403, "No.")));
    renderAddTag(GERMAN, { isMember: true });
    await addTag("me-21");
    const own = { channelId: null, usesChannelTag: false };
    expect(onTagged.mock.calls).toEqual([[`${GERMAN}&tag=me-21`, own]]);
  });
});
