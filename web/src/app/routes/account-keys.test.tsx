import { fireEvent, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { apiKey } from "../../testing/api-key.ts";
import { click, section } from "../../testing/controls.ts";
import { openAsUser } from "../../testing/open-as-user.ts";
import { serve } from "../../testing/serve.ts";

let created: unknown[];

beforeEach(() => {
  created = serve("POST /api/keys", () => ({ ...apiKey(), key: `tt_abcd${"x".repeat(32)}` }));
});

async function openForm(isOperator = false) {
  await openAsUser("/account/developers", { user: { isOperator } });
  await click("New API key");
}

async function openFormWithDate(day: string) {
  await openForm();
  await userEvent.type(screen.getByLabelText("Name of the key"), "Nightly script");
  await userEvent.click(screen.getByRole("radio", { name: /^On a date/ }));
  const field = screen.getByLabelText("Last day on which the key works");
  // Browsers have an empty value for a date of which a part is missing.
  fireEvent.input(field, { target: { value: day } });
  await click("Create API key");
  return field;
}

test("the list has name, start, scopes, times and expiry of each key", async () => {
  serve("GET /api/keys", () => [
    apiKey({ lastUsedAt: "2026-11-21T12:00:00.000Z", expiresAt: "2099-12-31T12:00:00.000Z" }),
    apiKey({ id: 2, name: "Old", expiresAt: "2026-01-01T12:00:00.000Z", scopes: ["links:write"] }),
  ]);
  await openAsUser("/account/developers");
  const items = await (await section("API keys")).findAllByRole("listitem");
  expect(items.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(
      /^Nightly scripttt_abcd…See links · See clicksCreated Nov 20, 2026, last used Nov 21.*Expires at the end of Dec 31, 2099/,
    ),
    expect.stringMatching(/^OldExpiredtt_abcd…Create and change links.*never used/),
  ]);
});

test("a key expires at the end of a day", async () => {
  await openFormWithDate("2099-05-04");
  await screen.findByText("Copy your new API key now");
  expect(created).toMatchObject([{ expiresAt: new Date("2099-05-04T23:59:59").toISOString() }]);
});

test.each([
  ["", "Please enter a day, month and year"],
  ["2020-01-01", "The expiry date must be in the future"],
])("a key is not created with the date %j", async (day, message) => {
  const field = await openFormWithDate(day);
  expect(await screen.findByText(message)).toBeTruthy();
  expect(document.activeElement).toBe(field);
  expect(created).toEqual([]);
});

test("a key needs a name and a scope", async () => {
  await openForm();
  await userEvent.click(screen.getByRole("checkbox", { name: /^See links/ }));
  await click("Create API key");
  expect(await screen.findByText("Please enter a name")).toBeTruthy();
  expect(screen.getByText("Please choose at least one permission")).toBeTruthy();
  const name = screen.getByLabelText("Name of the key");
  expect(document.activeElement).toBe(name);
  await userEvent.type(name, "x{Enter}");
  await waitFor(() => expect(document.activeElement?.getAttribute("type")).toBe("checkbox"));
  expect(created).toEqual([]);
});

test.each([
  ["operators", true, 1],
  ["other users", false, 0],
])("the access of operators and the event of reports, for %s", async (_who, isOperator, count) => {
  await openForm(isOperator);
  expect(screen.getAllByRole("checkbox")).not.toEqual([]);
  expect(screen.queryAllByRole("checkbox", { name: /^Operate this site/ })).toHaveLength(count);
  await click("New webhook");
  expect(screen.getByRole("checkbox", { name: /^Link changed/ })).toBeTruthy();
  expect(screen.queryAllByRole("checkbox", { name: /^Link reported/ })).toHaveLength(count);
});
