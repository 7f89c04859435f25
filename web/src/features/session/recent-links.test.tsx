import { act, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { serveAccounts } from "../../testing/accounts-server.ts";
import { fakeIdentityProvider, identityFor } from "../../testing/fake-identity-provider.ts";
import { generatedLink, linkReply, PRODUCT, serveReplies } from "../../testing/generate-server.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { findToast } from "../../testing/toast.ts";
import { storeLink } from "./stored-links.ts";

const TITLES = ["Lamp", "Desk", "Chair", "Shelf"];

let user: ReturnType<typeof userEvent.setup>;
beforeEach(() => {
  user = userEvent.setup();
});

function storeLinks(titles: string[]) {
  for (const title of titles) {
    const shortCode = title.toLowerCase();
    storeLink(generatedLink({ title, shortCode, shortUrl: `https://tapthru.example/l/${shortCode}` }));
  }
}

const list = () => screen.findByRole("region", { name: "Recent links in this browser" });
const shortUrls = async () =>
  within(await list())
    .getAllByRole("link")
    .map((link) => link.getAttribute("href")?.split("/").at(-1));
const removeButton = (title: string) =>
  screen.getByRole("button", {
    name: `Remove ${title} from this list. It works until it expires, and is not in an account that you create.`,
  });
const sellingPoint = () => screen.queryByRole("heading", { name: "Keeps your tag" });

test("shows the newest three links first, with their expiry, and all when asked", async () => {
  storeLinks(TITLES);
  const day = new Date(Date.now() + 7 * 86_400_000);
  const date = day.toLocaleDateString("en-US", { month: "short", day: "numeric" });
  await renderApp();
  expect(await shortUrls()).toEqual(["shelf", "chair", "desk"]);
  expect((await list()).textContent).toContain(`Expires ${date}`);
  await user.click(screen.getByRole("button", { name: "Show all 4" }));
  expect(await shortUrls()).toEqual(["shelf", "chair", "desk", "lamp"]);
  expect(document.activeElement?.textContent).toBe("Recent links in this browser");
});

test("says in the words of Home that the browser refuses to copy", async () => {
  storeLinks(["Lamp"]);
  await renderApp();
  await list();
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValueOnce(new Error("refused"));
  await user.click(screen.getByRole("button", { name: "Copy link of Lamp" }));
  expect(await findToast("Failed to copy link")).toBe("ErrorFailed to copy link");
});

test("removes links, and shows what the product does when none is left", async () => {
  storeLinks(["Lamp", "Desk"]);
  await renderApp();
  await list();
  expect(sellingPoint()).toBeNull();
  await user.click(removeButton("Desk"));
  expect(await shortUrls()).toEqual(["lamp"]);
  expect(document.activeElement?.textContent).toBe("Recent links in this browser");
  await user.click(removeButton("Lamp"));
  expect(sellingPoint()).toBeTruthy();
});

test("shows a link that another tab has stored", async () => {
  await renderApp();
  act(() => storeLinks(["Lamp"]));
  expect(await shortUrls()).toEqual(["lamp"]);
});

test("does not repeat the link that was just created", async () => {
  storeLinks(["Lamp"]);
  serveReplies("/api/generate", linkReply({ shortCode: "newer22" }));
  await renderApp();
  await user.click(screen.getByRole("textbox"));
  await user.paste(PRODUCT);
  await screen.findByRole("region", { name: "Your short link" });
  await waitFor(() => expect(localStorage.getItem("recent_links")).toContain("newer22"));
  expect(await shortUrls()).toEqual(["lamp"]);
});

test("is not shown to users", async () => {
  storeLinks(["Lamp"]);
  serveAccounts("anna@example.com");
  await renderApp("/", { identity: fakeIdentityProvider(identityFor("anna@example.com")) });
  await waitFor(() => expect(localStorage.getItem("recent_links")).toBeNull());
  expect(screen.queryByText("Recent links in this browser")).toBeNull();
});
