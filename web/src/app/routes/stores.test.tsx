import type { StoreTag } from "@tapthru/proto/fields";
import type { RoutingSettings } from "@tapthru/proto/routing";
import { MARKETPLACES } from "@tapthru/proto/rules/amazon/marketplaces";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { check, click, fill, isReloadHeld, noteOf } from "../../testing/controls.ts";
import { mainChannel } from "../../testing/examples.ts";
import { serveLinks } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { failure, heldReplies, problem, serve } from "../../testing/serve.ts";
import { findToast } from "../../testing/toast.ts";

type Channel = ReturnType<typeof mainChannel>;
/** The id of the default channel. */
let tags: StoreTag[];
let others: Channel[];
let served: string[];
let routing: RoutingSettings;
/** How many links follow each channel to each store. */
let following: number;
/** The changes that the api received. */
let requests: string[];
/** The response to each change. Null: it succeeds. */
let refuse: (request: string) => Response | null;

beforeEach(() => {
  tags = [
    { marketplace: "com", tag: "me-20" },
    { marketplace: "de", tag: "me-21" },
  ];
  others = [];
  following = 0;
  served = ["fr"];
  routing = { isOn: false, fallback: "original", assistantsGetTag: false };
  requests = [];
  refuse = () => null;
  serve("GET /api/channels", () => [mainChannel({ tags }), ...others]);
  serve("GET /api/onelink-stores", () => served);
  serve("GET /api/links/stores", () => ["it", "de"]);
  serve("GET /api/link-ids", () => []);
  serve("GET /api/routing", () => routing);
  serve<StoreTag>("PUT /api/channels/:id/tags", ({ body, params }) => {
    const channel = params.id === "1" ? "" : `${params.id} `;
    return change(`PUT ${channel}${body.marketplace} ${body.tag}`, { ...body, linkCount: following }, () => {
      if (params.id === "1") tags = [...tags.filter(({ marketplace }) => marketplace !== body.marketplace), body];
      else others = others.map((each) => ({ ...each, tags: [body] }));
    });
  });
  serve("DELETE /api/channels/:id/tags/:marketplace", ({ params: { marketplace } }) =>
    change(`DELETE ${marketplace}`, { marketplace }, () => {
      tags = tags.filter((tag) => tag.marketplace !== marketplace);
    }),
  );
  serve<{ marketplace: string; served: boolean }>("PUT /api/onelink-stores", ({ body }) =>
    change(`PUT OneLink ${body.marketplace} ${body.served}`, body, () => {
      const without = served.filter((store) => store !== body.marketplace);
      served = body.served ? [...without, body.marketplace] : without;
    }),
  );
});

function change(request: string, reply: object, apply = () => {}): object {
  requests.push(request);
  const refusal = refuse(request);
  if (!refusal) apply();
  return refusal ?? reply;
}

const ofChannel = async (name: string) => within(await screen.findByRole("list", { name: `Tags of ${name}` }));
const field = async (name: string, channel = "Main") =>
  (await ofChannel(channel)).findByRole<HTMLInputElement>("textbox", { name });
const fields = () => screen.getAllByRole<HTMLInputElement>("textbox");
const checkbox = (name: string | RegExp) => screen.findByRole<HTMLInputElement>("checkbox", { name });
const radio = (name: string | RegExp) => screen.findByRole<HTMLInputElement>("radio", { name });
const wereSent = (...wanted: string[]) => waitFor(() => expect(requests).toEqual(wanted));
const [GERMANY, ITALY, SPAIN] = ["amazon.de (Germany)", "amazon.it (Italy)", "amazon.es (Spain)"] as const;
const US = "amazon.com (United States)";

async function open() {
  serveLinks([]);
  await renderPages("/dashboard", "/account/stores");
  return field(GERMANY);
}

