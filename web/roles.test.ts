import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Call, ROLES, roleOf } from "@tapthru/proto/call";
import { CALLS } from "@tapthru/proto/calls";
import { describe, expect, test } from "vitest";

const SRC = join(import.meta.dirname, "src");
const FILES = Object.fromEntries(
  globSync("**/*.{ts,tsx}", { cwd: SRC, exclude: ["**/*.test.*", "testing/**", "**/testing/**"] }).map((path) => [
    path,
    readFileSync(join(SRC, path), "utf8").replaceAll(/\/\*\*.*?\*\/|refreshAfter\(.*?\)/gs, ""),
  ]),
);

const roles = new Map(Object.values(CALLS).map((call: Call) => [`${call.method} ${call.path}`, roleOf(call)]));
/** The calls that some members of an account may not make. */
const RESTRICTED = [...roles].flatMap(([name, role]) => (role !== null && role !== ROLES[0] ? [name] : []));

/** Calls that a control sends beside another one with the same role, which its guard names. */
const SENT_WITH: Record<string, string> = {
  "POST /api/generate": "POST /api/links",
  "PUT /api/onelink-stores": "PUT /api/channels/:id/tags",
  "DELETE /api/channels/:id/tags/:marketplace": "PUT /api/channels/:id/tags",
  "PUT /api/links/bulk/channel": "PUT /api/channels/:id/tags",
  "GET /api/webhooks/:id/deliveries": "GET /api/webhooks",
  "POST /api/links/bulk/restore": "DELETE /api/links/bulk",
  "DELETE /api/labels/:id": "PATCH /api/labels/:id",
};

/** Sent without a control. */
const WITHOUT_CONTROL: Record<string, string> = {
  "features/session PATCH /api/links/:shortCode": "a login adds the links of a guest to their own account",
};

/** Components and functions that show nothing to users whose role does not allow the call. */
const GUARDS = ["May", "FormButton", "DialogButton", "Items", "Imports", "useMay", "useRefusal"];
const GUARDED = ["Action", ...GUARDS];

/** Where a call is named, and by what: the component or the function. */
function usesOf(text: string, call: string): string[] {
  return text
    .split(`"${call}"`)
    .slice(0, -1)
    .map((before) => {
      if (before.endsWith("call=")) return before.match(/.*<([A-Z]\w+)/s)?.[1] ?? "";
      return before.match(/(\w+)\(\s*$/)?.[1] ?? "";
    })
    .filter((_, at) => !text.split(`"${call}"`)[at + 1]?.startsWith(":"));
}

/** The calls that a feature sends without a guard in the same feature, so that a control is shown to whom the api refuses it. */
function unguarded(files: Record<string, string>): string[] {
  const features = Map.groupBy(Object.keys(files), (path) => path.split("/").slice(0, 2).join("/"));
  return [...features].flatMap(([feature, paths]) =>
    RESTRICTED.filter((call) => {
      const uses = (name: string) => paths.flatMap((path) => usesOf(files[path] ?? "", name));
      const isSent = uses(call).some((by) => !GUARDED.includes(by));
      const isGuarded = [call, SENT_WITH[call] ?? call].some((name) => uses(name).some((by) => GUARDS.includes(by)));
      return isSent && !isGuarded && !(`${feature} ${call}` in WITHOUT_CONTROL);
    }).map((call) => `${feature} ${call}`),
  );
}

test("a control whose call a role does not allow is guarded", () => {
  expect(unguarded(FILES)).toEqual([]);
});

test("each call that a role does not allow is one that the pages guard, or do not send", () => {
  const all = Object.values(FILES).join("\n");
  const guarded = RESTRICTED.filter((call) => usesOf(all, call).some((by) => GUARDED.includes(by)));
  expect(guarded.length).toBeGreaterThan(40);
});

describe("a control without a guard is found", () => {
  test.each([
    ["a call by hand", 'callApi("DELETE /api/links/:id", {})'],
    ["a hook", 'useCall("DELETE /api/links/:id", {})'],
    ["a form", '<CallForm call="DELETE /api/links/:id" />'],
    ["one of two calls", 'callApi(isOne ? "DELETE /api/links/:id" : "DELETE /api/links/bulk", {})'],
  ])("%s", (_, text) => {
    expect(unguarded({ ...FILES, "features/planted/planted.tsx": text })).toContain(
      "features/planted DELETE /api/links/:id",
    );
  });

  test.each(["<Action", "<May"])("not one with %s", (tag) => {
    const text = `${tag} call="DELETE /api/links/:id" />`;
    expect(unguarded({ ...FILES, "features/planted/planted.tsx": text })).toEqual([]);
  });
});

test("a call that is sent beside another one needs the same role", () => {
  for (const [call, other] of Object.entries(SENT_WITH)) expect(roles.get(call)).toBe(roles.get(other));
});

test("a changing call is named where it is sent", () => {
  const sent = Object.entries(FILES).flatMap(([path, text]) =>
    [...text.matchAll(/callApi(?:ForReply)?\(\s*(?!"|`GET |hasFields \? "|name,)(.{0,30})/g)].map(
      ([found]) => `${path}: ${found}`,
    ),
  );
  expect(sent).toEqual([]);
});
