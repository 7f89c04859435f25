import { act, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { textsOf } from "../../testing/controls.ts";
import { fakeIntersections } from "../../testing/fake-intersections.ts";
import { openAsUser } from "../../testing/open-as-user.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { serve } from "../../testing/serve.ts";

const section = () => screen.findByRole("region", { name: "How it works" });

test("shows the open rates of the three apps with the most reports once they are in view", async () => {
  const rows = ["instagram", "tiktok", "facebook", "youtube"].map((app) => ({ row: `${app}-ios`, app, os: "ios" }));
  serve("GET /api/status/app-opening", () => ({
    since: "2026-10-24",
    rows: rows.map((row) => ({ ...row, tried: 100, opened: 97 })),
  }));
  const { intersect } = fakeIntersections();
  await renderApp();
  await screen.findByRole("heading", { name: "Questions" });
  expect(screen.queryByRole("link", { name: "How often the Amazon app opens" })).toBeNull();
  act(intersect);
  await waitFor(() => expect(screen.getAllByRole("definition")).toHaveLength(3));
  const apps = ["Instagram on iPhone", "TikTok on iPhone", "Facebook on iPhone"];
  expect(textsOf(screen.getAllByRole("term"))).toEqual(apps);
  expect(screen.getAllByRole("definition")[0]?.textContent).toBe("97%");
});

test("users see how it works, without the questions of guests", async () => {
  await openAsUser("/");
  await section();
  expect(screen.queryByRole("heading", { name: "Questions" })).toBeNull();
});
