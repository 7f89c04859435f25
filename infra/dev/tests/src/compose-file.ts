import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CONTAINERS } from "@tapthru/stack/settings-files";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { parse } from "yaml";
import { interpolate } from "./interpolate.ts";

type Container = (typeof CONTAINERS)[number];

export const readText = (path: string) => readFileSync(join(CHECKOUT, path), "utf8");

export const compose = readText("docker-compose.yml");
export const settings = readText("infra/compose/settings.yml");
export const { services } = parse(compose, { merge: true, maxAliasCount: -1 });

/** The environment of a service's container for these Compose variables. */
export function environmentOf(service: Container, variables: Record<string, string> = {}): Record<string, string> {
  const { environment } = services[service];
  return {
    WEB_ROOT: "/app/web/dist",
    ...filledIn({ ...parse(settings).services[service].environment, ...environment }, variables),
  };
}

/** The values with Compose's variables replaced. */
function filledIn(values: object, variables: Record<string, string>) {
  const filled = Object.entries(values).map(([name, value]) => [name, interpolate(String(value), variables)]);
  return Object.fromEntries(filled) as Record<string, string>;
}