describe("the order of the stores", () => {
  test("orders stores with a tag first, then those of links, and after a click all others", async () => {
    const german = await open();
    expect(fields().map(({ labels }) => labels?.[0]?.textContent)).toEqual([US, GERMANY, ITALY]);
    expect([german.value, noteOf(german)]).toEqual(["me-21", ""]);
    await click("More stores");
    expect(fields()).toHaveLength(Object.keys(MARKETPLACES).length);
    expect(await field("amazon.co.jp (Japan)")).toMatchObject({ value: "", placeholder: "mystore-22" });
    expect(document.activeElement).toBe(await field("amazon.ca (Canada)"));
  });

  test("begins with amazon.com without tags and links, also if the links do not load", async () => {
    tags = [];
    serve("GET /api/links/stores", () => failure(403));
    await renderPages("/account/stores");
    await field(US);
    expect(fields()).toHaveLength(1);
  });
});

describe("the form", () => {
  test("saves only what was changed, says so, and keeps the focus", async () => {
    const german = await open();
    const italian = await field(ITALY);
    await userEvent.clear(german);
    await userEvent.type(italian, " me-21 ");
    expect(screen.getByText("You have unsaved changes.")).toBeTruthy();
    await userEvent.type(italian, "{Enter}");
    expect(await screen.findByText("Saved.")).toBeTruthy();
    await wereSent("DELETE de", "PUT it me-21");
    expect([german.value, italian.value, document.activeElement]).toEqual(["", " me-21 ", italian]);
    await userEvent.type(german, "new-21");
    expect(screen.queryByText("Saved.")).toBeNull();
    requests = [];
    await click("Save");
    await wereSent("PUT de new-21");
  });

  test("shows at its field why a tag is not saved, saves the others, and tries again", async () => {
    refuse = (request) => (request.startsWith("PUT it") ? failure() : null);
    const german = await open();
    const italian = await field(ITALY);
    await userEvent.type(german, " x");
    await userEvent.type(italian, "me-21");
    await userEvent.type(await field(US), "x");
    await click("Save");
    expect(requests).toEqual([]);
    await click("Save anyway");
    await waitFor(() => expect(noteOf(german)).toMatch(/^A tag has only letters/));
    expect(noteOf(italian)).toBe("Not saved. Please try again.");
    await wereSent("PUT com me-20x", "PUT it me-21");
    expect([german.getAttribute("aria-invalid"), document.activeElement]).toEqual(["true", german]);
    await userEvent.type(german, "{Backspace}{Backspace}");
    expect(german.getAttribute("aria-invalid")).toBe("false");
    refuse = () => null;
    await click("Save");
    expect(await screen.findByText("Saved.")).toBeTruthy();
    expect(requests.at(-1)).toBe("PUT it me-21");
  });

  test("shows what another tab saved, except in changed fields", async () => {
    const german = await open();
    await userEvent.type(german, "-mine");
    tags = [
      { marketplace: "de", tag: "other-21" },
      { marketplace: "it", tag: "it-21" },
    ];
    served = ["es"];
    window.dispatchEvent(new Event("visibilitychange"));
    await waitFor(async () => expect((await field(ITALY)).value).toBe("it-21"));
    await waitFor(async () => expect((await checkbox(SPAIN)).checked).toBe(true));
    expect(german.value).toBe("me-21-mine");
    await click("Save");
    await click("Save anyway");
    await wereSent("PUT de me-21-mine");
  });
});

test("the note of a store says what is unusual, and what OneLink pays in the chosen stores", async () => {
  const german = await open();
  expect(screen.getAllByRole("checkbox", { name: /^amazon/, hidden: true })).toHaveLength(12);
  await userEvent.clear(german);
  await userEvent.type(german, "me-20");
  expect(noteOf(german)).toMatch(/earns on amazon.de only if you set up Amazon OneLink there/);
  await userEvent.clear(german);
  await check(GERMANY);
  await wereSent("PUT OneLink de true");
  await waitFor(() => expect(noteOf(german)).toBe("Amazon OneLink pays your tag me-20 here."));
  await userEvent.clear(await field(US));
  expect(noteOf(german)).toBe("");
  expect(screen.queryByText(/^OneLink pays your tag for amazon.com\./)).toBeNull();
  await click("Save");
  await waitFor(() => expect(screen.getByText(/^OneLink pays your tag for amazon.com\./)).toBeTruthy());
});

