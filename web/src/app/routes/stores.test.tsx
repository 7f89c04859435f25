import type { Channel } from "@tapthru/proto/channels";
import type { RoutingSettings } from "@tapthru/proto/routing";
import type { StoreTag } from "@tapthru/proto/stores";
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { problem } from "../../testing/accounts-server.ts";
import { mainChannel } from "../../testing/channels-server.ts";
import { isReloadHeld } from "../../testing/controls.ts";
import { serveLinks } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { failure, serve } from "../../testing/serve.ts";

let user: ReturnType<typeof userEvent.setup>;
/** Of the default channel. */
let tags: StoreTag[];
let others: Channel[];
let served: string[];
let linkStores: string[];
let routing: RoutingSettings;
/** The changes that the api received. */
let requests: string[];
/** The response to each change. Null: it succeeds. */
let refuse: ((request: string) => Response | null) | null;

beforeEach(() => {
  user = userEvent.setup();
  tags = [
    { marketplace: "com", tag: "me-20" },
    { marketplace: "de", tag: "me-21" },
  ];
  others = [];
  served = ["fr"];
  linkStores = ["it", "de"];
  routing = { isOn: false, fallback: "original", assistantsGetTag: false };
  requests = [];
  refuse = null;
  serve("GET /api/channels", () => [mainChannel({ tags }), ...others]);
  serve("GET /api/onelink-stores", () => served);
  serve("GET /api/links/stores", () => linkStores);
  serve("GET /api/routing", () => routing);
  serve<RoutingSettings>("PUT /api/routing", ({ body }) => {
    const assistants = body.assistantsGetTag ? " assistants" : "";
    return change(`PUT routing ${body.isOn} ${body.fallback}${assistants}`, body);
  });
  serve<StoreTag>("PUT /api/channels/:id/tags", ({ body, params }) => {
    const channel = params.id === "1" ? "" : `${params.id} `;
    return change(`PUT ${channel}${body.marketplace} ${body.tag}`, body, () => {
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
  const refusal = refuse?.(request);
  if (!refusal) apply();
  return refusal ?? reply;
}

async function open() {
  serveLinks([]);
  await renderPages("/dashboard", "/account/stores");
  return field("amazon.de (Germany)");
}
const field = (name: string) => screen.findByRole<HTMLInputElement>("textbox", { name });
const fields = () => screen.getAllByRole<HTMLInputElement>("textbox");
const note = (input: HTMLElement) => document.getElementById(input.getAttribute("aria-describedby") ?? "")?.textContent;
const button = (name: string) => screen.getByRole("button", { name });
const save = () => user.click(button("Save"));
const checkbox = (name: string) => screen.findByRole<HTMLInputElement>("checkbox", { name });
const focusWindow = () => window.dispatchEvent(new Event("visibilitychange"));

describe("the order of the stores", () => {
  const labels = () => fields().map(({ labels }) => labels?.[0]?.textContent);

  test("those with a tag, those of links, and after a click all others", async () => {
    const german = await open();
    expect(labels()).toEqual(["amazon.com (United States)", "amazon.de (Germany)", "amazon.it (Italy)"]);
    expect([german.value, note(german)]).toEqual(["me-21", ""]);
    await user.click(button("More stores"));
    expect(fields()).toHaveLength(24);
    const japanese = await field("amazon.co.jp (Japan)");
    expect([japanese.value, japanese.placeholder]).toEqual(["", "For example mystore-22"]);
    expect(document.activeElement).toBe(await field("amazon.ca (Canada)"));
  });

  test("amazon.com without tags and links, also if the links do not load", async () => {
    tags = [];
    serve("GET /api/links/stores", () => failure(403));
    serveLinks([]);
    await renderPages("/account/stores");
    await field("amazon.com (United States)");
    expect(fields()).toHaveLength(1);
  });
});

describe("the form", () => {
  test("saves only what was changed, says so, and keeps the focus", async () => {
    const german = await open();
    const italian = await field("amazon.it (Italy)");
    await user.clear(german);
    await user.type(italian, " me-21 ");
    await user.click(await checkbox("amazon.es (Spain)"));
    expect(screen.getByText("You have unsaved changes.")).toBeTruthy();
    await user.type(italian, "{Enter}");
    expect(await screen.findByText("Saved.")).toBeTruthy();
    expect(requests).toEqual(["DELETE de", "PUT it me-21", "PUT OneLink es true"]);
    expect([german.value, italian.value]).toEqual(["", "me-21"]);
    expect(document.activeElement).toBe(italian);

    await user.type(german, "new-21");
    expect(screen.queryByText("Saved.")).toBeNull();
    requests = [];
    await save();
    await waitFor(() => expect(requests).toEqual(["PUT de new-21"]));
  });

  test("shows at its field why a tag is not saved, saves the others, and tries again", async () => {
    refuse = (request) => (request.startsWith("PUT it") ? failure() : null);
    const german = await open();
    const italian = await field("amazon.it (Italy)");
    await user.type(german, " x");
    await user.type(italian, "me-21");
    await user.type(await field("amazon.com (United States)"), "x");
    await save();
    expect(requests).toEqual([]);
    await user.click(button("Save anyway"));
    await waitFor(() => expect(note(german)).toMatch(/^A tag has only letters/));
    expect(note(italian)).toBe("Not saved. Please try again.");
    expect(requests).toEqual(["PUT com me-20x", "PUT it me-21"]);
    expect([german.getAttribute("aria-invalid"), document.activeElement]).toEqual(["true", german]);

    await user.type(german, "{Backspace}{Backspace}");
    expect(german.getAttribute("aria-invalid")).toBe("false");
    refuse = null;
    await save();
    expect(await screen.findByText("Saved.")).toBeTruthy();
    expect(requests.at(-1)).toBe("PUT it me-21");
  });

  test("asks before changes are discarded", async () => {
    const german = await open();
    await user.type(german, "x");
    expect(isReloadHeld()).toBe(true);
    await user.click(button("Browser's back"));
    await user.click(button("Cancel"));
    expect(german.value).toBe("me-21x");
    await user.click(button("Browser's back"));
    await user.click(button("Discard"));
    expect(await screen.findByText("Your Links")).toBeTruthy();
    await waitFor(() => expect(isReloadHeld()).toBe(false));
  });

  test("shows what another tab saved, except in changed fields", async () => {
    const german = await open();
    const italian = await field("amazon.it (Italy)");
    await user.type(german, "-mine");
    tags = [
      { marketplace: "de", tag: "other-21" },
      { marketplace: "it", tag: "it-21" },
    ];
    served = ["es"];
    focusWindow();
    await waitFor(() => expect(italian.value).toBe("it-21"));
    await waitFor(async () => expect((await checkbox("amazon.es (Spain)")).checked).toBe(true));
    expect(german.value).toBe("me-21-mine");
    await save();
    await user.click(button("Save anyway"));
    await waitFor(() => expect(requests).toEqual(["PUT de me-21-mine"]));
  });
});

describe("the note of a store", () => {
  test("warns of the suffix of another country", async () => {
    const german = await open();
    await user.clear(german);
    await user.type(german, "me-22");
    expect(note(german)).toMatch(/^Tags for amazon.de usually end in -21\./);
  });

  test("says that a US tag needs OneLink, where OneLink exists", async () => {
    await open();
    await user.click(button("More stores"));
    const spanish = await field("amazon.es (Spain)");
    await user.type(spanish, "me-20");
    expect(note(spanish)).toMatch(/earns on amazon.es only if you set up Amazon OneLink there/);
    const belgian = await field("amazon.com.be (Belgium)");
    await user.type(belgian, "me-20");
    expect(note(belgian)).toMatch(/^Tags for amazon.com.be usually end in -21\./);
  });

  test("says what OneLink pays in the chosen stores", async () => {
    const german = await open();
    expect(screen.getAllByRole("checkbox", { name: /^amazon/, hidden: true })).toHaveLength(12);
    await user.clear(german);
    await user.click(await checkbox("amazon.de (Germany)"));
    expect(note(german)).toBe("Amazon OneLink pays your tag me-20 here.");
    await user.clear(await field("amazon.com (United States)"));
    expect(note(german)).toBe("");
    expect(screen.getByText(/^OneLink pays your tag for amazon.com\./)).toBeTruthy();
  });
});

describe("the routing of visitors", () => {
  const radio = (name: RegExp) => screen.findByRole<HTMLInputElement>("radio", { name });

  test("is saved at once, with where visitors go otherwise", async () => {
    await open();
    expect((await radio(/^Off/)).checked).toBe(true);
    await user.click(await radio(/^On/));
    await screen.findByText("Saved.");
    await user.click(await radio(/^Search for the title/));
    await waitFor(() => expect(requests).toEqual(["PUT routing true original", "PUT routing true search"]));
    await waitFor(async () => expect((await radio(/^Search for the title/)).checked).toBe(true));
    expect((await radio(/^On/)).checked).toBe(true);
  });

  test("lets assistants have the tag", async () => {
    await open();
    const assistants = await screen.findByRole<HTMLInputElement>("checkbox", {
      name: "Give assistants such as ChatGPT my tag",
    });
    expect(assistants.checked).toBe(false);
    await user.click(assistants);
    await screen.findByText("Saved.");
    expect(requests).toEqual(["PUT routing false original assistants"]);
    expect(assistants.checked).toBe(true);
  });
});

describe("channels", () => {
  const blog = (changes: Partial<Channel> = {}) =>
    mainChannel({ id: 2, name: "Blog", isDefault: false, linkCount: 3, ...changes });
  const radio = (name: string) => screen.findByRole<HTMLInputElement>("radio", { name });
  /** Whether the element, or what it is in below the page, has the focus. */
  const hasFocusWith = (element: Element) =>
    document.activeElement !== document.body && document.activeElement?.contains(element) === true;

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
    serve("DELETE /api/channels/:id", ({ params }) =>
      change(`DELETE channel ${params.id}`, { id: Number(params.id) }, () => {
        others = [];
      }),
    );
  });

  test("a new one is chosen, and has its own tags", async () => {
    await open();
    expect(screen.queryByRole("radio", { name: "Main" })).toBeNull();
    await user.click(button("New channel"));
    await user.type(await screen.findByLabelText("Name of the channel"), "Blog{Enter}");
    expect(await screen.findByRole("button", { name: "Rename Blog" })).toBeTruthy();
    const german = await field("amazon.de (Germany)");
    expect(german.value).toBe("");
    await waitFor(async () => expect(hasFocusWith(await radio("Blog"))).toBe(true));
    await user.type(german, "blog-21{Enter}");
    await waitFor(() => expect(requests).toEqual(["POST Blog", "PUT 2 de blog-21"]));
    await screen.findByText("Saved.");
    await user.click(await radio("Main"));
    await waitFor(async () => expect((await field("amazon.de (Germany)")).value).toBe("me-21"));
  });

  test("a new one is chosen once the user agrees to discard changes", async () => {
    const german = await open();
    await user.type(german, "x");
    await user.click(button("New channel"));
    await user.type(await screen.findByLabelText("Name of the channel"), "Blog{Enter}");
    await user.click(await screen.findByRole("button", { name: "Cancel" }));
    expect([german.value, (await radio("Main")).checked]).toEqual(["me-21x", true]);
    await user.click(await radio("Blog"));
    await user.click(button("Discard"));
    expect((await field("amazon.de (Germany)")).value).toBe("");
  });

  test("a tag of another channel, and a name that exists, are refused at their fields", async () => {
    others = [blog()];
    refuse = (request) => (request.startsWith("PATCH") ? problem("channel-taken") : problem("tag-in-other-channel"));
    const german = await open();
    await user.click(await radio("Blog"));
    await user.type(await field("amazon.de (Germany)"), "me-21{Enter}");
    expect(await screen.findByText("Another of your channels has this tag.")).toBeTruthy();
    expect(german.isConnected).toBe(false);
    await user.click(button("Rename Blog"));
    await user.type(await screen.findByLabelText("New name of the channel"), "s{Enter}");
    expect(await screen.findByText("You have a channel with this name.")).toBeTruthy();
  });

  test("one is made the default, and the removed button does not lose the focus", async () => {
    others = [blog()];
    await open();
    await user.click(await radio("Blog"));
    await user.click(button("Make default"));
    await waitFor(() => expect(requests).toEqual(['PATCH 2 {"isDefault":true}']));
    await waitFor(() => expect(screen.queryByRole("button", { name: "Make default" })).toBeNull());
    expect(hasFocusWith(await radio("Blog"))).toBe(true);
  });

  test("one is deleted after a question with the number of its links", async () => {
    others = [blog()];
    await open();
    await user.click(await radio("Blog"));
    await user.click(button("Delete Blog"));
    expect(screen.getByText(/^3 links keep their tags/)).toBeTruthy();
    await user.click(button("Delete"));
    await waitFor(() => expect(screen.queryByRole("radio", { name: "Blog" })).toBeNull());
    expect((await field("amazon.de (Germany)")).value).toBe("me-21");
  });
});
