import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { createQueryClient } from "../../lib/http/query-client.ts";
import { server } from "../../testing/server.ts";
import { VersionLabel, versionQuery } from "./version-label.tsx";

function renderLabel() {
  const queryClient = createQueryClient();
  const { container } = render(
    <QueryClientProvider client={queryClient}>
      <VersionLabel />
    </QueryClientProvider>,
  );
  return { queryClient, container };
}

// Specification 2.21
test("shows the trimmed version", async () => {
  renderLabel();
  expect(await screen.findByText("Version 3f9c2a1b")).toBeTruthy();
});

const HTML = "<!doctype html><title>Tapthru</title>";

test.each([
  ["of another content type", HttpResponse.html(HTML)],
  ["of JSON", HttpResponse.json("3f9c2a1b")],
  ["that is empty", HttpResponse.text(" \n")],
  ["that looks like HTML", HttpResponse.text(HTML)],
  ["that is not OK", HttpResponse.text("Not found.", { status: 404 })],
])("shows nothing for a reply %s", async (_case, reply) => {
  server.use(http.get("/version.txt", () => reply));
  const { queryClient, container } = renderLabel();
  await expect.poll(() => queryClient.getQueryState(versionQuery.queryKey)?.status).toBe("error");
  expect(container.textContent).toBe("");
});
