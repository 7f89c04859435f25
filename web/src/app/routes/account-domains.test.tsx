import { ACCOUNT_HEADER } from "@tapthru/proto/account-header";
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse } from "msw";
import { describe, expect, test } from "vitest";
import { catchFiles } from "../../testing/catch-files.ts";
import { answer, click, question } from "../../testing/controls.ts";
import { domain, HOST } from "../../testing/examples.ts";
import { openAsUser } from "../../testing/open-as-user.ts";
import { serve } from "../../testing/serve.ts";

async function open(path: string, ...domains: ReturnType<typeof domain>[]) {
  serve("GET /api/domains", () => domains);
  await openAsUser(path, { changes: { hasDomains: true } });
}

describe("a domain", () => {
  test.each([
    [{ state: "waiting", checkedAt: null }, "We are looking for the record now."],
    [{ state: "waiting", problem: "no-record" }, "We find no record for this name."],
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
  ] as const)("a domain with %j says so in words", async (changes, text) => {
    await open("/account/domains", domain(changes));
    expect(await screen.findByText(text)).toBeTruthy();
  });

  test("shows the record to set and what is there only while it is not right", async () => {
    const seen = [{ type: "A", name: HOST, value: "203.0.113.7" } as const];
    const waiting = domain({ state: "waiting", problem: "wrong-record", seen });
    await open("/account/domains", waiting, domain({ id: 2, host: "b.example" }));
    const wanted = await screen.findAllByRole("region", { name: "The record to set" });
    expect(wanted.map(({ textContent }) => textContent)).toEqual([expect.stringContaining("tapthru.example")]);
    expect(screen.getByRole("region", { name: "What we see" }).textContent).toContain("203.0.113.7");
  });
});

test("HSTS is turned on after a question that names the year, and turned off at once", async () => {
  const sent = serve<{ hsts: boolean }>("PATCH /api/domains/:host", ({ body: { hsts } }) => {
    serve("GET /api/domains", () => [domain({ hsts })]);
    return domain({ hsts });
  });
  await open("/account/domains", domain());
  await userEvent.click(await screen.findByText("More settings"));
  const box = await screen.findByRole<HTMLInputElement>("checkbox", { name: /^Browsers refuse this domain/ });
  await userEvent.click(box);
  expect(
    question().getByText(`Let browsers refuse ${HOST} without https for a year? This can't be undone.`),
  ).toBeTruthy();
  await answer("Cancel");
  expect([box.checked, sent]).toEqual([false, []]);
  await userEvent.click(box);
  await answer("Turn on HSTS");
  await waitFor(() => expect([box.checked, screen.queryByRole("alertdialog")]).toEqual([true, null]));
  await userEvent.click(box);
  await waitFor(() => expect(sent).toEqual([{ hsts: true }, { hsts: false }]));
});

test("a member saves a file of the links of the account's domain under the name of the reply", async () => {
  serve("GET /api/memberships", () => [{ id: 42, username: "carla", role: "editor" }]);
  const requests: (string | null)[] = [];
  const files = catchFiles();
  serve("GET /api/export", ({ headers, search }) => {
    requests.push(headers.get(ACCOUNT_HEADER), search);
    return new HttpResponse("/", { headers: { "Content-Disposition": 'attachment; filename="_redirects"' } });
  });
  await open("/a/42/account/domains", domain());
  await userEvent.click(await screen.findByText("If this service ends"));
  await click("Download _redirects");
  await waitFor(() => expect(files.map(({ name }) => name)).toEqual(["_redirects"]));
  expect(requests).toEqual(["42", `?format=redirects&domain=${HOST}`]);
});

test("the page does not exist where there are no own domains", async () => {
  await openAsUser("/account/domains");
  expect(await screen.findByRole("heading", { name: "404 Page Not Found" })).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Domains" })).toBeNull();
});
