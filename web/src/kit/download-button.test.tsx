import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse } from "msw";
import { expect, test, vi } from "vitest";
import { Toaster } from "../components/ui/toaster.tsx";
import { dayOf } from "../lib/dates.ts";
import { createQueryClient } from "../lib/http/query-client.ts";
import { catchFiles } from "../testing/catch-files.ts";
import { failure, serve } from "../testing/serve.ts";
import { findToast } from "../testing/toast.ts";
import { DownloadButton } from "./download-button.tsx";

function renderButton() {
  const file = { path: "/api/links/:code/clicks", params: { code: "küche" }, query: { by: "day" }, name: "clicks" };
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Toaster>
        <DownloadButton file={() => file} />
      </Toaster>
    </QueryClientProvider>,
  );
  return screen.getByRole("button", { name: "Download CSV" });
}

test("CSV is saved with a byte order mark, and the local day in its name", async () => {
  const files = catchFiles();
  const headers = { "Content-Type": "text/csv; charset=utf-8" };
  const urls = serve("GET /api/links/:code/clicks", () => new HttpResponse("\uFEFFname\r\nKüche\r\n", { headers }));
  await userEvent.click(renderButton());
  await waitFor(() => expect(files).toHaveLength(1));
  expect(files[0]?.name).toBe(`clicks-${dayOf(new Date())}.csv`);
  const bytes = new Uint8Array((await files[0]?.file.arrayBuffer()) ?? []);
  expect(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)).toBe("\uFEFFname\r\nKüche\r\n");
  expect(urls).toEqual(["?by=day"]);
});

test("CSV has semicolons where the browser's numbers have decimal commas", async () => {
  const files = catchFiles();
  vi.spyOn(Number.prototype, "toLocaleString").mockReturnValue("0,5");
  const urls = serve("GET /api/links/:code/clicks", () => new HttpResponse("name\r\n"));
  await userEvent.click(renderButton());
  await waitFor(() => expect(files).toHaveLength(1));
  expect(urls).toEqual(["?by=day&separator=%3B"]);
});

test("shows a failure, and saves no file", async () => {
  const files = catchFiles();
  serve("GET /api/links/:code/clicks", () => failure());
  await userEvent.click(renderButton());
  expect(await findToast("Error")).toBe("ErrorThe file could not be downloaded. Please try again.");
  expect(files).toEqual([]);
});
