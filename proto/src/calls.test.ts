import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { type DocumentedCall, TAGS } from "./call.ts";
import { CALLS, type CallName } from "./calls.ts";
import { ERRORS } from "./errors.ts";
import { exampleOf } from "./examples.ts";

const NAMES = Object.keys(CALLS) as CallName[];

describe.each(NAMES)("the documentation of %s", (name) => {
  const call: DocumentedCall = CALLS[name];
  const { requestHeaders = {}, summary, errors = [] } = call;
  const example = exampleOf(call);

  it("has an example of a valid request", () => {
    for (const part of ["params", "query", "body"] as const) {
      const schema = call[part];
      if (schema === undefined) expect(example[part]).toBeUndefined();
      else expect(z.safeParse(schema, example[part]).error).toBeUndefined();
    }
    for (const { schema, example: header } of Object.values(requestHeaders)) {
      expect(z.safeParse(schema, header).error).toBeUndefined();
    }
  });

  it("offers the separators of spreadsheets for CSV", () => {
    const query = Object(call.query)._zod?.def.shape ?? {};
    expect("separator" in query).toBe("text/csv" in (call.otherTypes ?? {}));
  });

  it("has an example of each reply, without unknown fields", () => {
    for (const [status, schema] of Object.entries(call.replies)) {
      expect(z.parse(schema, example.replies[status])).toEqual(example.replies[status]);
    }
  });

  it("has a summary in one form, and each error once", () => {
    expect(summary).toMatch(/^[A-Z][^.]{5,60}$/);
    expect(errors).toEqual([...new Set(errors)]);
  });
});

it("uses each tag", () => {
  const used = new Set(Object.values(CALLS).map(({ tag }) => tag));
  expect([...used].sort()).toEqual(Object.keys(TAGS).sort());
});

it("has each error code of a release, with the same status", () => {
  const released = readFileSync(new URL("testing/error-codes.txt", import.meta.url), "utf8");
  const codes = Object.entries(ERRORS).map(([code, { status }]) => `${code} ${status}`);
  expect(codes).toEqual(expect.arrayContaining(released.trimEnd().split("\n")));
});

/** How what these delete comes back. */
const COMES_BACK: Partial<Record<string, string>> = {
  "/api/sessions": "by a login",
  "/api/sessions/:id": "by a login",
  "/api/operator/users/:id/sessions": "by a login",
  "/api/links/:id": "by the call that restores it, for a day",
  "/api/links/bulk": "by the call that restores them, for a day",
  "/api/channels/:id/tags/:marketplace": "by saving the tag",
  "/api/stores/:marketplace": "by saving the tag",
  "/api/earnings/imports/:id": "by importing the file",
  "/api/amazon-ads/connection": "by connecting again",
};

it("marks each deletion as final, unless what it deletes comes back", () => {
  const deletions = Object.values(CALLS as Record<string, DocumentedCall>).filter(({ method }) => method === "DELETE");
  const unmarked = deletions.filter(({ isFinal }) => isFinal !== true).map(({ path }) => path);
  expect(unmarked.sort()).toEqual(Object.keys(COMES_BACK).sort());
});
