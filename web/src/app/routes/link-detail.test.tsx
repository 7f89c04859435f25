import type { Link } from "@tapthru/proto/links";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { type DefaultBodyType, HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { linkOptions } from "../../features/links/get-link.ts";
import { advanceBy, advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { server } from "../../testing/server.ts";
import { findToast, toast } from "../../testing/toast.ts";

const PATH = "/api/links/abcdefg";
const serverError = () => new HttpResponse("Something went wrong.", { status: 500 });

let user: ReturnType<typeof userEvent.setup>;
/** The link on the server. */
let link: Link;
let fetches: number;

beforeEach(() => {
  user = userEvent.setup();
  link = shortLink({ shortCode: "abcdefg", id: 7 });
  fetches = 0;
  server.use(
    http.get(PATH, () => {
      fetches += 1;
      return HttpResponse.json(link);
    }),
  );
});

const heading = () => screen.queryByRole("button", { name: "Delete" }) && screen.getByRole("heading", { level: 1 });
const pencil = (field: "nickname" | "title") =>
  screen.getByRole<HTMLButtonElement>("button", { name: `Edit ${field}` });
const input = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
const card = (title: string) => within(screen.getByRole("heading", { name: title }).closest("section") as HTMLElement);

async function open(...visited: string[]) {
  const queryClient = await renderPages(...visited, "/link/abcdefg");
  await waitFor(() => expect(heading()).toBeTruthy());
  return queryClient;
}

/** Serves PATCH after `release` is called. `bodies` records the requests. */
function serveEdit(reply: () => Response) {
  const bodies: DefaultBodyType[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  server.use(
    http.patch(PATH, async ({ request }) => {
      bodies.push(await request.json());
      await released;
      return reply();
    }),
  );
  return { bodies, release };
}

describe("the page", () => {
  // Specification 2.3, 2.45, 2.47
  test("shows name, short URL, preview and original URL", async () => {
    link = { ...link, nickname: "My lamp" };
    await open();
    expect(heading()?.textContent).toBe("My lamp");
    expect(document.title).toBe("My lamp - Tapthru");

    const shortUrl = screen.getByRole("link", { name: /\/l\/abcdefg$/ });
    expect(shortUrl.textContent).toBe("https://tapthru.example/l/abcdefg");
    expect(shortUrl.getAttribute("href")).toBe("https://tapthru.example/l/abcdefg");
    expect(shortUrl.getAttribute("target")).toBe("_blank");

    expect(card("Preview").getByText("A lamp")).toBeTruthy();
    expect(document.querySelector("img")?.src).toBe(link.imageUrl);
    expect(card("Original URL").getByRole("link").getAttribute("href")).toBe(link.originalUrl);
  });

  test("distinguishes the nickname, which only the owner sees, from the title", async () => {
    await open();
    expect(screen.getByText("No nickname yet. Only you will see it.")).toBeTruthy();
    expect(card("Preview").getByText("Visitors see this title.")).toBeTruthy();
    await user.click(pencil("nickname"));
    expect(screen.queryByText("No nickname yet. Only you will see it.")).toBeNull();
    expect(input("Nickname (only you see this)")).toBeTruthy();
  });

  test("shows that a name is the nickname", async () => {
    link = { ...link, nickname: "My lamp" };
    await open();
    expect(screen.getByText("Nickname (only you see this)")).toBeTruthy();
  });

  test("has tabs with addresses, which going back skips", async () => {
    serveLinks([link]);
    await open("/dashboard");
    await user.click(screen.getByRole("link", { name: "Clicks" }));
    expect(await screen.findByRole("heading", { name: "Clicks" })).toBeTruthy();
    expect(document.title).toBe("Clicks: A lamp - Tapthru");
    expect(screen.getByRole("link", { name: "Clicks" }).getAttribute("aria-current")).toBe("page");
    await user.click(screen.getByRole("link", { name: "Settings" }));
    expect(await screen.findByRole("heading", { name: "Activity" })).toBeTruthy();
    await user.click(screen.getByRole("link", { name: "Overview" }));
    expect(screen.getByRole("heading", { name: "Preview" })).toBeTruthy();
    await user.click(button("< Back to List"));
    expect(await screen.findByRole("heading", { name: "Your Links" })).toBeTruthy();
  });

  // Specification 2.46
  test("shows the host if there is no title, and a parcel icon if there is no image", async () => {
    link = { ...link, title: null, imageUrl: null };
    await open();
    expect(card("Preview").getByText("tapthru.example")).toBeTruthy();
    expect(document.querySelector("img")).toBeNull();
  });

  // Specification 2.41
  test("shows a skeleton while loading", async () => {
    server.use(http.get(PATH, () => new Promise(() => {})));
    await renderPages("/link/abcdefg");
    expect(screen.getByRole("status").textContent).toBe("Loading...");
    expect(screen.queryByRole("button", { name: "Delete" })).toBeNull();
  });

  // Specification 2.42, 8.22
  test("shows an error and a button to the dashboard if the link cannot be loaded", async () => {
    server.use(http.get(PATH, () => new HttpResponse("Link not found.", { status: 404 })));
    serveLinks([]);
    const queryClient = await renderPages("/link/abcdefg");
    expect((await screen.findByRole("alert")).textContent).toBe("Error loading link details. Please try again.");
    expect(document.title).toBe("Error loading link details. Please try again. - Tapthru");
    expect(queryClient.getQueryState(linkOptions("abcdefg").queryKey)?.error?.message).toBe("Failed to fetch link");
    await user.click(button("Return to Dashboard"));
    expect(await screen.findByRole("heading", { name: "Your Links" })).toBeTruthy();
  });

  test.each([
    ["429", () => new HttpResponse("Slow down", { status: 429 }), 4],
    ["500", serverError, 4],
    ["a lost reply", () => HttpResponse.error(), 4],
    ["404", () => new HttpResponse("Link not found.", { status: 404 }), 1],
    ["401", () => new HttpResponse("Please log in first.", { status: 401 }), 1],
  ])("retries after %s only if that may help", async (_case, reply, times) => {
    useFakeClock();
    let attempts = 0;
    server.use(
      http.get(PATH, () => {
        attempts += 1;
        return reply();
      }),
    );
    await renderPages("/link/abcdefg");
    await advanceUntil(() => screen.queryByRole("alert") !== null);
    expect(attempts).toBe(times);
  });

  // Specification 2.45, 2.49, 8.8
  test("copies the short URL and shows a check mark for 2 seconds", async () => {
    user = useFakeClock();
    await renderPages("/link/abcdefg");
    await advanceUntil(() => heading() !== null);
    await user.click(button("Copy link"));
    expect(await navigator.clipboard.readText()).toBe("https://tapthru.example/l/abcdefg");
    await advanceUntil(() => screen.queryByText("Copied!") !== null);
    expect(toast()).toBe("Copied!Link copied to clipboard");
    const hasCheckMark = () => button("Copy link").querySelector(".lucide-check") !== null;
    await advanceBy(1_700);
    expect(hasCheckMark()).toBe(true);
    await advanceBy(300);
    expect(hasCheckMark()).toBe(false);
  });

  // Specification 2.49, 8.9
  test("shows an error when the browser refuses to copy", async () => {
    await open();
    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValueOnce(new Error("serverError"));
    await user.click(button("Copy link"));
    expect(await findToast("Failed to copy link. Please try again.")).toContain("Error");
  });

  test("shows that a link was taken down, and offers no editing and no copying", async () => {
    link = { ...link, takenDown: true };
    await open();
    expect(screen.getByText(/^This link was taken down\./)).toBeTruthy();
    expect(screen.queryByRole("button", { name: /^Edit|^Copy link/ })).toBeNull();
  });

  test.each([
    [null, false],
    ["2999-01-01T00:00:00.000Z", false],
    ["2026-01-01T00:00:00.000Z", true],
  ])("of a link that expires at %s: has expired is %s", async (expiresAt, hasExpired) => {
    link = { ...link, expiresAt };
    await open();
    expect(screen.queryByText(/^This link has expired\./) !== null).toBe(hasExpired);
  });

  test("shows the URLs of an invalid link as text, and can only delete it", async () => {
    const originalUrl = "https://evil.example/dp/B0ZZ1Y2X3W";
    link = { ...link, originalUrl, webUrl: "", deepLink: "", imageUrl: null, invalid: true };
    await open();
    expect(screen.getByText("Invalid link")).toBeTruthy();
    expect(card("Original URL").getByText(originalUrl).closest("a")).toBeNull();
    expect(screen.getByText(link.shortUrl).closest("a")).toBeNull();
    for (const name of [/^Copy/, /^Edit/, /^Share/, /QR/]) {
      expect(screen.queryByRole("button", { name })).toBeNull();
    }
    expect(screen.queryByRole("heading", { name: "How will this open?" })).toBeNull();
    expect(button("Delete")).toBeTruthy();
  });

  // Specification 2.43
  test("leads back to the list even if it was opened directly", async () => {
    serveLinks([]);
    await open();
    await user.click(button("< Back to List"));
    expect(await screen.findByRole("heading", { name: "Your Links" })).toBeTruthy();
  });
});

describe("polling", () => {
  beforeEach(() => {
    user = useFakeClock();
  });

  const openIncomplete = async () => {
    await renderPages("/link/abcdefg");
    await advanceUntil(() => heading() !== null);
  };

  test.each(["title", "imageUrl"] as const)(
    "refetches three times, every 2 seconds, while %s is missing",
    async (field) => {
      link = { ...link, [field]: null };
      await openIncomplete();
      await advanceBy(1_800);
      expect(fetches).toBe(1);
      await advanceBy(30_000);
      expect(fetches).toBe(4);
    },
  );

  test("ends as soon as title and image are available, and shows them", async () => {
    link = { ...link, title: null, imageUrl: null };
    await openIncomplete();
    link = { ...link, title: "A lamp", imageUrl: "https://m.media-amazon.com/images/I/lamp.jpg" };
    await advanceUntil(() => heading()?.textContent === "A lamp");
    await advanceBy(30_000);
    expect(fetches).toBe(2);
  });

  test("does not start if nothing is missing", async () => {
    await openIncomplete();
    await advanceBy(30_000);
    expect(fetches).toBe(1);
  });

  test("ends after failures, and the page stays unchanged", async () => {
    link = { ...link, imageUrl: null };
    await openIncomplete();
    let failures = 0;
    server.use(
      http.get(PATH, () => {
        failures += 1;
        return new HttpResponse("Not allowed", { status: 403 });
      }),
    );
    await advanceBy(60_000);
    expect(failures).toBe(3);
    expect(heading()?.textContent).toBe("A lamp");
  });

  test("shows an error when the link no longer exists", async () => {
    link = { ...link, imageUrl: null };
    await openIncomplete();
    server.use(http.get(PATH, () => new HttpResponse("Link not found.", { status: 404 })));
    await advanceUntil(() => screen.queryByRole("alert") !== null);
    expect(screen.getByRole("alert").textContent).toBe("This link was deleted.");
  });
});

describe.each([
  {
    field: "nickname",
    label: "Nickname",
    accessibleName: "Nickname (only you see this)",
    shown: () => heading()?.textContent,
    required: "Nickname is required",
    failure: "Failed to update link name. Please try again.",
  },
  {
    field: "title",
    label: "Title",
    accessibleName: "Title",
    shown: () => card("Preview").getByText("A lamp", { exact: false })?.textContent,
    required: "Title is required",
    failure: "Failed to update link title. Please try again.",
  },
] as const)("editing the $field", ({ field, label, accessibleName, shown, required, failure }) => {
  async function type(text: string) {
    await user.click(pencil(field));
    await user.clear(input(accessibleName));
    if (text) await user.type(input(accessibleName), text);
  }

  // Specification 2.44
  test("the input has the focus, and its text is selected, as soon as the form is open", async () => {
    await open();
    fireEvent.click(pencil(field));
    expect(document.activeElement).toBe(input(accessibleName));
    expect(input(accessibleName).value).toBe("A lamp");
    expect(input(accessibleName).selectionEnd).toBe("A lamp".length);
  });

  test("shows the new text at once, and closes the form after the server has responded", async () => {
    const { bodies, release } = serveEdit(() => {
      link = { ...link, [field]: "A lamp, red" };
      return HttpResponse.json(link);
    });
    const queryClient = await open();
    await type("  A lamp, red ");
    await user.click(button("Save"));
    await waitFor(() => expect(shown()).toBe("A lamp, red"));
    expect(queryClient.getQueryData(linkOptions("abcdefg").queryKey)?.[field]).toBe("A lamp, red");
    await waitFor(() => expect(button("Saving...").getAttribute("aria-disabled")).toBe("true"));
    release();
    await waitFor(() => expect(screen.queryByRole("textbox")).toBeNull());
    expect(shown()).toBe("A lamp, red");
    expect(document.activeElement).toBe(pencil(field));
    expect(bodies).toEqual([{ [field]: "A lamp, red" }]);
    await waitFor(() => expect(fetches).toBe(2));
  });

  test("cannot be cancelled or reopened while the save is pending", async () => {
    const { release } = serveEdit(serverError);
    await open();
    await type("A lamp, red");
    await user.keyboard("{Enter}");
    await screen.findByRole("button", { name: "Saving..." });
    await user.keyboard("{Escape}");
    await user.click(button("Cancel"));
    await user.click(pencil(field));
    expect(input(accessibleName).value).toBe("A lamp, red");
    release();
    await findToast(failure);
    await user.click(button("Cancel"));
    expect(screen.queryByRole("textbox")).toBeNull();
  });

  // Specification 8.21
  test("is rolled back when the server refuses, and the form keeps the text", async () => {
    const { bodies, release } = serveEdit(serverError);
    await open();
    await type("A lamp, red");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(shown()).toBe("A lamp, red"));
    release();
    expect(await findToast(failure)).toBe(`Error${failure}`);
    expect(shown()).toBe("A lamp");
    expect(input(accessibleName).value).toBe("A lamp, red");
    expect(bodies).toHaveLength(1);
  });

  test("of a link deleted in another tab says so and leads back to the list", async () => {
    const notFound = () => new HttpResponse("Link not found.", { status: 404 });
    const { release } = serveEdit(notFound);
    await open();
    await type("A lamp, red");
    server.use(http.get(PATH, notFound));
    serveLinks([]);
    await user.keyboard("{Enter}");
    release();
    expect(await findToast("This link was deleted.")).toBe("ErrorThis link was deleted.");
    expect((await screen.findByRole("alert")).textContent).toBe("This link was deleted.");
    expect(document.activeElement?.textContent).toBe("This link was deleted.");
    await user.click(button("Return to Dashboard"));
    expect(await screen.findByRole("heading", { name: "Your Links" })).toBeTruthy();
  });

  test("sends one request for two quick submissions, and is rolled back", async () => {
    const { bodies, release } = serveEdit(serverError);
    await open();
    await type("A lamp, red");
    input(accessibleName).form?.requestSubmit();
    input(accessibleName).form?.requestSubmit();
    await waitFor(() => expect(shown()).toBe("A lamp, red"));
    release();
    await findToast(failure);
    expect(shown()).toBe("A lamp");
    expect(bodies).toHaveLength(1);
  });

  test("is saved by the second attempt after a refusal", async () => {
    serveEdit(serverError).release();
    await open();
    await type("A lamp, red");
    await user.keyboard("{Enter}");
    await findToast(failure);
    serveEdit(() => {
      link = { ...link, [field]: "A lamp, red" };
      return HttpResponse.json(link);
    }).release();
    await user.click(button("Save"));
    await waitFor(() => expect(screen.queryByRole("textbox")).toBeNull());
    expect(shown()).toBe("A lamp, red");
  });

  // Specification 5.10
  test.each([
    ["", required],
    ["   ", required],
    ["x".repeat(201), `${label} must be at most 200 characters`],
  ])("rejects %j at the field without a request", async (text, message) => {
    const { bodies } = serveEdit(serverError);
    await open();
    await user.click(pencil(field));
    await user.clear(input(accessibleName));
    if (text) await user.paste(text);
    await user.click(button("Save"));
    await screen.findByText(message);
    expect(input(accessibleName).getAttribute("aria-invalid")).toBe("true");
    expect(document.activeElement).toBe(input(accessibleName));
    expect(bodies).toEqual([]);
  });

  test.each([
    ["Cancel", false, () => user.click(button("Cancel"))],
    ["Escape and a question", true, () => user.keyboard("{Escape}")],
    ["its pencil and a question", true, () => user.click(pencil(field))],
  ])("is cancelled by %s, and the focus returns to the pencil", async (_case, isAsked, cancel) => {
    const { bodies } = serveEdit(serverError);
    await open();
    await type("Something else");
    await cancel();
    if (isAsked) {
      expect(screen.getByRole("textbox")).toHaveProperty("value", "Something else");
      await user.click(button("Discard"));
    }
    expect(screen.queryByRole("textbox")).toBeNull();
    expect(document.activeElement).toBe(pencil(field));
    expect(shown()).toBe("A lamp");
    expect(bodies).toEqual([]);
  });

  test("asks before a link to another page discards what was typed", async () => {
    await open();
    await type("Something else");
    await user.click(screen.getByRole("link", { name: "Settings" }));
    await user.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Cancel" }));
    expect(input(accessibleName).value).toBe("Something else");
    await user.click(screen.getByRole("link", { name: "Settings" }));
    await user.click(button("Discard"));
    expect(await screen.findByRole("heading", { name: "Short link" })).toBeTruthy();
  });

  test("closes the form if nothing has changed", async () => {
    const { bodies } = serveEdit(serverError);
    await open();
    await user.click(pencil(field));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.queryByRole("textbox")).toBeNull());
    expect(bodies).toEqual([]);
  });

  test("is visible in the list, which is refetched", async () => {
    const links = [link];
    const { queries } = serveLinks(links);
    serveEdit(() => {
      link = { ...link, [field]: "A lamp, red" };
      links[0] = link;
      return HttpResponse.json(link);
    }).release();
    await renderPages("/dashboard");
    await user.click(await screen.findByRole("link", { name: "A lamp" }));
    await waitFor(() => expect(heading()?.textContent).toBe("A lamp"));
    await type("A lamp, red");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.queryByRole("textbox")).toBeNull());
    await user.click(button("< Back to List"));
    expect(screen.getByRole("link", { name: "A lamp, red" })).toBeTruthy();
    await waitFor(() => expect(queries).toHaveLength(2));
  });
});

