import type { ApiKey } from "@tapthru/proto/keys";
import { messages } from "@tapthru/proto/rules/messages";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { serveAccounts } from "../../testing/accounts-server.ts";
import { apiKey } from "../../testing/api-key.ts";
import { fakeIdentityProvider, identityFor } from "../../testing/fake-identity-provider.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { server } from "../../testing/server.ts";
import { findToast } from "../../testing/toast.ts";
// Imported here, so that it does not take time of the first test.
import "./account.tsx";

const EMAIL = "anna@example.com";
const KEY = `tt_abcd${"x".repeat(32)}`;

let user: ReturnType<typeof userEvent.setup>;
let keys: ApiKey[];
let created: unknown[];

beforeEach(() => {
  user = userEvent.setup();
  serveAccounts(EMAIL);
  keys = [];
  created = [];
  server.use(
    http.get("/api/sessions", () => HttpResponse.json([])),
    http.get("/api/keys", () => HttpResponse.json(keys)),
    http.post("/api/keys", async ({ request }) => {
      created.push(await request.json());
      keys = [apiKey(), ...keys];
      return HttpResponse.json({ ...apiKey(), key: KEY }, { status: 201 });
    }),
    http.delete("/api/keys/:id", ({ params }) => {
      keys = keys.filter(({ id }) => String(id) !== params.id);
      return HttpResponse.json({});
    }),
  );
});

const open = () => renderApp("/account/developers", { identity: fakeIdentityProvider(identityFor(EMAIL)) });

async function section() {
  const heading = await screen.findByRole("heading", { name: "API keys" });
  return within(heading.closest("section") as HTMLElement);
}
const items = async () => (await section()).findAllByRole("listitem");
const button = async (name: string) => (await section()).findByRole("button", { name });
const queryButton = async (name: string) => (await section()).queryByRole("button", { name });

async function openForm() {
  await open();
  await (await section()).findByText("You have no API keys.");
  await user.click(await button("New API key"));
}

/** Fills the form, except for its expiry. */
async function fillForm() {
  await openForm();
  await user.type(screen.getByLabelText("Name of the key"), " Nightly script ");
  await user.click(screen.getByRole("checkbox", { name: /^See clicks/ }));
}

const submit = async () => user.click(await button("Create API key"));

async function revoke(name: string) {
  await user.click(await button(`Revoke ${name}`));
  const dialog = within(screen.getByRole("alertdialog"));
  expect(dialog.getByText(`Revoke "${name}"?`)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Revoke" }));
}

describe("the list of API keys", () => {
  test("has name, start, scopes, times and expiry of each key", async () => {
    keys = [
      apiKey({ lastUsedAt: "2026-11-21T12:00:00.000Z", expiresAt: "2099-12-31T12:00:00.000Z" }),
      apiKey({
        id: 2,
        name: "Old",
        expiresAt: "2026-01-01T12:00:00.000Z",
        scopes: ["links:write"],
      }),
    ];
    await open();
    expect((await items()).map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(
        /^Nightly scripttt_abcd…See links · See clicksCreated Nov 20, 2026, last used Nov 21.*Expires at the end of Dec 31, 2099/,
      ),
      expect.stringMatching(/^OldExpiredtt_abcd…Create and change links.*never used/),
    ]);
  });
});

