import type { Link } from "@tapthru/proto/links";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { linkOptions } from "../../features/links/get-link.ts";
import { answer, question } from "../../testing/controls.ts";
import { advanceBy, advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { failure, heldReplies, serve } from "../../testing/serve.ts";
import { findToast, toast } from "../../testing/toast.ts";

const GET = "GET /api/links/abcdefg";
const PATCH = "PATCH /api/links/abcdefg";

let user: ReturnType<typeof userEvent.setup>;
/** The link on the server. */
let link: Link;
let fetches: unknown[];

beforeEach(() => {
  user = userEvent.setup();
  link = shortLink({ shortCode: "abcdefg", id: 7 });
  fetches = serve(GET, () => link);
});

const heading = () => screen.queryByRole("button", { name: "Delete" }) && screen.getByRole("heading", { level: 1 });
const pencil = (field: "nickname" | "title") => button(`Edit ${field}`);
const input = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
const card = (title: string) => within(screen.getByRole("heading", { name: title }).closest("section") as HTMLElement);

async function open(...visited: string[]) {
  const queryClient = await renderPages(...visited, "/link/abcdefg");
  await waitFor(() => expect(heading()).toBeTruthy());
  return queryClient;
}

describe("the page", () => {
  // Specification 2.3, 2.45, 2.47
  test("shows name, short URL, preview and original URL", async () => {
    link = { ...link, nickname: "My lamp" };
    await open();
    expect(heading()?.textContent).toBe("My lamp");
    expect(document.title).toBe("My lamp - Tapthru");
    expect(screen.getByText("Nickname (only you see this)")).toBeTruthy();

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

  // Specification 2.43
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

  // Specification 2.42, 8.22
  test("shows an error and a button to the dashboard if the link cannot be loaded", async () => {
    serve(GET, () => failure(404));
    const queryClient = await renderPages("/link/abcdefg");
    expect((await screen.findByRole("alert")).textContent).toBe("Error loading link details. Please try again.");
    expect(document.title).toBe("Error loading link details. Please try again. - Tapthru");
    expect(queryClient.getQueryState(linkOptions("abcdefg").queryKey)?.error?.message).toBe("Failed to fetch link");
    await user.click(button("Return to Dashboard"));
    expect(await screen.findByRole("heading", { name: "Your Links" })).toBeTruthy();
  });

  test("says that the browser is offline", async () => {
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    serve(GET, () => failure(404));
    await renderPages("/link/abcdefg");
    expect((await screen.findByRole("alert")).textContent).toBe("You're offline. Check your internet connection.");
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

  test("shows that a link was taken down, and offers no editing and no copying", async () => {
    link = { ...link, takenDown: true };
    await open();
    expect(screen.getByText(/^This link was taken down\./)).toBeTruthy();
    expect(screen.queryByRole("button", { name: /^Edit|^Copy link/ })).toBeNull();
  });

  test.each([
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
});

describe("polling", () => {
  beforeEach(() => {
    user = useFakeClock();
  });

  async function openWithout(changes: Partial<Link>) {
    link = { ...link, ...changes };
    await renderPages("/link/abcdefg");
    await advanceUntil(() => heading() !== null);
  }

  test.each([
    [{ title: null }, 4],
    [{ imageUrl: null }, 4],
    [{}, 1],
  ])("refetches three times, every 2 seconds, while something is missing: %j", async (missing, count) => {
    await openWithout(missing);
    await advanceBy(1_800);
    expect(fetches).toHaveLength(1);
    await advanceBy(30_000);
    expect(fetches).toHaveLength(count);
  });

  test("goes on after an edit, and begins again at the next visit", async () => {
    serve(PATCH, () => link);
    await openWithout({ imageUrl: null });
    serveLinks([link]);
    await user.click(pencil("nickname"));
    await user.type(input("Nickname (only you see this)"), "Lamp{Enter}");
    await advanceBy(30_000);
    expect(fetches).toHaveLength(4);
    await user.click(button("< Back to List"));
    await advanceUntil(() => screen.queryByRole("link", { name: "A lamp" }) !== null);
    await user.click(screen.getByRole("link", { name: "A lamp" }));
    await advanceBy(30_000);
    expect(fetches).toHaveLength(7);
  });

  test("ends as soon as title and image are available, and shows them", async () => {
    await openWithout({ title: null, imageUrl: null });
    link = shortLink({ shortCode: "abcdefg", id: 7 });
    await advanceUntil(() => heading()?.textContent === "A lamp");
    await advanceBy(30_000);
    expect(fetches).toHaveLength(2);
  });

  test("ends after failures, and the page stays unchanged", async () => {
    await openWithout({ imageUrl: null });
    const failures = serve(GET, () => failure(403));
    await advanceBy(60_000);
    expect(failures).toHaveLength(3);
    expect(heading()?.textContent).toBe("A lamp");
  });

  test("shows an error when the link no longer exists", async () => {
    await openWithout({ imageUrl: null });
    serve(GET, () => failure(404));
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
    failed: "Failed to update link name. Please try again.",
  },
  {
    field: "title",
    label: "Title",
    accessibleName: "Title",
    shown: () => card("Preview").getByText("A lamp", { exact: false })?.textContent,
    failed: "Failed to update link title. Please try again.",
  },
] as const)("editing the $field", ({ field, label, accessibleName, shown, failed }) => {
  async function type(text: string) {
    await user.click(pencil(field));
    await user.clear(input(accessibleName));
    if (text) await user.type(input(accessibleName), text);
  }

  // Specification 2.44
  test("shows the new text at once, and closes the form after the server has responded", async () => {
    const { released, release } = heldReplies();
    const sent = serve(PATCH, async () => {
      await released;
      link = { ...link, [field]: "A lamp, red" };
      return link;
    });
    const links = [link];
    const { queries } = serveLinks(links);
    await renderPages("/dashboard");
    await user.click(await screen.findByRole("link", { name: "A lamp" }));
    await waitFor(() => expect(heading()).toBeTruthy());
    fireEvent.click(pencil(field));
    expect(document.activeElement).toBe(input(accessibleName));
    expect(input(accessibleName).selectionEnd).toBe("A lamp".length);
    await user.clear(input(accessibleName));
    await user.type(input(accessibleName), "  A lamp, red ");
    // The second submission is ignored.
    for (let count = 0; count < 2; count += 1) input(accessibleName).form?.requestSubmit();
    await waitFor(() => expect(shown()).toBe("A lamp, red"));
    await waitFor(() => expect(button("Saving...").getAttribute("aria-disabled")).toBe("true"));
    links[0] = { ...link, [field]: "A lamp, red" };
    release();
    await waitFor(() => expect(screen.queryByRole("textbox")).toBeNull());
    expect(shown()).toBe("A lamp, red");
    expect(document.activeElement).toBe(pencil(field));
    expect(sent).toEqual([{ [field]: "A lamp, red" }]);
    await waitFor(() => expect(fetches).toHaveLength(2));
    await user.click(button("< Back to List"));
    expect(screen.getByRole("link", { name: "A lamp, red" })).toBeTruthy();
    await waitFor(() => expect(queries).toHaveLength(2));
  });

  // Specification 8.21
  test("is rolled back when the server refuses, and the form, which stays open meanwhile, keeps the text", async () => {
    const { released, release } = heldReplies();
    serve(PATCH, () => released.then(() => failure(500)));
    await open();
    await type("A lamp, red");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(shown()).toBe("A lamp, red"));
    await user.keyboard("{Escape}");
    await user.click(pencil(field));
    release();
    expect(await findToast(failed)).toBe(`Error${failed}`);
    expect(shown()).toBe("A lamp");
    expect(input(accessibleName).value).toBe("A lamp, red");
  });

  test("of a link deleted in another tab says so and leads back to the list", async () => {
    serve(PATCH, () => failure(404));
    await open();
    await type("A lamp, red");
    serve(GET, () => failure(404));
    await user.keyboard("{Enter}");
    expect(await findToast("This link was deleted.")).toBe("ErrorThis link was deleted.");
    expect((await screen.findByRole("alert")).textContent).toBe("This link was deleted.");
    expect(document.activeElement?.textContent).toBe("This link was deleted.");
    await user.click(button("Return to Dashboard"));
    expect(await screen.findByRole("heading", { name: "Your Links" })).toBeTruthy();
  });

  // Specification 5.10
  test.each([
    ["   ", `${label} is required`],
    ["x".repeat(201), `${label} must be at most 200 characters`],
  ])("rejects %j at the field without a request", async (text, message) => {
    const sent = serve(PATCH, () => failure(500));
    await open();
    await user.click(pencil(field));
    await user.clear(input(accessibleName));
    await user.paste(text);
    await user.click(button("Save"));
    await screen.findByText(message);
    expect(input(accessibleName).getAttribute("aria-invalid")).toBe("true");
    expect(document.activeElement).toBe(input(accessibleName));
    expect(sent).toEqual([]);
  });

  test("is cancelled by its pencil after a question", async () => {
    await open();
    await type("Something else");
    await user.click(pencil(field));
    await answer("Discard");
    expect(screen.queryByRole("textbox")).toBeNull();
    expect(document.activeElement).toBe(pencil(field));
    expect(shown()).toBe("A lamp");
  });
});

describe("deleting", () => {
  /** @returns how many requests were sent */
  async function deleteLink(reply: () => unknown) {
    const sent = serve("DELETE /api/links/7", reply);
    await open();
    await user.click(button("Delete"));
    expect(question().getByText(/^Are you sure you want to delete this link\?/)).toBeTruthy();
    const confirm = question().getByRole("button", { name: "Delete" });
    confirm.click();
    confirm.click();
    return sent;
  }

  // Specification 2.50, 2.51
  test("sends one request, and then shows a toast and goes to the dashboard, which offers no 'Undo'", async () => {
    const { released, release } = heldReplies();
    serveLinks([link, shortLink({ id: 3, title: "A chair" })]);
    const sent = await deleteLink(async () => {
      await released;
      serveLinks([shortLink({ id: 3, title: "A chair" })]);
      return { id: 7, shortCode: "abcdefg" };
    });
    expect(await screen.findByRole("button", { name: "Deleting..." })).toBeTruthy();
    expect(toast()).toBeUndefined();
    release();
    expect(await findToast("Link deleted")).toContain("The link has been successfully deleted.");
    expect(await screen.findByRole("link", { name: "A chair" })).toBeTruthy();
    expect(screen.queryByRole("link", { name: "A lamp" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
    expect(sent).toHaveLength(1);
  });

  test("of a link that was deleted elsewhere is no failure", async () => {
    serveLinks([]);
    await deleteLink(() => failure(404));
    await findToast("Link deleted");
  });

  // Specification 8.20
  test("shows an error and keeps the link when it fails", async () => {
    serveLinks([link]);
    await deleteLink(() => failure());
    await findToast("ErrorFailed to delete the link. Please try again.");
    expect(heading()?.textContent).toBe("A lamp");
    expect(document.activeElement).toBe(button("Delete"));
  });
});
