import { ACCOUNT_HEADER } from "@tapthru/proto/account-header";
import type { Role } from "@tapthru/proto/call";
import { ERRORS } from "@tapthru/proto/errors";
import { listMembers } from "@tapthru/proto/members";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { answer, click, fill, link as findLink, heading, question, textsOf } from "../../testing/controls.ts";
import { exampleOf, like } from "../../testing/examples.ts";
import { fakeIdentityProvider } from "../../testing/fake-identity-provider.ts";
import { PRODUCT } from "../../testing/generate-server.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { ANNA, openAsUser } from "../../testing/open-as-user.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { renderPages } from "../../testing/render-pages.tsx";
import { heldReplies, problem, serve } from "../../testing/serve.ts";
import { server } from "../../testing/server.ts";
import { findToast } from "../../testing/toast.ts";

const BEN = like(exampleOf(listMembers)[0], { id: 5, name: "Ben", role: "editor", username: "ben_42" })();
const IN_HERS = "/a/42";
const link = shortLink({ id: 7, shortCode: "abcdefg" });

beforeEach(() => {
  vi.spyOn(location, "assign").mockReturnValue();
  serve("GET /api/members", () => [BEN]);
  serveLinks([link]);
  serve("GET /api/links/abcdefg", () => link);
});

/** The user is a member of the account of Carla. */
function serveMembership(role: Role = "viewer") {
  serve("GET /api/memberships", () => [{ id: 42, username: "carla", role }]);
}
/** Opens the pages that follow in the account of Carla. */
function as(role: Role) {
  history.replaceState(null, "", "/a/42/");
  serveMembership(role);
}
const wasOpened = (path: string) => waitFor(() => expect(location.assign).toHaveBeenCalledWith(path));
const buttons = () => screen.getAllByRole("button").map(({ textContent, ariaLabel }) => ariaLabel || textContent);

test("an owner invites a member by a link that is shown once, and changes a role after a question", async () => {
  const url = "https://tapthru.example/join#token=x";
  const invitation = { id: 6, name: "Dora", username: null, joinedAt: null, expiresAt: "2026-11-27T12:00:00.000Z" };
  const sent = serve("POST /api/members", () => ({ ...BEN, ...invitation, url }));
  const changed = serve("PATCH /api/members/5", ({ body }) => body);
  await openAsUser("/account/members");
  await click("Invite a member");
  await fill("Name", "Dora{Enter}");
  await screen.findByText(url);
  expect(sent).toEqual([{ name: "Dora", role: "viewer" }]);
  await click("Done");
  expect(buttons()).toEqual(expect.not.arrayContaining(["Make editor Ben"]));
  await click("Make owner Ben");
  expect(question().getByText("Make Ben an owner?")).toBeTruthy();
  expect(changed).toEqual([]);
  await answer("Make owner");
  await findToast("The role was changed.");
  expect(changed).toEqual([{ role: "owner" }]);
});

test("a user chooses the account of another one, whose pages have other addresses", async () => {
  serveMembership();
  await openAsUser("/account/members");
  expect((await findLink(/^carla/)).getAttribute("href")).toBe("/a/42/dashboard");
});

test("calls about the account name it, calls about the user do not, and the page says whose account it is", async () => {
  serveMembership();
  const accounts = new Map<string, string | null>();
  const record = ({ request }: { request: Request }) =>
    void accounts.set(new URL(request.url).pathname, request.headers.get(ACCOUNT_HEADER));
  server.events.on("request:start", record);
  await openAsUser(`${IN_HERS}/account/members`);
  const paths = ["/api/members", "/api/memberships"];
  await waitFor(() => expect([...accounts.keys()]).toEqual(expect.arrayContaining(paths)));
  server.events.removeListener("request:start", record);
  expect(accounts.get("/api/members")).toBe("42");
  for (const path of ["/api/session", "/api/memberships"]) expect([path, accounts.get(path)]).toEqual([path, null]);
  await waitFor(() => expect(screen.getByRole("region", { name: "Account" }).textContent).toContain("carla as viewer"));
  expect(screen.queryByRole("button", { name: "Invite a member" })).toBeNull();
  expect(screen.getAllByRole("link", { name: "Dashboard" })[0]?.getAttribute("href")).toBe("/a/42/dashboard");
});

