import { readConfig } from "@tapthru/core/platform/config/configs";
import { shapeOf } from "@tapthru/core/platform/config/settings";
import { CONTAINERS } from "@tapthru/stack/settings-files";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { describe, expect, it } from "vitest";
import { EXAMPLES, type Example, find, type Manifest, podsOf, readSecretExamples, render } from "./chart.ts";

const KEY = "9f2c6d".repeat(6);
const SECRETS = readSecretExamples();

const CASES = EXAMPLES.flatMap((example) =>
  CONTAINERS.filter((service) => service !== "certificates" || example === "tls").map((service) => ({
    example,
    service,
  })),
);

/** The container's environment: its secrets, those of the examples filled in, then its own variables. */
function environmentOf(manifests: Manifest[], service: string): Record<string, string> {
  const pods = podsOf(manifests).map(([, pod]) => pod);
  const { env = [], envFrom = [] } =
    pods.flatMap(({ containers }) => containers).find(({ name }) => name === service) ?? {};
  const secrets = envFrom.map(({ secretRef: { name } }) => {
    const { stringData = {} } = find(manifests, "Secret", name) ?? find(SECRETS, "Secret", name) ?? {};
    return Object.fromEntries(Object.entries(stringData).map(([key, value]) => [key, filledIn(value)]));
  });
  const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  return Object.assign({ WEB_ROOT: "/app/web/dist" }, ...secrets, own);
}

/** Fills in the example as an operator does. */
function filledIn(value: string): string {
  return value.replace("PASSWORD", KEY).replace(/.*-OF-YOUR-OWN$/, KEY);
}

skipWithout("helm");

describe("the settings", () => {
  it.each(CASES)("of $example, with its secrets, let $service start", ({ example, service }) => {
    const env = environmentOf(render(example), service);
    // The path exists only inside the container.
    if (env.GOOGLE_APPLICATION_CREDENTIALS) env.GOOGLE_APPLICATION_CREDENTIALS = "/";

    expect(readConfig(service, env).TAPTHRU_ENV).toBe(example === "local" ? "demo" : "production");
  });

  it.each(CASES)("of $example contain only settings that $service reads", ({ example, service }) => {
    const ofAll = ["PUBLIC_BASE_URL", "PRODUCT_NAME", "CONTACT_EMAIL"];
    const known = [...Object.keys(shapeOf(service)), ...ofAll, "NODE_OPTIONS", "WEB_ROOT"];
    const given = Object.keys(environmentOf(render(example), service));

    expect(given.filter((name) => !known.includes(name))).toEqual([]);
  });

  it("trust no proxy in front of a gateway that serves https, unless it is named", () => {
    const proxies = (example: Example, ...values: string[]) =>
      readConfig("gateway", environmentOf(render(example, ...values), "gateway")).TRUSTED_PROXIES;

    expect(proxies("production")).toEqual(["uniquelocal"]);
    expect(proxies("tls")).toEqual([]);
    expect(proxies("tls", "gateway.env.TRUSTED_PROXIES=10.9.0.0/16")).toEqual(["10.9.0.0/16"]);
  });
});

describe("the example secrets", () => {
  it.each(["api", "redirect", "worker", "certificates", "migrate"] as const)(
    "prevent %s from starting until they are filled in",
    (service) => {
      const { stringData } = find(SECRETS, "Secret", `tapthru-${service}`) ?? {};

      expect(() => readConfig(service, { TAPTHRU_ENV: "production", ...stringData })).toThrow(
        /DATABASE_URL must not carry a well-known password/,
      );
    },
  );
});
