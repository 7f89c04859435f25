import { act, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { serveAccounts } from "../../testing/accounts-server.ts";
import { click } from "../../testing/controls.ts";
import { generatedLink, linkReply, PRODUCT, serveReplies } from "../../testing/generate-server.ts";
import { ANNA, openAsUser } from "../../testing/open-as-user.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { readPendingLinks, storeLink } from "./stored-links.ts";

function storeLinks(...titles: string[]) {
  for (const title of titles) {
    const shortCode = title.toLowerCase();
    storeLink(generatedLink({ title, shortCode, shortUrl: `https://tapthru.example/l/${shortCode}` }));
  }
}

const TITLE = "Recent links in this browser";
const list = () => screen.findByRole("region", { name: TITLE });
const shortCodes = async () =>
  within(await list())
    .getAllByRole("link")
    .map((link) => link.getAttribute("href")?.split("/").at(-1));
const remove = (title: string) =>
  click(`Remove ${title} from this list. It works until it expires, and is not in an account that you create.`);
const SELLING_POINT = { name: "Keeps your tag" };

test("shows the newest links first, with their expiry", async () => {
  storeLinks("Lamp", "Desk", "Chair", "Shelf");
  const day = new Date(Date.now() + 7 * 86_400_000);
  const date = day.toLocaleDateString("en-US", { month: "short", day: "numeric" });
  await renderApp();
  expect(await shortCodes()).toEqual(["shelf", "chair", "desk", "lamp"]);
  expect((await list()).textContent).toContain(`Expires ${date}`);
});

test("removes links, and shows what the product does when the list is empty, until another tab stores one", async () => {
  storeLinks("Lamp", "Desk");
  await renderApp();
  await list();
  expect(screen.queryByRole("heading", SELLING_POINT)).toBeNull();
  await remove("Desk");
  expect(await shortCodes()).toEqual(["lamp"]);
  expect(document.activeElement?.textContent).toBe(TITLE);
  await remove("Lamp");
  await screen.findByRole("heading", SELLING_POINT);
  act(() => storeLinks("Chair"));
  expect(await shortCodes()).toEqual(["chair"]);
});

test("a removed link comes back to its place by Undo", async () => {
  storeLinks("Lamp", "Desk");
  await renderApp();
  await list();
  await remove("Desk");
  await click("Undo");
  expect(await shortCodes()).toEqual(["desk", "lamp"]);
  expect(readPendingLinks().map(({ shortCode }) => shortCode)).toEqual(["desk", "lamp"]);
});

test("does not repeat the link that was just created", async () => {
  storeLinks("Lamp");
  serveReplies("/api/generate", linkReply({ shortCode: "newer22" }));
  await renderApp();
  await userEvent.click(screen.getByRole("textbox"));
  await userEvent.paste(PRODUCT);
  await screen.findByRole("region", { name: "Your short link" });
  await waitFor(() => expect(localStorage.getItem("recent_links")).toContain("newer22"));
  expect(await shortCodes()).toEqual(["lamp"]);
});

test("does not show recent links to users", async () => {
  storeLinks("Lamp");
  serveAccounts(ANNA.email);
  await openAsUser("/");
  await waitFor(() => expect(localStorage.getItem("recent_links")).toBeNull());
  expect(screen.queryByText(TITLE)).toBeNull();
});
