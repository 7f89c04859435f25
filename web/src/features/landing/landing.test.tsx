import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { serveAccounts } from "../../testing/accounts-server.ts";
import { fakeIdentityProvider, identityFor } from "../../testing/fake-identity-provider.ts";
import { fakeIntersections } from "../../testing/fake-intersections.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { server } from "../../testing/server.ts";

function serveRows(apps: string[]) {
  const rows = apps.map((app) => ({
    row: `${app}-ios`,
    app,
    os: "ios",
    tried: 100,
    opened: 97,
  }));
  server.use(http.get("/api/status/app-opening", () => HttpResponse.json({ since: "2026-10-24", rows })));
}

const section = () => screen.findByRole("region", { name: "How it works" });

test("shows the open rates of the three apps with the most reports once they are in view", async () => {
  serveRows(["instagram", "tiktok", "facebook", "youtube"]);
  const { intersect } = fakeIntersections();
  await renderApp();
  expect(within(await section()).queryByRole("definition")).toBeNull();
  act(intersect);
  await waitFor(() => expect(screen.getAllByRole("definition")).toHaveLength(3));
  expect(screen.getAllByRole("term").map(({ textContent }) => textContent)).toEqual([
    "Instagram on iPhone",
    "TikTok on iPhone",
    "Facebook on iPhone",
  ]);
  expect(screen.getAllByRole("definition")[0]?.textContent).toBe("97%");
});

test("users see how it works, without the questions of guests", async () => {
  serveAccounts("anna@example.com");
  await renderApp("/", { identity: fakeIdentityProvider(identityFor("anna@example.com")) });
  await section();
  expect(screen.queryByRole("heading", { name: "Questions" })).toBeNull();
});