test("shows each of five quickly chosen OneLink stores at once and saves it, except for one that fails", async () => {
  served = [];
  await open();
  const { released, release } = heldReplies();
  const saved: string[] = [];
  serve<{ marketplace: string; served: boolean }>("PUT /api/onelink-stores", async ({ body }) => {
    await released;
    saved.push(body.marketplace);
    if (body.marketplace === "it") return failure();
    served = [...served, body.marketplace];
    return body;
  });
  const boxes = [GERMANY, ITALY, SPAIN, "amazon.fr (France)", "amazon.co.uk (United Kingdom)"].map((name) =>
    screen.getByRole<HTMLInputElement>("checkbox", { name, hidden: true }),
  );
  for (const box of boxes) fireEvent.click(box);
  await waitFor(() => expect(boxes.map(({ checked }) => checked)).toEqual([true, true, true, true, true]));
  release();
  await findToast("Not saved. Please try again.");
  await waitFor(() => expect(saved).toEqual(["de", "it", "es", "fr", "co.uk"]));
  await waitFor(() => expect(boxes.map(({ checked }) => checked)).toEqual([true, false, true, true, true]));
});

test("changes of the routing that are made quickly are shown at once, and all of them are saved", async () => {
  await open();
  const { released, release } = heldReplies();
  serve<RoutingSettings>("PUT /api/routing", async ({ body }) => {
    await released;
    return Object.assign(routing, body);
  });
  const controls = [await radio(/^On/), await radio(/^Search for the title/), await checkbox(/^Give assistants/)];
  for (const control of controls) {
    fireEvent.click(control);
    await waitFor(() => expect(control.checked).toBe(true));
  }
  release();
  await waitFor(() => expect(routing).toEqual({ isOn: true, fallback: "search", assistantsGetTag: true }));
  await screen.findByText("Saved.");
  expect(controls.map(({ checked }) => checked)).toEqual([true, true, true]);
});

