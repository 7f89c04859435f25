import { HttpResponse, http } from "msw";
import { expect, test, vi } from "vitest";
import { server } from "../testing/server.ts";
import { importOnline } from "./import-online.ts";

test("loads a module once", async () => {
  const load = vi.fn(async () => "module");
  const loadOnline = importOnline(load);
  expect(await Promise.all([loadOnline(), loadOnline()])).toEqual(["module", "module"]);
  expect(await loadOnline()).toBe("module");
  expect(load).toHaveBeenCalledOnce();
});

test("imports nothing while offline, and the next call retries", async () => {
  const load = vi.fn(async () => "module");
  const loadOnline = importOnline(load);
  server.use(http.head("/version.txt", () => HttpResponse.error(), { once: true }));
  await expect(loadOnline()).rejects.toThrow("Network error");
  expect(load).not.toHaveBeenCalled();
  expect(await loadOnline()).toBe("module");
});
