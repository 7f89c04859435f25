import { ACCOUNT_HEADER } from "@tapthru/proto/account-header";
import type { Role } from "@tapthru/proto/call";
import type { Member } from "@tapthru/proto/members";
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { problem } from "../../testing/accounts-server.ts";
import { answer, click, fill, question } from "../../testing/controls.ts";
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
const IN_HERS = "/a/42";
beforeEach(() => {
  vi.spyOn(location, "assign").mockReturnValue();
  serve("GET /api/members", () => [BEN]);
});
async function chooseRole(name: string) {
  await userEvent.selectOptions(await screen.findByRole("combobox", { name: "Role of Ben" }), name);
  await click("Save");
}
const wasOpened = (path: string) => waitFor(() => expect(location.assign).toHaveBeenCalledWith(path));

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

test("a user chooses the account of another one, whose pages have other addresses", async () => {
  serve("GET /api/memberships", () => [CARLA]);
  await openAsUser("/account/members");
  await click("carla Viewer");
  await wasOpened("/a/42/dashboard");
});

test("calls about the account name it, calls about the user do not, and the page says whose account it is", async () => {
  serve("GET /api/memberships", () => [CARLA]);
  const accounts = new Map<string, string | null>();
  const record = ({ request }: { request: Request }) =>
    void accounts.set(new URL(request.url).pathname, request.headers.get(ACCOUNT_HEADER));
  server.events.on("request:start", record);
  await openAsUser(`${IN_HERS}/account/members`);
  await waitFor(() =>
    expect([...accounts.keys()]).toEqual(expect.arrayContaining(["/api/members", "/api/memberships"])),
  );
  server.events.removeListener("request:start", record);
  expect(accounts.get("/api/members")).toBe("42");
  for (const path of ["/api/session", "/api/memberships"]) expect([path, accounts.get(path)]).toEqual([path, null]);
  await waitFor(() => expect(screen.getByRole("region", { name: "Account" }).textContent).toContain("carla as viewer"));
  expect(screen.queryByRole("button", { name: "Invite a member" })).toBeNull();
  expect(screen.getAllByRole("link", { name: "Dashboard" })[0]?.getAttribute("href")).toBe("/a/42/dashboard");
});

test("pages about the user alone are not those of another account", async () => {
  serve("GET /api/memberships", () => [CARLA]);
  await openAsUser(`${IN_HERS}/account/data`);
  expect(await screen.findByRole("heading", { name: "Members", level: 1 })).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Profile" })).toBeNull();
});

test("an address in an account without access says so, and leads to the user's own", async () => {
  await openAsUser(`${IN_HERS}/link/abc1234`);
  await screen.findByRole("heading", { name: "You have no access to this account" });
  expect(screen.getByRole("link", { name: "Go to your account" }).getAttribute("href")).toBe("/dashboard");
});

test("the address of the user's own account becomes the page's own", async () => {
  const replace = vi.spyOn(location, "replace").mockReturnValue();
  await openAsUser("/a/1/link/abc1234/clicks?days=7");
  await waitFor(() => expect(replace).toHaveBeenCalledWith("/link/abc1234/clicks?days=7"));
});

test("a member who is removed is told so on the page that is open", async () => {
  const memberships = [{ ...CARLA, role: "editor" }];
  serve("GET /api/memberships", () => memberships);
  await openAsUser(`${IN_HERS}/dashboard`);
  memberships.pop();
  serve("POST /api/generate", () => problem("not-a-member"));
  await userEvent.click(await screen.findByRole("textbox", { name: /link/i }));
  await userEvent.paste("https://www.amazon.com/dp/B004LLIKVU");
  await screen.findByRole("heading", { name: "You are no longer a member" });
});

test("who is logged out sees the login page in place of the start page of an account", async () => {
  await renderApp(IN_HERS);
  await screen.findByRole("heading", { name: "Welcome back" });
});

test("a member leaves after a question", async () => {
  serve("GET /api/memberships", () => [CARLA]);
  const left = serve("DELETE /api/memberships/42", () => ({}));
  await openAsUser(`${IN_HERS}/account/members`);
  await click("Leave this account");
  await answer("Leave this account");
  await wasOpened("/dashboard");
  expect(left.length).toBe(1);
});

test("a guest logs in to accept an invitation, and then works in the account", async () => {
  const sent = serve("POST /api/memberships", () => CARLA);
  await renderApp("/join#token=the-token");
  await userEvent.click(await screen.findByRole("link", { name: "Log in to accept" }));
  await screen.findByRole("heading", { name: "Welcome back" });
  await openAsUser("/join");
  await click("Accept the invitation");
  await wasOpened("/a/42/dashboard");
  expect(sent).toEqual([{ token: "the-token" }]);
});