describe("a new API key", () => {
  test("is created without expiry, and shown once", async () => {
    await fillForm();
    await submit();
    const heading = await screen.findByRole("heading", { name: "Copy your new API key now" });
    expect(document.activeElement).toBe(heading);
    expect(created).toEqual([{ name: "Nightly script", scopes: ["links:read", "clicks:read"], expiresAt: null }]);
    expect(screen.getByText(KEY)).toBeTruthy();
    await user.click(await button("Copy API key"));
    expect(await navigator.clipboard.readText()).toBe(KEY);
    await user.click(await button("I have saved the key"));
    expect(screen.queryByText(KEY)).toBeNull();
    expect(document.activeElement?.textContent).toBe("New API key");
    expect(await items()).toHaveLength(1);
  });

  test("is not lost by the button above it, a link or a reload without a question", async () => {
    await fillForm();
    await submit();
    await screen.findByText(KEY);
    for (const control of [
      await button("New API key"),
      ...screen.getAllByRole("link", { name: "Dashboard" }).slice(0, 1),
    ]) {
      await user.click(control);
      await user.click(within(screen.getByRole("alertdialog")).getByText("Cancel"));
    }
    expect(screen.getByText(KEY)).toBeTruthy();
    const isReloadHeld = () => !dispatchEvent(new Event("beforeunload", { cancelable: true }));
    expect(isReloadHeld()).toBe(true);
    await user.click(await button("New API key"));
    await user.click(screen.getByRole("button", { name: "I have saved it" }));
    expect([screen.queryByText(KEY), isReloadHeld()]).toEqual([null, false]);
  });

  test("expires at the end of a day", async () => {
    await fillForm();
    await user.click(screen.getByRole("radio", { name: /^On a date/ }));
    fireEvent.input(screen.getByLabelText("Last day on which the key works"), {
      target: { value: "2099-05-04" },
    });
    await submit();
    await screen.findByText(KEY);
    const expiresAt = new Date("2099-05-04T23:59:59").toISOString();
    expect(created).toMatchObject([{ expiresAt }]);
  });

  test.each([
    ["", "Please enter a day, month and year"],
    ["2020-01-01", messages.expiryInPast],
  ])("is not created with the date %j", async (day, message) => {
    await fillForm();
    await user.click(screen.getByRole("radio", { name: /^On a date/ }));
    const field = screen.getByLabelText("Last day on which the key works");
    // Browsers have an empty value for a date of which a part is missing.
    fireEvent.input(field, { target: { value: day } });
    await submit();
    expect(await screen.findByText(message)).toBeTruthy();
    expect(document.activeElement).toBe(field);
    expect(created).toEqual([]);
  });

  test("needs a name and a scope", async () => {
    await openForm();
    await user.click(screen.getByRole("checkbox", { name: /^See links/ }));
    await submit();
    expect(await screen.findByText(messages.keyNameRequired)).toBeTruthy();
    expect(screen.getByText(messages.scopeRequired)).toBeTruthy();
    const name = screen.getByLabelText("Name of the key");
    expect(document.activeElement).toBe(name);
    await user.type(name, "x");
    await submit();
    await waitFor(() => expect(document.activeElement?.getAttribute("type")).toBe("checkbox"));
    expect(created).toEqual([]);
  });

  test.each(["Escape", "the button above"])(
    "is not created after %s and a question, which returns the focus",
    async (cause) => {
      await fillForm();
      if (cause === "Escape") await user.keyboard("{Escape}");
      else await user.click(await button("New API key"));
      await user.click(screen.getByRole("button", { name: "Discard" }));
      expect(await queryButton("Create API key")).toBeNull();
      expect(document.activeElement?.textContent).toBe("New API key");
      expect(created).toEqual([]);
    },
  );
});

describe("revoking an API key", () => {
  beforeEach(() => {
    keys = [apiKey(), apiKey({ id: 2, name: "Second" })];
  });

  test("removes it after confirmation, and keeps the focus in the section", async () => {
    await open();
    await revoke("Nightly script");
    expect(await findToast("The API key was revoked.")).toBeTruthy();
    expect(await items()).toHaveLength(1);
    expect(keys.map(({ name }) => name)).toEqual(["Second"]);
    const content = (await items())[0]?.closest("[tabindex='-1']");
    expect(document.activeElement).toBe(content);
  });
});

test.each([
  ["operators", true, 1],
  ["other users", false, 0],
])("the access of operators and the event of reports, for %s", async (_who, isOperator, count) => {
  const { users } = serveAccounts(EMAIL);
  Object.assign(users.get(identityFor(EMAIL).uid) ?? {}, { isOperator });
  await openForm();
  expect(screen.getAllByRole("checkbox")).not.toEqual([]);
  expect(screen.queryAllByRole("checkbox", { name: /^Operate this site/ })).toHaveLength(count);
  await user.click(screen.getByRole("button", { name: "New webhook" }));
  expect(screen.getByRole("checkbox", { name: /^Link changed/ })).toBeTruthy();
  expect(screen.queryAllByRole("checkbox", { name: /^Link reported/ })).toHaveLength(count);
});
