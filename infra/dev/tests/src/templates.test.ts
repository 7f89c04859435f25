import { readConfig } from "@tapthru/runtime/config/configs";
import { shapeOf } from "@tapthru/runtime/config/settings";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod/mini";
import { filledIn, readText, services } from "./compose-file.ts";
import { variablesIn } from "./interpolate.ts";

const Template = z.object({
  services: z.record(
    z.string(),
    z.object({ image: z.string(), environment: z.optional(z.array(z.string())) }),
  ),
});
const DokployTemplate = z.object({
  variables: z.strictObject({ main_domain: z.string() }),
  config: z.object({
    env: z.array(z.string()),
    domains: z.array(z.object({ serviceName: z.string(), port: z.number(), host: z.string() })),
  }),
});

const OURS = ["gateway", "api", "redirect", "worker", "migrate"] as const;
const dokploy = DokployTemplate.parse(parseToml(readText("templates/dokploy/template.toml")));
const pairs = (lines: string[] = []) =>
  lines.map((line) => {
    const [name = "", ...value] = line.split("=");
    return [name, value.join("=")] as const;
  });
/** Each secret is another one, as a platform generates them. */
const secretOf = (name: string, length: string | number) =>
  name.replaceAll("_", "").padEnd(Number(length), "x");

/** The value that Coolify generates, or that its user sets. */
function coolifyValue(name: string): string | undefined {
  if (name === "SERVICE_URL_GATEWAY") return "https://go.example";
  const [isSecret, length = 32] = /^SERVICE_PASSWORD_(?:(64)_)?[A-Z]+$/.exec(name) ?? [];
  if (isSecret) return secretOf(name, length);
  return { CONTACT_EMAIL: "a@go.example", SIGNUP_MODE: "open", SMTP_URL: "", SMTP_FROM: "" }[name];
}

/** The value of template.toml. */
function dokployValue(name: string): string | undefined {
  return new Map(pairs(dokploy.config.env))
    .get(name)
    ?.replace(/\$\{main_domain\}/, "go.example")
    .replace(/\$\{email\}/, "a@go.example")
    .replace(/^\$\{password:(\d+)\}$/, (_, length) => secretOf(name, length));
}

describe.each([
  ["templates/coolify.yaml", coolifyValue],
  ["templates/dokploy/docker-compose.yml", dokployValue],
])("%s", (path, platformValue) => {
  const text = readText(path).replaceAll(/\$\{([A-Z\d_]+)\}/g, (_, name) => `\${${name}:-}`);
  const template = Template.parse(parse(text));
  const names = variablesIn(text).map(({ name }) => name);

  it("has only variables that the platform or its user sets", () => {
    expect(names.filter((name) => platformValue(name) === undefined)).toEqual([]);
  });

  it.each(OURS)("lets %s start in production, and sets nothing that it does not read", (name) => {
    const variables = Object.fromEntries(names.map((it) => [it, platformValue(it) ?? ""]));
    const set = Object.fromEntries(pairs(template.services[name]?.environment));
    const known = [...Object.keys(shapeOf(name)), "NODE_OPTIONS", "SERVICE_URL_GATEWAY_8080"];

    const env = { WEB_ROOT: "/app/web/dist", ...filledIn(set, variables) };
    expect(readConfig(name, env)).toMatchObject({ TAPTHRU_ENV: "production" });
    expect(Object.keys(set).filter((it) => !known.includes(it))).toEqual([]);
  });

  it("has the services of docker-compose.yml, with their images", () => {
    for (const [name, { image }] of Object.entries(template.services)) {
      const ours = `ghcr.io/example/tapthru/${name}:v0`;
      const expected = OURS.some((it) => it === name) ? ours : filledIn(services[name], {}).image;
      expect(image, name).toBe(expected);
    }
    expect(Object.keys(template.services)).toHaveLength(OURS.length + 3);
  });
});

it("templates/dokploy/template.toml sets what its Compose file uses, and gives the gateway the domain", () => {
  const used = new Set(readText("templates/dokploy/docker-compose.yml").match(/(?<=\$\{)\w+/g));

  expect(new Set(pairs(dokploy.config.env).map(([name]) => name))).toEqual(used);
  expect(dokploy.config.domains).toEqual([
    { serviceName: "gateway", port: 8080, host: expect.stringMatching(/^\$\{main_domain\}$/) },
  ]);
});
