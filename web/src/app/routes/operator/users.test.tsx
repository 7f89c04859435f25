import type { UserDetails } from "@tapthru/proto/operator/users";
import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { problem } from "../../../testing/accounts-server.ts";
import { openAsOperator, userDetails } from "../../../testing/operator-server.ts";
import { server } from "../../../testing/server.ts";
import { findToast } from "../../../testing/toast.ts";

let sent: unknown[];
let user: ReturnType<typeof userEvent.setup>;

beforeEach(() => {
  user = userEvent.setup();
  sent = [];
  server.use(
    http.get("/api/operator/users", ({ request }) => {
      const q = new URL(request.url).searchParams.get("q");
      const { keys, domains, sessionCount, hasTwoFactor, storage, ...berta } = userDetails();
      return HttpResponse.json({ users: q === "nothing" ? [] : [berta], nextBefore: null });
    }),
    http.get("/api/operator/users/:id", ({ params }) => HttpResponse.json(userDetails({ id: Number(params.id) }))),
    http.put("/api/operator/users/:id/state", async ({ request }) => {
      const body = (await request.json()) as Pick<UserDetails, "state">;
      sent.push(body);
      return HttpResponse.json(userDetails(body));
    }),
    http.delete("/api/operator/users/:id", async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({}, { status: 202 });
    }),
  );
});

test("a user is found, and their page opened", async () => {
  await openAsOperator("/operator/users");
  await user.type(await screen.findByRole("searchbox", { name: "Search users" }), "nothing{Enter}");
  expect(await screen.findByText("No user was found.")).toBeTruthy();
  await user.clear(screen.getByRole("searchbox"));
  await user.click(await screen.findByRole("link", { name: "berta" }));
  expect(await screen.findByText("go.berta.example")).toBeTruthy();
  expect(screen.getByRole("link", { name: "12 links" }).getAttribute("href")).toBe("/operator/links?owner=7");
});

test("a user is disabled in the way that the operator chooses", async () => {
  await openAsOperator("/operator/users?id=7");
  await user.click(await screen.findByRole("button", { name: "Disable" }));
  const dialog = within(screen.getByRole("dialog", { name: "Disable berta" }));
  await user.click(dialog.getByRole("radio", { name: /They show an error page/ }));
  await user.click(dialog.getByRole("button", { name: "Disable" }));
  await findToast("The user was changed.");
  expect(sent).toEqual([{ state: "blocked" }]);
});

test("a user is deleted only with their name", async () => {
  await openAsOperator("/operator/users?id=7");
  await user.click(await screen.findByRole("button", { name: "Delete user" }));
  const dialog = within(screen.getByRole("alertdialog"));
  await user.type(dialog.getByRole("textbox"), "anna{Enter}");
  expect(await dialog.findByText("This is not the username of the account.")).toBeTruthy();
  await user.clear(dialog.getByRole("textbox"));
  await user.type(dialog.getByRole("textbox"), "berta{Enter}");
  await findToast("berta is being deleted.");
  expect(await screen.findByRole("searchbox", { name: "Search users" })).toBeTruthy();
  expect(sent).toEqual([{ username: "berta" }]);
});

test("operators have no actions for their own account", async () => {
  await openAsOperator("/operator/users?id=1");
  expect(await screen.findByText("go.berta.example")).toBeTruthy();
  expect(screen.queryByRole("heading", { name: "Actions" })).toBeNull();
});

test("an operator whose role was taken away reads that", async () => {
  server.use(http.get("/api/operator/users", () => problem("not-found")));
  await openAsOperator("/operator/users");
  expect(await screen.findByText("You are no longer an operator. Please reload the page.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Reload" })).toBeTruthy();
});
