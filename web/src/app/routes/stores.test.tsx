import type { RoutingSettings } from "@tapthru/proto/http/routing";
import type { StoreTag } from "@tapthru/proto/http/stores";
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { dropUnsentChanges, sendUnsentChanges } from "../../lib/unsent-changes.ts";
import { serveLinks } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { server } from "../../testing/server.ts";
import { findToast } from "../../testing/toast.ts";

const UNUSUAL =
  "Tags usually end in a hyphen and a number from 20 to 23. Please check it for typing mistakes.";

let user: ReturnType<typeof userEvent.setup>;
let tags: StoreTag[];
let served: string[];
let routing: RoutingSettings;
/** The changes that the api received. */
let requests: string[];
/** The response to each change. Null: it succeeds. */
let failure: (() => Response) | null;

beforeEach(() => {
  user = userEvent.setup();
  tags = [
    { marketplace: "com", tag: "me-20" },
    { marketplace: "de", tag: "me-21" },
  ];
  served = ["fr"];
  routing = { isOn: false, fallback: "original" };
  requests = [];
  failure = null;
  server.use(
    http.get("/api/stores", () => HttpResponse.json(tags)),
    http.get("/api/onelink-stores", () => HttpResponse.json(served)),
    http.get("/api/routing", () => HttpResponse.json(routing)),
    http.put("/api/routing", async ({ request }) => {
      const body = (await request.json()) as RoutingSettings;
      return change(`PUT routing ${body.isOn} ${body.fallback}`, body);
    }),
    http.put("/api/stores", async ({ request }) => {
      const body = (await request.json()) as StoreTag;
      return change(`PUT ${body.marketplace} ${body.tag}`, body);
    }),
    http.delete("/api/stores/:marketplace", ({ params }) =>
      change(`DELETE ${params.marketplace}`, params),
    ),
    http.put("/api/onelink-stores", async ({ request }) => {
      const body = (await request.json()) as { marketplace: string; served: boolean };
      return change(`PUT OneLink ${body.marketplace} ${body.served}`, body);
    }),
  );
});

function change(request: string, reply: object): Response {
  requests.push(request);
  return failure?.() ?? HttpResponse.json(reply);
}
const unavailable = () => new HttpResponse("Unavailable.", { status: 503 });

async function open() {
  serveLinks([]);
  await renderPages("/dashboard", "/account/stores");
  return field("amazon.de (Germany)");
}
const field = (name: string) => screen.findByRole<HTMLInputElement>("textbox", { name });
const note = (input: HTMLElement) =>
  document.getElementById(input.getAttribute("aria-describedby") ?? "")?.textContent;