test.each([
  ["viewer", 0],
  ["editor", 1],
] as const)("a %s sees %i links to imports in the bar", async (role, count) => {
  serveMembership(role);
  await openAsUser(`${IN_HERS}/account/members`);
  await waitFor(() =>
    expect(screen.getByRole("region", { name: "Account" }).textContent).toContain(`carla as ${role}`),
  );
  const bar = within(screen.getByRole("navigation", { name: "Main" }));
  await waitFor(() => expect(bar.queryAllByRole("link", { name: "Import" })).toHaveLength(count));
  expect(bar.getAllByRole("link", { name: "Earnings" })).toHaveLength(1);
});

test("pages about the user alone never show another account", async () => {
  serveMembership();
  await openAsUser(`${IN_HERS}/account/data`);
  expect(await screen.findByRole("heading", { name: "Members", level: 1 })).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Profile" })).toBeNull();
});

test("a member leaves after a question", async () => {
  serveMembership();
  const left = serve("DELETE /api/memberships/42", () => ({}));
  await openAsUser(`${IN_HERS}/account/members`);
  await click("Leave this account");
  await answer("Leave this account");
  await wasOpened("/dashboard");
  expect(left.length).toBe(1);
});

test("a guest logs in to accept an invitation, and then works in the account", async () => {
  const sent = serve("POST /api/memberships", () => ({ id: 42, username: "carla", role: "viewer" }));
  await renderApp("/join#token=Xo9sJtqk3m2fVb7cLr5aQw");
  await userEvent.click(await findLink("Log in to accept"));
  await heading("Welcome back");
  await openAsUser("/join");
  await click("Accept the invitation");
  await wasOpened("/a/42/dashboard");
  expect(sent).toEqual([{ token: "Xo9sJtqk3m2fVb7cLr5aQw" }]);
});

test("a viewer sees the list without its controls, and who may use them", async () => {
  as("viewer");
  await renderPages("/dashboard");
  await screen.findByText("You view this account. An editor or owner can add links.");
  await click("Select");
  await click("Select all");
  await screen.findByText("1 selected");
  await screen.findByRole("button", { name: "Export" });
  const headers = ["Name", "Taps", "Earned", "Created"];
  expect(buttons()).toEqual(["Browser's back", "Select all", "Export", "Cancel", ...headers]);
  await click("Cancel");
  await click(/^More actions for/);
  expect(textsOf(screen.getAllByRole("menuitem"))).toEqual(["Copy link", "QR code", "Open short link"]);
  expect(screen.queryByRole("navigation", { name: "First steps" })).toBeNull();
  expect(screen.queryByRole("link", { name: /^Import/ })).toBeNull();
});

test.each([
  ["/account/developers", "New API key", /^See links/, /^Operate this site/],
  ["/account/developers", "New webhook", /^Link created/, /^Link reported/],
  ["/account/notifications", "New alert", /^Link created/, /^Link reported/],
])("an operator is not offered what operators get in another account: %s, %s", async (path, form, offered, not) => {
  as("owner");
  await openAsUser(`/a/42${path}`, { user: { isOperator: true } });
  await click(form);
  await screen.findByRole("checkbox", { name: offered });
  expect(screen.queryByRole("checkbox", { name: not })).toBeNull();
});

test("an owner reads nothing that a viewer reads until the account of the pages is known", async () => {
  as("owner");
  const identity = fakeIdentityProvider(ANNA);
  const { released, release } = heldReplies();
  serve("GET /api/session", () => released.then(identity.restore).then((login) => ({ login })));
  serve("GET /api/memberships", () => released.then(() => [{ id: 42, username: "carla", role: "owner" }]));
  await openAsUser("/a/42/dashboard", { identity });
  await screen.findByText("Loading...");
  expect(screen.queryByText(/^You view this account/)).toBeNull();
  release();
  await heading("Your Links");
});

describe("a refusal says why, not to try again", () => {
  // An owner has made them a viewer meanwhile.
  beforeEach(() => as("editor"));

  test("a refused new link says why, not to try again", async () => {
    serve("POST /api/generate", () => problem("role-required"));
    await renderPages("/link-creation");
    await userEvent.click(await screen.findByLabelText("Amazon product or store link"));
    await userEvent.paste(PRODUCT);
    expect(await findToast(ERRORS["role-required"].message)).toBe(`Error${ERRORS["role-required"].message}`);
  });

  test("refused labels, typed as the dialog opens and saved by Enter, say why, not to try again", async () => {
    const sent = serve("PATCH /api/links/bulk", () => problem("role-required"));
    await renderPages("/link/abcdefg");
    await click("Edit labels");
    await userEvent.keyboard("Gifts{Enter}");
    expect((await screen.findByRole("alert")).textContent).toBe(ERRORS["role-required"].message);
    expect(sent).toEqual([{ ids: [7], addLabels: ["Gifts"], removeLabels: [] }]);
  });
});
