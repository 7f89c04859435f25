import type { Role } from "@tapthru/proto/call";
import { ERRORS } from "@tapthru/proto/errors";
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { problem } from "../../testing/accounts-server.ts";
import { mainChannel, serveChannels } from "../../testing/channels-server.ts";
import { click, fill } from "../../testing/controls.ts";
import { domain, HOST } from "../../testing/domains.ts";
import { PRODUCT, serveReplies } from "../../testing/generate-server.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { openAsUser } from "../../testing/open-as-user.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { serve } from "../../testing/serve.ts";
import { server } from "../../testing/server.ts";
import { findToast } from "../../testing/toast.ts";

/** Opens the pages that follow in the account of Carla. */
function as(role: Role) {
  history.replaceState(null, "", "/a/42/");
  serve("GET /api/memberships", () => [{ id: 42, username: "carla", role }]);
}
const buttons = () => screen.getAllByRole("button").map(({ textContent, ariaLabel }) => ariaLabel || textContent);

const link = shortLink({ id: 7, shortCode: "abcdefg" });
beforeEach(() => {
  serveLinks([link]);
  serve("GET /api/links/:shortCode", () => link);
  server.use(serveChannels(mainChannel(), mainChannel({ id: 3, name: "Blog", isDefault: false })));
});

describe("a viewer", () => {
  beforeEach(() => as("viewer"));

  test("sees the list without what changes it, and who can", async () => {
    await renderPages("/dashboard");
    await screen.findByText("You view this account. An editor or owner can add links.");
    await click("Select");
    await click("Select all");
    await screen.findByText("1 selected");
    await screen.findByRole("button", { name: "Export" });
    expect(buttons()).toEqual(["Browser's back", "Select all", "Export", "Cancel"]);
    await click("Cancel");
    await click(/^More actions for/);
    const items = screen.getAllByRole("menuitem").map(({ textContent }) => textContent);
    expect(items).toEqual(["Copy link", "QR code", "Open short link"]);
    expect(screen.queryByText("Earn from purchases")).toBeNull();
    expect(screen.queryByRole("link", { name: /^Import/ })).toBeNull();
  });

  test("sees a link without what changes it", async () => {
    await renderPages("/link/abcdefg");
    await screen.findByRole("heading", { name: "A lamp", level: 1 });
    expect(buttons().filter((name) => name !== null && /edit|delete|change|save/i.test(name))).toEqual([]);
  });

  test("sees tags and the choice of stores, and who can change them", async () => {
    serve("GET /api/routing", () => ({ isOn: true, fallback: "original", assistantsGetTag: false }));
    await renderPages("/account/stores");
    await screen.findByText("You view this account. An editor or owner can change tags.");
    for (const field of screen.getAllByRole<HTMLInputElement>("textbox")) expect(field.disabled).toBe(true);
    expect(buttons()).toEqual(expect.not.arrayContaining(["Save", "Rename", "New channel"]));
  });
});

test("an editor removes no domain, and does not see webhooks", async () => {
  as("editor");
  serve("GET /api/domains", () => [domain()]);
  const asked = serve("GET /api/webhooks", () => problem("role-required"));
  await openAsUser("/a/42/account/domains", { changes: { hasDomains: true } });
  await screen.findByRole("heading", { name: new RegExp(HOST) });
  await screen.findByRole("button", { name: `Check now ${HOST}` });
  expect(screen.queryByRole("button", { name: /^Remove/ })).toBeNull();
  await userEvent.click(screen.getByRole("link", { name: "Developers" }));
  await screen.findByRole("heading", { name: "Link patterns" });
  expect(screen.queryByRole("heading", { name: "Webhooks" })).toBeNull();
  expect(asked).toEqual([]);
});

describe("a refusal says why, not to try again", () => {
  // An owner has made them a viewer meanwhile.
  beforeEach(() => as("editor"));

  test("of a new link", async () => {
    serveReplies("/api/generate", () => problem("role-required"));
    await renderPages("/link-creation");
    const field = await screen.findByLabelText("Amazon product or store link");
    await userEvent.click(field);
    await userEvent.paste(PRODUCT);
    expect(await findToast(ERRORS["role-required"].message)).toBe(`Error${ERRORS["role-required"].message}`);
  });

  test("of a new name", async () => {
    serve("PATCH /api/links/:shortCode", () => problem("role-required"));
    await renderPages("/link/abcdefg");
    await click("Edit nickname");
    await fill("Nickname (only you see this)", "Lamp{Enter}");
    await screen.findByText(ERRORS["role-required"].message);
    expect(screen.getByLabelText<HTMLInputElement>("Nickname (only you see this)").value).toBe("Lamp");
  });

  test("of labels", async () => {
    serve("PATCH /api/links/bulk", () => problem("role-required"));
    await renderPages("/link/abcdefg");
    await click("Edit labels");
    await userEvent.keyboard("Gifts{Enter}");
    expect((await screen.findByRole("alert")).textContent).toBe(ERRORS["role-required"].message);
  });
});

test("a label that is typed when the dialog opens is added and saved by Enter", async () => {
  const sent = serve("PATCH /api/links/bulk", () => ({ results: [{ id: 7, error: null }] }));
  await renderPages("/link/abcdefg");
  await click("Edit labels");
  await userEvent.keyboard("Gifts{Enter}");
  await waitFor(() => expect(sent).toEqual([{ ids: [7], addLabels: ["Gifts"], removeLabels: [] }]));
});

test("in another account, an operator is not offered keys for operators", async () => {
  as("owner");
  await openAsUser("/a/42/account/developers", { user: { isOperator: true } });
  await click("New API key");
  await screen.findByRole("checkbox", { name: /^See links/ });
  expect(screen.queryByRole("checkbox", { name: /^Operate this site/ })).toBeNull();
});
