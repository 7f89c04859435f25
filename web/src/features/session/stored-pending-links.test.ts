import { PENDING_LINK_KEY } from "@tapthru/proto/rules/limits";
import { expect, test } from "vitest";
import { savePendingLinks } from "../../lib/pending-link.ts";
import { generatedLink } from "../../testing/generate-server.ts";
import { readPendingLinks } from "./stored-pending-links.ts";

const returnPath = "/dashboard";
const link = generatedLink();
const other = generatedLink({ shortCode: "hijkmnp" });

test("stores one link as a plain object", () => {
  savePendingLinks([link], returnPath);
  expect(JSON.parse(sessionStorage.getItem(PENDING_LINK_KEY) ?? "")).toEqual({
    ...link,
    returnPath,
  });
});

test.each([[[link]], [[link, other]]])("reads the stored links", (links) => {
  savePendingLinks(links, returnPath);
  expect(readPendingLinks()).toEqual({ links, returnPath });
});

test("keeps the stored link if there is no new one", () => {
  savePendingLinks([link], returnPath);
  savePendingLinks([], returnPath);
  expect(readPendingLinks()?.links).toEqual([link]);
});

test.each(["", "{", "null", "[]", '{"shortCode":7}'])("reads %j as no link", (stored) => {
  sessionStorage.setItem(PENDING_LINK_KEY, stored);
  expect(readPendingLinks()).toBeNull();
});
