import type { OperatorLink } from "@tapthru/proto/operator/links";
import type { UserDetails } from "@tapthru/proto/operator/users";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { openAsOperator, userDetails } from "../../../testing/operator-server.ts";
import { server } from "../../../testing/server.ts";
import { findToast } from "../../../testing/toast.ts";

const ADDRESS = "5f0c9a3de1b24d7f8c6a0b9e2d41f370";

const link = (id: number, shortCode: string): OperatorLink => ({
  id,
  shortCode,
  shortUrl: `https://tapthru.example/l/${shortCode}`,
  webUrl: "https://www.amazon.com/dp/B0DUCKMUG1?tag=berta-21",
  title: null,
  createdAt: "2026-11-20T08:00:00.000Z",
  expiresAt: null,
  owner: { id: 7, username: "berta" },
  takenDownAt: null,
  addressHash: ADDRESS,
});

let state: UserDetails["state"];
let takenDownAt: string | null;
let queries: string[];
let sent: unknown[];
let user: ReturnType<typeof userEvent.setup>;

beforeEach(() => {
  user = userEvent.setup();
  state = "enabled";
  takenDownAt = null;
  queries = [];
  sent = [];
  server.use(
    http.get("/api/operator/links", ({ request }) => {
      const { searchParams } = new URL(request.url);
      queries.push(String(searchParams));
      if (searchParams.get("q") === "old") return HttpResponse.json({ links: [], nextBefore: 90 });
      return HttpResponse.json({
        links: [{ ...link(2, "mug"), takenDownAt }, link(1, "lamp")],
        nextBefore: null,
      });
    }),
    http.post("/api/operator/links/take-down", async ({ request }) => {
      const body = (await request.json()) as { links: object };
      sent.push(body);
      if (!("shortCodes" in body.links)) return HttpResponse.json({ count: 12 }, { status: 202 });
      return HttpResponse.json({ count: 1, shortCodes: ["lamp"] });
    }),
    http.get("/api/operator/users/:id", () => HttpResponse.json(userDetails({ state }))),
  );
});

const undoButton = () =>
  within(screen.getByRole("region", { name: /Notifications/ })).queryByRole("button", {
    name: "Undo",
  });

test("selected links are taken down, which the toast undoes for those that changed", async () => {
  await openAsOperator("/operator/links");
  await user.click(await screen.findByRole("checkbox", { name: "Select mug" }));
  await user.click(await screen.findByRole("checkbox", { name: "Select lamp" }));
  await user.click(screen.getByRole("button", { name: "Take down" }));
  await findToast("1 link was taken down.");
  await user.click(undoButton() as HTMLElement);
  await waitFor(() =>
    expect(sent).toEqual([
      { links: { shortCodes: ["mug", "lamp"] }, isTakenDown: true },
      { links: { shortCodes: ["lamp"] }, isTakenDown: false },
    ]),
  );
});

test.each([
  ["All links of this user", "Links of berta", { ownerId: 7 }, /^Visitors see/],
  [
    "Links from the same address",
    "Links that were created from one network address in the last 30 days",
    { addressHash: ADDRESS },
    /links of other users and visitors there are included/,
  ],
])("%s are taken down together, without an undo", async (name, title, links, text) => {
  await openAsOperator("/operator/links");
  const [first] = await screen.findAllByRole("link", { name });
  await user.click(first as HTMLElement);
  expect(await screen.findByText(title)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Take all down" }));
  const dialog = within(screen.getByRole("alertdialog"));
  expect(dialog.getByText(text)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Take all down" }));
  await findToast("12 links are being taken down.");
  // It would change links that were taken down before, too.
  expect(undoButton()).toBeNull();
  expect(sent).toEqual([{ links, isTakenDown: true }]);
});

test.each([
  ["is offered where a link is down", "enabled", "2026-11-20T08:00:00.000Z", 1],
  ["is not offered where none is down", "enabled", null, 0],
  ["is not offered for a user whose links are closed", "blocked", "2026-11-20T08:00:00.000Z", 0],
] as const)("letting all work again %s", async (_case, ofUser, downAt, count) => {
  state = ofUser;
  takenDownAt = downAt;
  await openAsOperator("/operator/links?owner=7");
  expect(await screen.findByRole("button", { name: "Take all down" })).toBeTruthy();
  await screen.findByRole("checkbox", { name: "Select mug" });
  const notes = () => screen.queryAllByText(/enable the user/);
  await waitFor(() => expect(notes()).toHaveLength(ofUser === "blocked" ? 1 : 0));
  await waitFor(() => expect(screen.queryAllByRole("button", { name: "Let all work again" })).toHaveLength(count));
});

test("a search that found nothing in the latest links continues with older ones", async () => {
  await openAsOperator("/operator/links?q=old");
  expect(await screen.findByText("None of the latest links matches. Search older ones:")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Show more" }));
  await waitFor(() => expect(queries).toEqual(["q=old", "q=old&before=90"]));
});
