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
    const ofAll = ["PUBLIC_BASE_URL", "PRODUCT_NAME", "CONTACT_EMAIL", "REDIS_QUEUE_URL"];
    const known = [...Object.keys(shapeOf(service)), ...ofAll, "NODE_OPTIONS", "WEB_ROOT"];
    const given = Object.keys(environmentOf(render(example), service));

    expect(given.filter((name) => !known.includes(name))).toEqual([]);
  });

  it("of a service replace those of all", () => {
    const manifests = render("production", "env.LOG_LEVEL=warn", "api.env.LOG_LEVEL=debug");

    expect(environmentOf(manifests, "api").LOG_LEVEL).toBe("debug");
    expect(environmentOf(manifests, "worker").LOG_LEVEL).toBe("warn");
  });

  it("trust no proxy in front of a gateway that serves https, unless it is named", () => {
    const proxies = (example: Example, ...values: string[]) =>
      readConfig("gateway", environmentOf(render(example, ...values), "gateway")).TRUSTED_PROXIES;

    expect(proxies("production")).toEqual(["uniquelocal"]);
    expect(proxies("tls")).toEqual([]);
    expect(proxies("tls", "gateway.env.TRUSTED_PROXIES=10.9.0.0/16")).toEqual(["10.9.0.0/16"]);
  });

  it("of the commands name the owner of the database, and the queue", () => {
    const config = readConfig("migrate", environmentOf(render("production"), "commands"));

    expect(config.DATABASE_URL).toContain("postgres://OWNER:");
    expect(config.REDIS_QUEUE_URL).toContain("queue.example.com");
  });

  it("name the services in the namespace and the domain of the cluster", () => {
    const manifests = render("production", "network.clusterDomain=cluster.example");

    expect(environmentOf(manifests, "gateway")).toMatchObject({
      API_ADDRESS: "api.links.svc.cluster.example:8080",
      REDIRECT_ADDRESS: "redirect.links.svc.cluster.example:8080",
    });
    expect(JSON.stringify(manifests)).not.toContain("tapthru.svc");
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

  it("are not in the manifests of production", () => {
    const manifests = render("production");

    expect(find(manifests, "Secret", "tapthru-api")).toBeUndefined();
    expect(JSON.stringify(manifests)).not.toContain("demo-only");
  });
});

describe("publicBaseUrl", () => {
  it.each([
    ["gateway", 4],
    ["ingress", 2],
  ])("is the host of all objects with ingress.kind=%s", (kind, count) => {
    const values = [`ingress.kind=${kind}`, "ingress.className=example", "publicBaseUrl=https://tap.example.org"];
    const manifests = render("production", ...values);
    const hosts = manifests.flatMap(({ spec }) => [
      ...(spec?.listeners ?? []).map(({ hostname }) => hostname),
      ...(spec?.hostnames ?? []),
      ...(Array.isArray(spec?.tls) ? spec.tls : []).flatMap(({ hosts }) => hosts),
      ...(spec?.rules ?? []).flatMap(({ host }) => host ?? []),
    ]);

    expect(hosts).toEqual(Array(count).fill("tap.example.org"));
  });

  it("is served over https only", () => {
    const manifests = render("production");

    expect(find(manifests, "Gateway", "tapthru")?.spec?.listeners).toMatchObject([
      { name: "http", protocol: "HTTP" },
      { name: "https", protocol: "HTTPS", tls: { certificateRefs: [{ name: "tapthru-tls" }] } },
    ]);
    expect(find(manifests, "HTTPRoute", "tapthru")?.spec).toMatchObject({
      parentRefs: [{ sectionName: "https" }],
      rules: [{ backendRefs: [{ name: "gateway", port: 80 }] }],
    });
    expect(find(manifests, "HTTPRoute", "to-https")?.spec).toMatchObject({
      parentRefs: [{ sectionName: "http" }],
      rules: [{ filters: [{ requestRedirect: { scheme: "https", statusCode: 301 } }] }],
    });
  });
});