const button = (name: string) => screen.getByRole("button", { name });
const buttons = () => screen.queryAllByRole("button", { name: /^(?!Browser's back)/ });
const goBack = () => button("Browser's back").click();
const checkbox = (name: string) => screen.findByRole<HTMLInputElement>("checkbox", { name });
const focusWindow = () => window.dispatchEvent(new Event("visibilitychange"));

describe("tags", () => {
  test("each of the 24 stores has a field with the saved tag", async () => {
    const german = await open();
    expect(screen.getAllByRole("textbox")).toHaveLength(24);
    expect([german.value, note(german)]).toEqual(["me-21", ""]);
    expect((await field("amazon.com (United States)")).value).toBe("me-20");
    const japanese = await field("amazon.co.jp (Japan)");
    expect([japanese.value, japanese.placeholder]).toEqual(["", "For example mystore-22"]);
    expect(document.title).toBe("Stores - Tapthru");
    expect(buttons()).toEqual([]);
  });

  test("a tag is saved with Enter, and the field says so", async () => {
    await open();
    const japanese = await field("amazon.co.jp (Japan)");
    await user.type(japanese, " me-22 {Enter}");
    await waitFor(() => expect(note(japanese)).toBe("Saved."));
    expect([requests, japanese.value]).toEqual([["PUT co.jp me-22"], "me-22"]);
    expect(document.activeElement).toBe(japanese);
    expect(buttons()).toEqual([]);
  });

  test("the button saves, and is named after the store", async () => {
    const german = await open();
    await user.type(german, "x");
    await user.click(button("Save the tag for amazon.de"));
    await waitFor(() => expect(requests).toEqual(["PUT de me-21x"]));
    await waitFor(() => expect(buttons()).toEqual([]));
    expect(document.activeElement).toBe(german);
  });

  test("a tag is saved when the focus leaves its field", async () => {
    const german = await open();
    await user.type(german, "x");
    await user.click(document.body);
    await waitFor(() => expect(note(german)).toMatch(/^Saved\./));
    expect([requests, buttons()]).toEqual([["PUT de me-21x"], []]);
  });

  test("a tag is not saved by going to another window", async () => {
    const german = await open();
    await user.type(german, "x");
    fireEvent.focusOut(german);
    expect(button("Save the tag for amazon.de")).toBeTruthy();
    expect(requests).toEqual([]);
    await user.keyboard("{Escape}");
  });

  test.each([
    ["the page is closed", () => dispatchEvent(new Event("pagehide"))],
    ["the user goes to another page", () => goBack()],
  ])("a tag is saved when %s", async (_case, leave) => {
    const german = await open();
    await user.type(german, "x");
    act(() => void leave());
    await waitFor(() => expect(requests).toEqual(["PUT de me-21x"]));
  });

  test("a tag is not saved for the next user", async () => {
    const german = await open();
    await user.type(german, "x");
    dropUnsentChanges();
    act(() => goBack());
    await screen.findByText("Browser's back");
    expect(requests).toEqual([]);
  });

  test("a tag that is being saved is waited for before a logout", async () => {
    let respond = () => {};
    server.use(
      http.put("/api/stores", async ({ request }) => {
        await new Promise<void>((resolve) => (respond = resolve));
        return HttpResponse.json(await request.json());
      }),
    );
    const german = await open();
    await user.type(german, "x{Enter}");
    await screen.findByRole("button", { name: "Saving..." });
    let isSent = false;
    const sending = sendUnsentChanges().then(() => {
      isSent = true;
    });
    await act(async () => {});
    expect(isSent).toBe(false);
    respond();
    await sending;
  });

  test.each([
    ["cannot be saved", "x", "amazon.de (Germany): Not saved. Please try again."],
    ["is malformed", " x", "amazon.de (Germany): A tag has only letters"],
  ])("a toast says after leaving the page that a tag %s", async (_case, typed, message) => {
    failure = unavailable;
    const german = await open();
    await user.type(german, typed);
    act(() => goBack());
    expect(await findToast("Error")).toContain(message);
  });

  test("a tag is removed by emptying the field", async () => {
    const german = await open();
    await user.clear(german);
    await user.click(button("Remove the tag for amazon.de"));
    await waitFor(() => expect(note(german)).toBe("Removed."));
    expect([requests, german.value]).toEqual([["DELETE de"], ""]);
  });

  test("Enter in an unchanged field saves nothing", async () => {
    const german = await open();
    await user.type(german, "{Enter} {Enter}");
    expect([requests, note(german)]).toEqual([[], ""]);
  });

  test("Escape restores the saved tag", async () => {
    const german = await open();
    await user.type(german, "-typo{Escape}");
    expect([german.value, buttons()]).toEqual(["me-21", []]);
  });

  test("a malformed tag is not sent", async () => {
    const german = await open();
    await user.type(german, " x{Enter}");
    expect(note(german)).toMatch(/^A tag has only letters/);
    expect([requests, german.getAttribute("aria-invalid")]).toEqual([[], "true"]);
    await user.type(german, "{Backspace}{Backspace}");
    expect(german.getAttribute("aria-invalid")).toBe("false");
  });

  test("a tag with the suffix of another country is saved, with a warning", async () => {
    const german = await open();
    await user.clear(german);
    await user.type(german, "me-22");
    expect(note(german)).toMatch(/^Tags for amazon.de usually end in -21\./);
    await user.type(german, "{Enter}");
    await waitFor(() => expect(note(german)).toMatch(/^Saved\. Tags for amazon.de usually end/));
    expect(requests).toEqual(["PUT de me-22"]);
  });

  test("a warning says that a US tag needs OneLink, where OneLink exists", async () => {
    await open();
    const spanish = await field("amazon.es (Spain)");
    await user.type(spanish, "me-20");
    expect(note(spanish)).toMatch(/earns on amazon.es only if you set up Amazon OneLink there/);
    const belgian = await field("amazon.com.be (Belgium)");
    await user.type(belgian, "me-20");
    expect(note(belgian)).toMatch(/^Tags for amazon.com.be usually end in -21\./);
    await user.keyboard("{Escape}");
  });

  test("after a failure the text stays, and the button tries again", async () => {
    failure = unavailable;
    const german = await open();
    await user.type(german, "x{Enter}");
    await waitFor(() => expect(note(german)).toBe("Not saved. Please try again."));
    expect(german.value).toBe("me-21x");
    failure = null;
    await user.click(button("Try again to save the tag for amazon.de"));
    await waitFor(() => expect(note(german)).toMatch(/^Saved\./));
    expect(requests).toEqual(["PUT de me-21x", "PUT de me-21x"]);
  });

  test("what is typed while a tag is being saved stays, and can be saved next", async () => {
    let respond = () => {};
    server.use(
      http.put("/api/stores", async ({ request }) => {
        const body = (await request.json()) as StoreTag;
        requests.push(body.tag);
        if (requests.length === 1) await new Promise<void>((resolve) => (respond = resolve));
        return HttpResponse.json(body);
      }),
    );
    const german = await open();
    await user.type(german, "a{Enter}");
    await screen.findByRole("button", { name: "Saving..." });
    await user.type(german, "b{Enter}");
    expect(requests).toEqual(["me-21a"]);
    respond();
    await user.click(await screen.findByRole("button", { name: "Save the tag for amazon.de" }));
    await waitFor(() => expect(note(german)).toMatch(/^Saved\./));
    expect([requests, german.value]).toEqual([["me-21a", "me-21ab"], "me-21ab"]);
  });

  test("a tag that another tab saved is shown, without replacing what is being typed", async () => {
    const german = await open();
    const british = await field("amazon.co.uk (United Kingdom)");
    await user.type(german, "-mine");
    tags = [
      { marketplace: "de", tag: "other-21" },
      { marketplace: "co.uk", tag: "uk-21" },
    ];
    focusWindow();
    await waitFor(() => expect(british.value).toBe("uk-21"));
    expect(german.value).toBe("me-21-mine");
    expect(note(german)).toBe("Saved in another tab: other-21. Saving replaces it.");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(note(german)).toBe(`Saved. ${UNUSUAL}`));
    expect(requests).toEqual(["PUT de me-21-mine"]);
  });
});
describe("OneLink", () => {
  test("has a checkbox for each store that it can serve", async () => {
    await open();
    const boxes = screen.getAllByRole<HTMLInputElement>("checkbox");
    expect(boxes).toHaveLength(12);
    expect(boxes.filter(({ checked }) => checked)).toEqual([await checkbox("amazon.fr (France)")]);
    expect(note(await field("amazon.fr (France)"))).toBe(
      "Amazon OneLink pays your tag me-20 here.",
    );
  });

  test("is saved for each store at once", async () => {
    await open();
    await user.click(await checkbox("amazon.es (Spain)"));
    await user.click(await checkbox("amazon.fr (France)"));
    await waitFor(async () =>
      expect(note(await field("amazon.es (Spain)"))).toBe(
        "Amazon OneLink pays your tag me-20 here.",
      ),
    );
    await waitFor(async () => expect((await checkbox("amazon.fr (France)")).checked).toBe(false));
    expect(requests).toEqual(["PUT OneLink es true", "PUT OneLink fr false"]);
    expect(note(await field("amazon.fr (France)"))).toBe("");
  });

  test("shows what is saved after a failure, and tries again", async () => {
    failure = unavailable;
    await open();
    const spanish = await checkbox("amazon.es (Spain)");
    await user.click(spanish);
    const retry = await screen.findByRole("button", { name: "Try again to save amazon.es" });
    expect(spanish.checked).toBe(false);
    failure = null;
    await user.click(retry);
    await waitFor(() => expect(buttons()).toEqual([]));
    expect([requests.length, spanish.checked]).toEqual([2, true]);
  });

  test("without a tag for amazon.com, a note says that it has nothing to pay", async () => {
    tags = [];
    await open();
    expect(screen.getByText(/^OneLink pays your tag for amazon.com\./)).toBeTruthy();
    expect(note(await field("amazon.fr (France)"))).toBe("");
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
    await waitFor(() =>
      expect(requests).toEqual(["PUT routing true original", "PUT routing true search"]),
    );
    await waitFor(async () => expect((await radio(/^Search for the title/)).checked).toBe(true));
    expect((await radio(/^On/)).checked).toBe(true);
  });

  test("shows what is saved after a failure", async () => {
    failure = unavailable;
    await open();
    await user.click(await radio(/^On/));
    await screen.findByText("Not saved. Please try again.");
    expect((await radio(/^Off/)).checked).toBe(true);
  });
});

test("offers a retry when the stores do not load", async () => {
  server.use(
    http.get("/api/stores", () => new HttpResponse("No.", { status: 403 }), { once: true }),
  );
  await renderPages("/account/stores");
  await user.click(await screen.findByRole("button", { name: "Try again" }));
  expect((await field("amazon.de (Germany)")).value).toBe("me-21");
});
