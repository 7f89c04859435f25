import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, test } from "vitest";
import { apiKey } from "../../testing/api-key.ts";
import { answer, click, question } from "../../testing/controls.ts";
import { domain, HOST } from "../../testing/domains.ts";
import { openAsUser } from "../../testing/open-as-user.ts";
import { linkPattern } from "../../testing/patterns.ts";
import { failure, serve } from "../../testing/serve.ts";
import { findToast } from "../../testing/toast.ts";
import { SECRET, webhook } from "../../testing/webhooks.ts";

const KEY = `tt_abcd${"x".repeat(32)}`;
const INVITATION = {
  id: 7,
  email: "guest@example.com",
  createdAt: "2026-11-20T12:00:00.000Z",
  expiresAt: "2026-11-27T12:00:00.000Z",
};
const INVITATION_LINK = "https://tapthru.example/signup?invitation=a-token-of-20-letters";

/** Everything but the forms of a single list. What they share is a fact of the kit. */
const LISTS = [
  {
    name: "API key",
    page: "/account/developers",
    calls: ["GET /api/keys", "POST /api/keys", "DELETE /api/keys/:id"],
    empty: "You have no API keys.",
    add: "New API key",
    field: "Name of the key",
    text: " Nightly script ",
    checkbox: /^See clicks/,
    sent: { name: "Nightly script", scopes: ["links:read", "clicks:read"], expiresAt: null },
    item: apiKey(),
    secret: { key: KEY },
    saved: "I have saved the key",
    listed: /^Nightly script$/,
    remove: "Revoke Nightly script",
    asked: 'Revoke "Nightly script"?',
    done: "The API key was revoked.",
  },
  {
    name: "webhook",
    page: "/account/developers",
    calls: ["GET /api/webhooks", "POST /api/webhooks", "DELETE /api/webhooks/:id"],
    empty: "You have no webhooks.",
    add: "New webhook",
    field: "Address",
    text: ` ${webhook().url}`,
    checkbox: /^Link changed/,
    sent: {
      url: webhook().url,
      events: [
        "link.created",
        "link.deleted",
        "link.unhealthy",
        "import.finished",
        "domain.failing",
        "channel.failing",
        "clicks.unusual",
        "earnings.falling",
        "limit.reached",
      ],
    },
    item: webhook(),
    secret: { secret: SECRET },
    saved: "I have saved the secret",
    listed: /^https:\/\/hooks.example\/in/,
    remove: `Delete ${webhook().url}`,
    asked: /^Delete/,
    done: "The webhook was deleted.",
  },
  {
    name: "link pattern",
    page: "/account/developers",
    calls: ["GET /api/patterns", "POST /api/patterns", "DELETE /api/patterns/:id"],
    empty: "You have no link patterns.",
    add: "New link pattern",
    field: "Name of the pattern",
    text: " Camping blog ",
    sent: { name: "Camping blog" },
    item: linkPattern(),
    created: "The link pattern was created. Copy its address from the list.",
    listed: /^Camping blog$/,
    remove: "Revoke Camping blog",
    asked:
      /^Links on your site that begin with this address stop working, and so do Amazon links on pages with its script\. The short links that it created stay\.$/,
    done: "The link pattern was revoked.",
    removed: { id: linkPattern().id },
  },
  {
    name: "domain",
    page: "/account/domains",
    calls: ["GET /api/domains", "POST /api/domains", "DELETE /api/domains/:host"],
    empty: "You have no domains.",
    add: "Add domain",
    field: "Domain",
    text: HOST,
    sent: { host: HOST },
    item: domain(),
    listed: /^go.anna.example/,
    remove: `Remove ${HOST}`,
    asked: /^2 links end at go.anna.example.*under tapthru.example/,
    done: "The domain was removed.",
    removed: { movedLinks: 2 },
  },
  {
    name: "invitation",
    page: "/operator/sign-up",
    user: { isOperator: true },
    calls: ["GET /api/operator/invitations", "POST /api/operator/invitations", "DELETE /api/operator/invitations/:id"],
    empty: "There are no open invitations.",
    add: "Invite a user",
    field: "Email (optional)",
    text: "guest@example.com",
    sent: { email: "guest@example.com" },
    item: INVITATION,
    secret: { url: INVITATION_LINK, isSent: true },
    saved: "Done",
    created: "We sent it to guest@example.com. You can also pass it on yourself. It is not shown again.",
    listed: "guest@example.com",
    remove: "Delete guest@example.com",
    asked: /^Delete/,
    done: "The invitation has been deleted.",
  },
] as const;
type Call = Parameters<typeof serve>[0];

describe.each(LISTS)("the list of each $name", (list) => {
  const [listCall, createCall, deleteCall] = list.calls;
  const { isOperator } = { isOperator: false, ...("user" in list && list.user) };
  const open = () => openAsUser(list.page, { user: { isOperator }, changes: { hasDomains: true } });

  function serveList(items: object[]) {
    serve("GET /api/operator/login", () => failure(403));
    let served = items;
    serve(listCall, () => served);
    const created = serve(createCall as Call, () => {
      served = [list.item];
      return { ...list.item, ...("secret" in list && list.secret) };
    });
    const deleted = serve(deleteCall as Call, () => {
      served = [];
      return "removed" in list ? list.removed : {};
    });
    return { created, deleted };
  }

  test("gets one by a form, and shows what is shown once", async () => {
    const { created } = serveList([]);
    await open();
    await screen.findByText(list.empty);
    await click(list.add);
    if ("checkbox" in list) await userEvent.click(screen.getByRole("checkbox", { name: list.checkbox }));
    await userEvent.type(screen.getByLabelText(list.field), `${list.text}{Enter}`);
    if ("created" in list) await screen.findByText(list.created);
    if ("secret" in list) {
      const [secret = ""] = Object.values<unknown>(list.secret);
      await screen.findByText(String(secret));
      await click(list.saved);
      expect(screen.queryByText(String(secret))).toBeNull();
    }
    expect(await screen.findByRole("heading", { level: 3, name: list.listed })).toBeTruthy();
    await waitFor(() => expect(document.activeElement?.textContent).toBe(list.add));
    expect(created).toEqual([list.sent]);
  });

  test("loses one after a question", async () => {
    const { deleted } = serveList([list.item]);
    await open();
    await click(list.remove);
    expect(question().getAllByText(list.asked)[0]).toBeTruthy();
    await answer(list.remove.split(" ")[0] ?? "");
    await findToast(list.done);
    expect(await screen.findByText(list.empty)).toBeTruthy();
    expect(deleted).toHaveLength(1);
  });
});
