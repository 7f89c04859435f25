import { expect, test, vi } from "vitest";
import { useFakeClock } from "../../testing/fake-timers.ts";
import { generatedLink } from "../../testing/generate-server.ts";
import { PENDING_LINK_KEY, readPendingLinks, readRecentLinks, removeStoredLink, storeLink } from "./stored-links.ts";

const link = generatedLink();
const other = generatedLink({ shortCode: "hijkmnp" });
const pendingLink = () => JSON.parse(sessionStorage.getItem(PENDING_LINK_KEY) ?? "null");

test("stores the last link of the tab as a plain object, with the path to return to", () => {
  for (const each of [link, other]) storeLink(each);
  expect(pendingLink()).toEqual({ ...other, returnPath: "/dashboard" });
});

test("reads each stored link once, the newest first", () => {
  for (const each of [link, other, { ...link, title: "Its title" }]) storeLink(each);
  expect(readPendingLinks()).toMatchObject([{ ...link, title: "Its title" }, other]);
});

test("reads the last link of the tab also if it is not in the list", () => {
  storeLink(link);
  localStorage.clear();
  expect(readPendingLinks()).toEqual([link]);
});

test("removes links", () => {
  for (const each of [link, other]) storeLink(each);
  removeStoredLink(other.shortCode);
  expect(readPendingLinks()).toMatchObject([link]);
  removeStoredLink(link.shortCode);
  expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);
});

test("a link expires seven days after it was first stored", async () => {
  useFakeClock();
  const start = Date.now();
  storeLink(link);
  vi.setSystemTime(start + 60_000);
  storeLink(link);
  expect(readRecentLinks()).toEqual([{ ...link, expiresAt: new Date(start + 7 * 86_400_000).toISOString() }]);
  vi.setSystemTime(start + 7 * 86_400_000);
  expect(readRecentLinks()).toEqual([]);
});

test.each(["", "{", "null", "[]", '{"shortCode":7}'])("reads %j as no link", (stored) => {
  sessionStorage.setItem(PENDING_LINK_KEY, stored);
  localStorage.setItem("recent_links", stored);
  expect(readPendingLinks()).toEqual([]);
});
