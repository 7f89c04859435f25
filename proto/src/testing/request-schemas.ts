import * as z from "zod/mini";
import { CALLS } from "../calls.ts";
import * as identityCalls from "../identity.ts";
import type { Target } from "./hostile-texts/find-endless.ts";

export const targets: Iterable<Target> = everyTarget();

function* everyTarget(): Generator<Target> {
  const seen = new Set<unknown>();
  for (const [name, call] of Object.entries<unknown>({ ...CALLS, ...identityCalls })) {
    for (const schema of schemasIn(call, seen)) {
      yield [name, (text) => z.safeParse(schema, inputOf(schema, text))];
    }
  }
}

function* schemasIn(value: unknown, seen: Set<unknown>): Generator<z.core.$ZodType> {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  const isSchema = value instanceof z.core.$ZodType;
  if (isSchema) yield value;
  const {
    checks: _checks,
    replies: _replies,
    ...parts
  }: Record<string, unknown> = {
    ...(isSchema ? value._zod.def : value),
  };
  for (const part of Object.values(parts)) yield* schemasIn(part, seen);
}

function inputOf(schema: z.core.$ZodType, text: string): unknown {
  if (!(schema instanceof z.ZodMiniObject)) return text;
  return Object.fromEntries(Object.keys(schema.shape).map((field) => [field, text]));
}