describe("channels", () => {
  const blog = (changes: Partial<Channel> = {}) =>
    mainChannel({ id: 2, name: "Blog", isDefault: false, linkCount: 3, ...changes });
  beforeEach(() => {
    serve<Channel>("POST /api/channels", ({ body: { name } }) => {
      const created = blog({ name, linkCount: 0 });
      return change(`POST ${name}`, created, () => {
        others = [created];
      });
    });
    serve<Partial<Channel>>("PATCH /api/channels/:id", ({ body, params }) =>
      change(`PATCH ${params.id} ${JSON.stringify(body)}`, blog(body), () => {
        others = [blog(body)];
      }),
    );
  });

  test("shows channels as rows of one form, and a new one keeps what is typed", async () => {
    const german = await open();
    await userEvent.type(german, "{Backspace}x-21");
    expect(isReloadHeld()).toBe(true);
    await click("New channel");
    await fill("Name of the channel", "Blog{Enter}");
    const ofBlog = await field(GERMANY, "Blog");
    expect([german.value, ofBlog.value]).toEqual(["me-2x-21", ""]);
    await userEvent.type(ofBlog, "blog-21{Enter}");
    await wereSent("POST Blog", "PUT de me-2x-21", "PUT 2 de blog-21");
    expect(await screen.findByText("Saved.")).toBeTruthy();
    expect(isReloadHeld()).toBe(false);
  });

  test("refuses a tag of another channel at its field", async () => {
    others = [blog()];
    refuse = () => problem("tag-in-other-channel");
    await open();
    const ofBlog = await field(GERMANY, "Blog");
    await userEvent.type(ofBlog, "me-21{Enter}");
    await waitFor(() => expect(noteOf(ofBlog)).toBe("Another of your channels has this tag."));
  });

  test("says where links earn nothing; a saved tag goes to them, and the page counts those that have it now", async () => {
    others = [
      blog({ tags: [{ marketplace: "com", tag: "blog-20" }], untagged: [{ marketplace: "it", linkCount: 6 }] }),
    ];
    following = 3;
    const asked = serve("GET /api/link-ids", () => [1, 2, 3, 4, 5, 6]);
    serve<{ ids: number[] }>("PUT /api/links/bulk/channel", ({ body }) => {
      requests.push(JSON.stringify(body));
      others = others.map((each) => ({ ...each, untagged: [] }));
      return { results: body.ids.map((id) => ({ id, error: id === 6 ? "link-taken-down" : null })) };
    });
    await open();
    const italian = await field(ITALY, "Blog");
    expect(noteOf(italian)).toBe("6 links without a tag earn nothing.");
    await userEvent.type(italian, "blog-21{Enter}");
    const said = "Saved. 8 links now have the tag. Some links without a tag did not get it.";
    expect(await screen.findByText(said)).toBeTruthy();
    expect(asked).toEqual(["?show=no-tag&channel=2&store=it"]);
    expect(requests).toEqual(["PUT 2 it blog-21", '{"ids":[1,2,3,4,5,6],"channelId":2,"usesChannelTag":true}']);
    expect(noteOf(italian)).toBe("");
    others = others.map((each) => ({ ...each, untagged: [{ marketplace: "it", linkCount: 1 }] }));
    window.dispatchEvent(new Event("visibilitychange"));
    await click("Give blog-21 to it");
    await waitFor(() => expect(requests.slice(2)).toEqual(requests.slice(0, 2)));
  });

  test.each([
    ["is unavailable", () => failure(503), "Not saved. Please try again."],
    ["does not respond", () => HttpResponse.error(), "Not saved. Please try again."],
    ["refuses it", () => problem("tag-in-other-channel"), "Another of your channels has this tag."],
  ])(
    "says at its field that links did not get the tag, and never that it is saved, if the api %s",
    async (_, reply, why) => {
      const untagged = [{ marketplace: "it", linkCount: 6 }] as const;
      others = [blog({ tags: [{ marketplace: "it", tag: "blog-21" }], untagged: [...untagged] })];
      const german = await open();
      await userEvent.type(german, "{Backspace}x-21{Enter}");
      expect(await screen.findByText("Saved.")).toBeTruthy();
      refuse = reply;
      await click("Give blog-21 to them");
      const italian = await field(ITALY, "Blog");
      await waitFor(() => expect(noteOf(italian)).toBe(why));
      expect(screen.queryByText(/^Saved/)).toBeNull();
    },
  );

  test("says that the tag is saved also if the links without one cannot be found, whose warning stays", async () => {
    others = [blog({ tags: [], untagged: [{ marketplace: "it", linkCount: 6 }] })];
    serve("GET /api/link-ids", () => failure(503));
    await open();
    const italian = await field(ITALY, "Blog");
    await userEvent.type(italian, "blog-21{Enter}");
    expect(await screen.findByText("Saved. Some links without a tag did not get it.")).toBeTruthy();
    expect(noteOf(italian)).toBe("6 links without a tag earn nothing.");
  });

  test("makes a channel the default, and the removed button does not lose the focus", async () => {
    others = [blog()];
    await open();
    await click("Settings of Blog");
    await click("Make default Blog");
    await wereSent('PATCH 2 {"isDefault":true}');
    await waitFor(() => expect(screen.queryByRole("button", { name: "Make default Blog" })).toBeNull());
    expect(document.activeElement).not.toBe(document.body);
  });
});
