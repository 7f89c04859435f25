import { PENDING_LINK_KEY } from "@tapthru/proto/rules/limits";
import { expect, test } from "vitest";
import { generatedLink } from "../../testing/generate-server.ts";
import { addPendingLink, readPendingLinks, removePendingLink } from "./stored-pending-links.ts";

const link = generatedLink();
const other = generatedLink({ shortCode: "hijkmnp" });

test("stores one link as a plain object", () => {
  addPendingLink(link);
  expect(JSON.parse(sessionStorage.getItem(PENDING_LINK_KEY) ?? "")).toEqual({
    ...link,
    returnPath: "/dashboard",
  });
});

test("reads each stored link once, the newest first", () => {
  for (const each of [link, other, { ...link, title: "Its title" }]) addPendingLink(each);
  expect(readPendingLinks()).toEqual([{ ...link, title: "Its title" }, other]);
});

test("removes links", () => {
  for (const each of [link, other]) addPendingLink(each);
  removePendingLink(other);
  expect(readPendingLinks()).toEqual([link]);
  removePendingLink(link);
  expect(sessionStorage.getItem(PENDING_LINK_KEY)).toBeNull();
});

test.each(["", "{", "null", "[]", '{"shortCode":7}'])("reads %j as no link", (stored) => {
  sessionStorage.setItem(PENDING_LINK_KEY, stored);
  expect(readPendingLinks()).toEqual([]);
});
