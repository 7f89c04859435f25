import * as shlink from "@tapthru/proto/shlink";
import { beforeEach, describe, expect, it } from "vitest";
import type * as z from "zod/mini";
import { DOCUMENTED_CALLS, type ExampleCall, sendExample } from "./testing/documented-calls.ts";
import { prepareCalls } from "./testing/prepared-calls.ts";
import { addKey } from "./testing/test-keys.ts";
import { product } from "./testing/test-links.ts";
import { makeOperator } from "./testing/test-operator.ts";
import { signUpUser } from "./testing/test-user.ts";
import { startOwnAmazon, startWorld } from "./testing/world.ts";

const amazon = await startOwnAmazon();
const { api } = await startWorld({ TLS: "on", EGRESS_STAND_IN_URL: amazon.url });
// A user has 20 keys at most.
beforeEach(() => api.query("TRUNCATE api_keys"));

const NUMBERS = [
  -1,
  -0,
  0,
  0.1,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  999_999_999,
  2 ** 53 - 1,
  2 ** 53,
  1e308,
  -1e308,
];
const DATES = [
  "0000-01-01",
  "0001-01-01",
  "9999-12-31",
  "+010000-01-01",
  "-000001-01-01",
  "2026-02-30",
  "2028-02-29",
  "0000-12-31T23:59:59Z",
  "0001-01-01T00:00:00+23:59",
  "9999-12-31T23:59:59Z",
  "9999-12-31T23:59:59-23:59",
  "9999-12-30T23:59:59.999999999Z",
  "+010000-01-01T00:00:00Z",
  "2026-12-31T23:59:60Z",
  "2026-11-28T24:00:00Z",
  "2030-01-01T00:00:00.123456+05:30",
];

interface Field {
  path: readonly (string | number)[];
  values: readonly unknown[];
  /** How many steps of the path lead to a value that another alternative of a union replaces. */
  replaced?: number;
}

function fieldsOf(schema: z.core.$ZodType, path: Field["path"] = []): Field[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "object")
    return Object.entries(def.shape).flatMap(([name, field]) => fieldsOf(field, [...path, name]));
  if (def.type === "array") return fieldsOf(def.element, [...path, 0]);
  if (def.type === "pipe") return [...fieldsOf(def.in, path), ...fieldsOf(def.out, path)];
  if (def.type === "union")
    return def.options
      .flatMap((option) => fieldsOf(option, path))
      .map((field) => ({ replaced: path.length, ...field }));
  if ("innerType" in def) return fieldsOf(def.innerType, path);
  if (def.type === "number") return [{ path, values: NUMBERS }];
  const isDate = def.type === "string" && "format" in def && /^date/.test(String(def.format));
  return isDate ? [{ path, values: DATES }] : [];
}

function withField(example: unknown, { path, replaced = -1 }: Field, value: unknown, at = 0): unknown {
  const [step] = path.slice(at);
  if (step === undefined) return value;
  const current = at === replaced ? undefined : Object(example);
  const inner = withField(current?.[step], { path, values: [], replaced }, value, at + 1);
  return typeof step === "number" ? [inner] : { ...current, [step]: inner };
}

const namesOf = (schema: z.core.$ZodType | undefined): string[] => {
  const def = schema && (schema as z.core.$ZodTypes)._zod.def;
  return def?.type === "object" ? Object.keys(def.shape) : [];
};

function* requestsOf({ params, query, body, example }: ExampleCall) {
  const texts = [...NUMBERS, ...DATES].map(String);
  for (const [part, schema] of Object.entries({ params, query }))
    for (const name of namesOf(schema))
      for (const text of texts) yield { ...example, [part]: { ...Object(example[part as "query"]), [name]: text } };
  for (const field of body === undefined ? [] : fieldsOf(body))
    for (const value of field.values) yield { ...example, body: withField(example.body, field, value) };
}

const { prepare } = prepareCalls(api);
/** Without documentation: their examples are here. */
const SHLINK_CALLS = Object.entries(shlink).flatMap(([name, value]) => {
  if (typeof value !== "object" || !("path" in value)) return [];
  const example = { params: { shortCode: "x" }, ...("body" in value && { body: { longUrl: product } }), replies: {} };
  return [{ name, call: { ...value, example } as unknown as ExampleCall }];
});

describe.each([...DOCUMENTED_CALLS, ...SHLINK_CALLS])("$name", (documented) => {
  it("no number or date causes an internal error", async () => {
    const user = await signUpUser(api);
    await makeOperator(api, user);
    const isShlink = documented.call.path.startsWith(shlink.SHLINK_PATH);
    const { call, params, headers } = await prepare(documented as (typeof DOCUMENTED_CALLS)[number], user);
    const caller = isShlink ? (await addKey(api, user)).script : { ...user.browser, ...headers };
    const example = { ...call.example, params: { ...Object(call.example.params), ...params } };
    for (const request of requestsOf({ ...call, example })) {
      const response = await sendExample(api, { call: { ...call, example: request } }, caller);
      expect([request, response.status < 500]).toEqual([request, true]);
    }
  });
});
