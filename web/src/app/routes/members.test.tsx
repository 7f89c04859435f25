import { ACCOUNT_HEADER } from "@tapthru/proto/account-header";
import type { Role } from "@tapthru/proto/call";
import type { Member } from "@tapthru/proto/members";
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { chosenAccount } from "../../lib/account.ts";
import { problem } from "../../testing/accounts-server.ts";
import { answer, click, fill, question, section } from "../../testing/controls.ts";
import { openAsUser } from "../../testing/open-as-user.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { serve } from "../../testing/serve.ts";
import { server } from "../../testing/server.ts";
import { findToast } from "../../testing/toast.ts";

const BEN: Member = {
  id: 5,
  name: "Ben",
  role: "editor",
  username: "ben_42",
  joinedAt: "2026-11-20T12:00:00.000Z",
  expiresAt: null,
};
const CARLA = { id: 42, username: "carla", role: "viewer" as Role };
/** The test's user. */
const personId = 1;
beforeEach(() => {
  vi.spyOn(location, "assign").mockReturnValue();
  serve("GET /api/members", () => [BEN]);
});
const choose = (changes = {}) => sessionStorage.setItem("account", JSON.stringify({ ...CARLA, personId, ...changes }));
async function chooseRole(name: string) {
  await userEvent.selectOptions(await screen.findByRole("combobox", { name: "Role of Ben" }), name);
  await click("Save");
}
const wasReloaded = () => waitFor(() => expect(location.assign).toHaveBeenCalledWith("/dashboard"));

test("an owner invites a member by a link that is shown once, and changes a role", async () => {
  const invitation = {
    ...BEN,
    id: 6,
    name: "Dora",
    username: null,
    joinedAt: null,
    expiresAt: "2026-11-27T12:00:00.000Z",
  };
  const sent = serve("POST /api/members", () => ({ ...invitation, url: "https://tapthru.example/join#token=x" }));
  const changed = serve("PATCH /api/members/5", () => ({ role: "viewer" }));
  await openAsUser("/account/members");
  await click("Invite a member");
  await fill("Name", "Dora{Enter}");
  await screen.findByText("https://tapthru.example/join#token=x");
  expect(sent).toEqual([{ name: "Dora", role: "viewer" }]);
  await click("Done");
  await chooseRole("Viewer");
  await findToast("The role was changed.");
  expect(changed).toEqual([{ role: "viewer" }]);
});

test("an owner is asked before a member becomes one", async () => {
  const changed = serve("PATCH /api/members/5", () => ({ role: "owner" }));
  await openAsUser("/account/members");
  await chooseRole("Owner");
  expect(question().getByText("Make Ben an owner?")).toBeTruthy();
  expect(changed).toEqual([]);
  await answer("Make owner");
  await findToast("The role was changed.");
  expect(changed).toEqual([{ role: "owner" }]);
});

test("a user chooses the account of another one, and loads the pages again", async () => {
  serve("GET /api/memberships", () => [CARLA]);
  await openAsUser("/account/members");
  await click("carla Viewer");
  await wasReloaded();
  expect(chosenAccount()).toEqual({ ...CARLA, personId });
});

test("calls about the account name it, calls about the user do not, and the page says whose account it is", async () => {
  choose({ role: "owner" });
  serve("GET /api/memberships", () => [CARLA]);
  const accounts = new Map<string, string | null>();
  const record = ({ request }: { request: Request }) =>
    void accounts.set(new URL(request.url).pathname, request.headers.get(ACCOUNT_HEADER));
  server.events.on("request:start", record);
  await openAsUser("/account/members");
  await waitFor(() =>
    expect([...accounts.keys()]).toEqual(expect.arrayContaining(["/api/members", "/api/memberships"])),
  );
  server.events.removeListener("request:start", record);
  expect(accounts.get("/api/members")).toBe("42");
  for (const path of ["/api/session", "/api/memberships"]) expect([path, accounts.get(path)]).toEqual([path, null]);
  await waitFor(() => expect(screen.getByRole("region", { name: "Account" }).textContent).toContain("carla as viewer"));
  expect(screen.queryByRole("button", { name: "Invite a member" })).toBeNull();
});

test("pages about the user alone are not those of another account", async () => {
  choose();
  serve("GET /api/memberships", () => [CARLA]);
  await openAsUser("/account/data");
  expect(await screen.findByRole("heading", { name: "Members", level: 1 })).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Profile" })).toBeNull();
});

test("a user whose membership has ended is told so, and goes to their own account", async () => {
  choose();
  await openAsUser("/account/members");
  await screen.findByText("You are no longer a member of carla's account.");
  await click("Go to your account");
  await wasReloaded();
  expect(chosenAccount()).toBeNull();
});

test("an api that refuses a former member makes an open page say so", async () => {
  choose();
  const memberships = [CARLA];
  serve("GET /api/memberships", () => memberships);
  await openAsUser("/account/members");
  await section("People in this account");
  memberships.pop();
  serve("GET /api/keys", () => problem("not-a-member"));
  await userEvent.click(screen.getByRole("link", { name: "Developers" }));
  await screen.findByText("You are no longer a member of carla's account.");
});

test("the account that another user chose in this browser is forgotten", async () => {
  choose({ personId: 2 });
  await openAsUser("/account/members");
  await section("People in this account");
  expect(chosenAccount()).toBeNull();
});

test("a member leaves after a question", async () => {
  choose();
  const left = serve("DELETE /api/memberships/42", () => ({}));
  await openAsUser("/account/members");
  await click("Leave this account");
  await answer("Leave this account");
  await wasReloaded();
  expect([left.length, chosenAccount()]).toEqual([1, null]);
});

test("a guest logs in to accept an invitation, and then works in the account", async () => {
  const sent = serve("POST /api/memberships", () => CARLA);
  await renderApp("/join#token=the-token");
  await userEvent.click(await screen.findByRole("link", { name: "Log in to accept" }));
  await screen.findByRole("heading", { name: "Welcome back" });
  await openAsUser("/join");
  await click("Accept the invitation");
  await wasReloaded();
  expect([sent, chosenAccount()]).toEqual([[{ token: "the-token" }], { ...CARLA, personId }]);
});
