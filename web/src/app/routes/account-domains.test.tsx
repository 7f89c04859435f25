import type { Domain } from "@tapthru/proto/domains";
import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { serveAccounts } from "../../testing/accounts-server.ts";
import { fakeIdentityProvider, identityFor } from "../../testing/fake-identity-provider.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { server } from "../../testing/server.ts";
import { findToast } from "../../testing/toast.ts";
// Imported here, so that they do not take time of the first test.
import "./dashboard.tsx";
import "./account.tsx";

const EMAIL = "anna@example.com";
const HOST = "go.anna.example";
const CNAME = { type: "CNAME", name: HOST, value: "tapthru.example" } as const;

const domain = (changes: Partial<Domain> = {}): Domain => ({
  id: 1,
  host: HOST,
  state: "works",
  problem: null,
  records: [CNAME],
  seen: [],
  checkedAt: "2026-11-20T08:00:00.000Z",
  offAt: null,
  certificateExpiresAt: "2027-02-18T08:00:00.000Z",
  isDefault: false,
  hsts: false,
  rootUrl: null,
  linkCount: 2,
  createdAt: "2026-11-20T08:00:00.000Z",
  ...changes,
});

let user: ReturnType<typeof userEvent.setup>;
let domains: Domain[];

beforeEach(() => {
  user = userEvent.setup();
  serveAccounts(EMAIL);
  domains = [domain()];
  server.use(
    http.get("/api/domains", () => HttpResponse.json(domains)),
    http.patch("/api/domains/:host", async ({ request }) => {
      domains = [domain((await request.json()) as Partial<Domain>)];
      return HttpResponse.json(domains[0]);
    }),
    http.delete("/api/domains/:host", () => {
      domains = [];
      return HttpResponse.json({ movedLinks: 2 });
    }),
  );
});

const open = (path: string, hasDomains = true) =>
  renderApp(path, {
    identity: fakeIdentityProvider(identityFor(EMAIL)),
    changes: { hasDomains },
  });
const press = async (name: string) => user.click(await screen.findByRole("button", { name }));

describe("a domain", () => {
  test.each([
    [{ state: "waiting", checkedAt: null }, "We are looking for the record now."],
    [{ state: "waiting", problem: "no-record" }, "We see no record of this name."],
    [{ state: "waiting" }, "The record is right. We are verifying that requests arrive here."],
    [
      { state: "ordering" },
      `The record of ${HOST} is right. Its certificate is being ordered, which takes about a minute.`,
    ],
    [
      { state: "ordering", problem: "caa-forbids" },
      "A CAA record of the domain does not allow our certificate authority. Please add letsencrypt.org to it, or remove it.",
    ],
    [{}, `Links open under https://${HOST}.`],
    [
      { state: "failing", problem: "wrong-record", offAt: "2026-11-27T12:00:00.000Z" },
      "Without a change the domain is turned off on Nov 27, 2026.",
    ],
    [
      { state: "off", problem: "no-record" },
      `${HOST} had a problem for a week and was turned off. Set the record and select 'Check now' to use it again.`,
    ],
  ] as const)("with %j says so in words", async (changes, text) => {
    domains = [domain(changes)];
    await open("/account/domains");
    expect(await screen.findByText(text)).toBeTruthy();
  });

  test("shows the record to set and what is there only while it is not right", async () => {
    const seen = [{ type: "A", name: HOST, value: "203.0.113.7" } as const];
    domains = [domain({ state: "waiting", problem: "wrong-record", seen }), domain({ id: 2, host: "b.example" })];
    await open("/account/domains");
    const wanted = await screen.findAllByRole("region", { name: "The record to set" });
    expect(wanted.map(({ textContent }) => textContent)).toEqual([expect.stringContaining("tapthru.example")]);
    expect(screen.getByRole("region", { name: "What we see" }).textContent).toContain("203.0.113.7");
  });

  test("is removed after a dialog that says how many links end, and where they go on opening", async () => {
    await open("/account/domains");
    await press(`Remove ${HOST}`);
    const dialog = within(screen.getByRole("alertdialog"));
    expect(dialog.getByText(/^2 links end at go.anna.example.*under tapthru.example/)).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Remove" }));
    expect(await screen.findByText("You have no domains.")).toBeTruthy();
    expect(await findToast("The domain was removed.")).toBeTruthy();
  });
});

test("the page does not exist where there are no own domains", async () => {
  await open("/account/domains", false);
  expect(await screen.findByRole("heading", { name: "404 Page Not Found" })).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Domains" })).toBeNull();
});

test("several links are moved to a domain, and those that were not are counted", async () => {
  serveLinks([shortLink({ id: 2 }), shortLink({ id: 1 })]);
  const bodies: unknown[] = [];
  server.use(
    http.put("/api/links/bulk/domain", async ({ request }) => {
      bodies.push(await request.json());
      const results = [
        { id: 2, error: "slug-taken" },
        { id: 1, error: null },
      ];
      return HttpResponse.json({ results });
    }),
  );
  await open("/dashboard");
  await press("Select");
  await press("Select all");
  await press("Domain");
  await user.selectOptions(await screen.findByLabelText("Domain"), HOST);
  await press("Move");
  expect(
    await screen.findByText("1 link was not moved: another link has the name there, or it cannot be changed."),
  ).toBeTruthy();
  expect(bodies).toEqual([{ ids: [2, 1], domain: HOST }]);
});
