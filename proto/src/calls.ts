import type { Call } from "./call.ts";
import * as modules from "./modules.ts";

export type CallsOf<Module> = {
  [Name in keyof Module as Module[Name] extends Call ? Name : never]: Module[Name];
};

const isCall = ([, value]: [string, unknown]) => typeof value === "object" && value !== null && "replies" in value;

export const CALLS = Object.fromEntries(Object.entries(modules).filter(isCall)) as CallsOf<typeof modules>;

export type CallName = keyof typeof CALLS;