describe("deleting", () => {
  const dialog = () => screen.queryByRole("alertdialog");
  const question = "Are you sure you want to delete this link? This action cannot be undone.";

  async function openDialog() {
    await user.click(button("Delete"));
    await waitFor(() => expect(dialog()).toBeTruthy());
    return within(dialog() as HTMLElement);
  }

  /** @returns the ids of each request */
  function serveDelete(status = 200) {
    const requests: number[][] = [];
    server.use(
      http.delete("/api/links/bulk", async ({ request }) => {
        const { ids } = (await request.json()) as { ids: number[] };
        requests.push(ids);
        return status === 200
          ? HttpResponse.json(ids.map((id) => ({ id, isDeleted: true })))
          : new HttpResponse("Unavailable", { status });
      }),
    );
    return requests;
  }

  async function confirm() {
    const { getByRole } = await openDialog();
    const remove = getByRole("button", { name: "Delete" });
    remove.click();
    remove.click();
  }
  const leave = () => act(() => void dispatchEvent(new Event("pagehide")));

  // Specification 2.50
  test("requires confirmation and does nothing when cancelled", async () => {
    const requests = serveDelete();
    await open();
    const { getByText, getByRole } = await openDialog();
    expect(getByText(question)).toBeTruthy();
    await user.click(getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(dialog()).toBeNull());
    leave();
    expect(requests).toEqual([]);
  });

  // Specification 2.51
  test("shows a toast, goes to the dashboard, and sends one request with the link's id", async () => {
    const requests = serveDelete();
    serveLinks([link, shortLink({ id: 3, title: "A chair" })]);
    await open();
    await confirm();
    expect(await findToast("Link deleted")).toContain("The link has been successfully deleted.");
    expect(await screen.findByRole("link", { name: "A chair" })).toBeTruthy();
    expect(screen.queryByRole("link", { name: "A lamp" })).toBeNull();
    leave();
    await waitFor(() => expect(requests).toEqual([[7]]));
  });

  test("can be undone on the dashboard", async () => {
    const requests = serveDelete();
    serveLinks([link]);
    await open();
    await confirm();
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    expect(await screen.findByRole("link", { name: "A lamp" })).toBeTruthy();
    leave();
    expect(requests).toEqual([]);
  });

  // Specification 8.20
  test("shows an error and keeps the link when it fails", async () => {
    serveDelete(503);
    serveLinks([link]);
    await open();
    await confirm();
    await screen.findByRole("button", { name: "Undo" });
    leave();
    expect(await findToast("Failed to delete the link. Please try again.")).toBe(
      "ErrorFailed to delete the link. Please try again.",
    );
    expect(await screen.findByRole("link", { name: "A lamp" })).toBeTruthy();
  });
});
