import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@tapthru/core/platform/config/configs";
import { shapeOf } from "@tapthru/core/platform/config/settings";
import { createJobProducer } from "@tapthru/core/platform/jobs/producer";
import { createRequestRedis, type RequestRedis } from "@tapthru/core/platform/redis/redis";
import { type ControlledRedis, startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { COUNTED_ROUTES } from "@tapthru/gateway/nginx/counted-routes";
import { JOBS, readPriority } from "@tapthru/proto/jobs/catalogue";
import { findOnPath } from "@tapthru/stack/programs/on-path";
import { CONTAINERS } from "@tapthru/stack/settings-files";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { stringify } from "yaml";
import {
  CHART,
  EXAMPLES,
  type Example,
  find,
  HELM,
  labelsOf,
  type Manifest,
  type Peer,
  podsOf,
  readSecretExamples,
  render,
  type Selector,
} from "./chart.ts";

const PODS = [
  "gateway",
  "api",
  "redirect",
  "worker",
  "migrate",
  "commands",
  "backup",
  "gateway-metrics",
  "blackbox",
  "postgres",
  "redis-cache",
  "redis-queue",
];

const DNS = ["kube-system:53", "node-local-dns:53"];
const MAIL = ["internet:465", "internet:587"];
const MANAGED = ["managed:5432", "managed:6379"];
const IN_CLUSTER = ["postgres:5432", "redis-cache+redis-queue:6379"];

const PRIVATE_NETWORKS = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"];

const EXPECTED: Record<Example, Record<string, string[]>> = {
  production: {
    gateway: ["api+redirect:8080", "gateway-metrics:5514"],
    "gateway-metrics": [],
    blackbox: ["gateway:8080", "anywhere:443"],
    api: ["internet:443", ...MANAGED],
    redirect: MANAGED,
    worker: ["internet:443", ...MAIL, ...MANAGED],
    migrate: ["managed:5432"],
    commands: ["managed:5432"],
    backup: ["managed:5432"],
  },
  local: {
    gateway: ["api+redirect:8080"],
    api: ["internet:443", ...IN_CLUSTER],
    redirect: IN_CLUSTER,
    worker: ["internet:443", ...MAIL, ...IN_CLUSTER],
    migrate: ["postgres:5432"],
    commands: ["postgres:5432"],
    postgres: [],
    "redis-cache": [],
    "redis-queue": [],
  },
  tls: {
    // With the program certificates.
    gateway: ["api+redirect:8080", "managed:5432"],
    api: ["internet:443", ...MANAGED],
    redirect: MANAGED,
    worker: ["internet:80", "internet:443", "gateway:8080", "gateway:8443", ...MAIL, ...MANAGED],
    migrate: ["managed:5432"],
    commands: ["managed:5432"],
  },
};

function selects({ matchLabels = {}, matchExpressions = [] }: Selector, name: string): boolean {
  const labels = labelsOf(name);
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ""))
  );
}

/** All egress allowed for the pod, as "peer:port"; the rules of all policies add up. */
function allowedEgress(manifests: Manifest[], name: string): Set<string> {
  const allowed = manifests
    .filter(({ kind, spec }) => kind === "NetworkPolicy" && selects(spec?.podSelector ?? {}, name))
    .flatMap(({ spec }) => spec?.egress ?? [])
    .flatMap(({ to, ports }) => to.flatMap((peer) => ports.map(({ port }) => `${describePeer(peer)}:${port}`)));
  return new Set(allowed);
}

function describePeer({ podSelector, namespaceSelector, ipBlock }: Peer): string {
  if (ipBlock?.cidr === "0.0.0.0/0" || ipBlock?.cidr === "::/0") {
    const { cidr, except = [] } = ipBlock;
    const isPublic =
      cidr === "::/0" ? except.length > 0 : PRIVATE_NETWORKS.every((network) => except.includes(network));
    return isPublic ? "internet" : "anywhere";
  }
  if (ipBlock?.cidr === "169.254.20.10/32") return "node-local-dns";
  if (ipBlock) return "managed";
  if (namespaceSelector) return namespaceSelector.matchLabels?.["kubernetes.io/metadata.name"] ?? "";
  return PODS.filter((name) => selects(podSelector ?? {}, name)).join("+");
}

skipWithout("helm");

describe.each(EXAMPLES)("the network of %s", (example) => {
  const manifests = render(example);

  it.each(Object.entries(EXPECTED[example]))("allows %s only the egress that it requires", (name, egress) => {
    expect(allowedEgress(manifests, name)).toEqual(new Set([...DNS, ...egress]));
  });

  it("denies all other traffic, of these pods alone", () => {
    const { podSelector = {}, ...rest } = find(manifests, "NetworkPolicy", "nothing-else")?.spec ?? {};
    expect(rest).toEqual({ policyTypes: ["Ingress", "Egress"] });
    expect(podsOf(manifests).filter(([name]) => !selects(podSelector, name))).toEqual([]);
    for (const { kind, spec } of manifests) if (kind === "NetworkPolicy") expect(spec?.podSelector).not.toEqual({});
  });
});

describe("the network", () => {
  it("lets the api alone reach an OpenID provider at a private address", () => {
    const manifests = render("production", "network.oidc.networks={10.20.0.0/16}");
    expect(allowedEgress(manifests, "api")).toContain("managed:443");
    expect(allowedEgress(manifests, "worker")).not.toContain("managed:443");
  });

  it("has pods of another namespace instead of networks", () => {
    const peers = '[{"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"databases"}}}]';
    const manifests = render("production", "network.postgres.networks=null", `json:network.postgres.peers=${peers}`);
    expect(allowedEgress(manifests, "redirect")).toEqual(new Set([...DNS, "databases:5432", "managed:6379"]));
  });

  it("lets the worker reach a mail server at a private address and another port", () => {
    const manifests = render("production", "network.mail.networks={10.20.0.0/16}", "network.mail.ports={25}");
    expect(allowedEgress(manifests, "worker")).toContain("managed:25");
    expect(allowedEgress(manifests, "worker")).not.toContain("internet:587");
  });

  it.each(EXAMPLES)("of %s may be without policies", (example) => {
    expect(render(example, "network.policies=false").filter(({ kind }) => kind === "NetworkPolicy")).toEqual([]);
  });

  it("may have both families of addresses", () => {
    const manifests = render("tls", "network.ipFamilyPolicy=PreferDualStack");
    expect(find(manifests, "Service", "gateway")?.spec).toMatchObject({ ipFamilyPolicy: "PreferDualStack" });
    expect(find(render("tls"), "Service", "gateway")?.spec).not.toHaveProperty("ipFamilyPolicy");
  });
});

/** Maximum time that one of our processes takes to stop, in seconds. */
const MAX_STOP_SECONDS = 10;

describe.each(EXAMPLES)("the pods of %s", (example) => {
  const manifests = render(example, "backup.schedule=@daily");
  const pods = podsOf(manifests);

  it("meet the restricted pod security standard, without a service account token", () => {
    for (const [name, pod] of pods) {
      expect(pod, name).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
      });
      expect(pod.securityContext, name).not.toMatchObject({ runAsUser: 0 });
      expect(
        Object.keys(pod).filter((key) => key.startsWith("host")),
        name,
      ).toEqual([]);
      for (const { securityContext } of pod.containers) {
        expect(securityContext, name).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
      }
    }
  });

  it("have requests, limits and an image of a version", () => {
    for (const [name, { containers }] of pods) {
      for (const { image, resources } of containers) {
        const resource = { cpu: expect.anything(), memory: expect.any(String) };
        expect(resources, name).toEqual({ requests: resource, limits: resource });
        expect(image, name).toMatch(/:(?!latest$)[\w.-]+(@sha256:[0-9a-f]{64})?$/);
      }
    }
  });

  it("are selected by the name of the release too", () => {
    for (const manifest of manifests) {
      const count = (label: string) => JSON.stringify(manifest).split(`"${label}"`).length - 1;
      expect(count("app.kubernetes.io/instance"), manifest.metadata.name).toBeGreaterThanOrEqual(
        count("app.kubernetes.io/name"),
      );
    }
  });

  it("exist for every selector", () => {
    const selected = manifests
      .filter(({ kind }) => ["Service", "PodDisruptionBudget"].includes(kind))
      .map(({ spec }) => spec?.selector)
      .filter((selector) => selector !== undefined)
      .map((selector) => (selector.matchLabels ?? selector)["app.kubernetes.io/name"]);
    expect(selected.length).toBeGreaterThan(4);
    expect(selected.filter((name) => !pods.some(([pod]) => pod === name))).toEqual([]);
  });
});

it.each(["gateway", "api", "redirect"])("%s drains before it stops, with a margin", (service) => {
  const [, pod] = podsOf(render("production")).find(([name]) => name === service) ?? [];
  const drain = pod?.containers[0]?.lifecycle?.preStop.sleep.seconds ?? 0;
  // The gateway resolves names every second, and clusters cache them for some seconds more.
  expect(drain).toBeGreaterThanOrEqual(10);
  expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(drain + MAX_STOP_SECONDS);
});

/** The pods that mount the config map, where the variable names a file in it. */
function mounting(manifests: Manifest[], map: string, variable: string, file: string): string[] {
  const mounts = podsOf(manifests).filter(([, { containers, volumes }]) => {
    const volume = volumes.find(({ configMap }) => configMap?.name === map);
    return containers.some(({ env = [], volumeMounts }) =>
      volumeMounts.some(
        ({ name, mountPath }) =>
          name === volume?.name && env.some((it) => it.name === variable && it.value === `${mountPath}/${file}`),
      ),
    );
  });
  return mounts.map(([name]) => name).sort();
}

it.each([
  ["production", ["api", "commands", "migrate", "redirect", "worker"]],
  ["tls", ["api", "commands", "gateway", "migrate", "redirect", "worker"]],
] as const)("a private CA is in all pods of %s that connect to Postgres or Redis", (example, names) => {
  const manifests = render(example, "privateCaConfigMap=ca");
  expect(mounting(manifests, "ca", "NODE_EXTRA_CA_CERTS", "ca.pem")).toEqual(names);
});

it("other programs are the versions of Compose", () => {
  const compose = readFileSync(join(CHECKOUT, "docker-compose.yml"), "utf8");
  const own = /^(tapthru|ghcr.io\/example\/tapthru)\//;
  const images = EXAMPLES.flatMap((example) => podsOf(render(example)))
    .flatMap(([, { containers }]) => containers.map(({ image }) => image))
    .filter((image) => !own.test(image));
  expect(images).toHaveLength(4);
  expect(images.filter((image) => !compose.includes(image))).toEqual([]);
});

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

it.each(["api", "redirect", "worker", "certificates", "migrate"] as const)(
  "the example secrets prevent %s from starting until they are filled in",
  (service) => {
    const { stringData } = find(SECRETS, "Secret", `tapthru-${service}`) ?? {};
    expect(() => readConfig(service, { TAPTHRU_ENV: "production", ...stringData })).toThrow(
      /DATABASE_URL must not carry a well-known password/,
    );
  },
);

/** From PyPI; includes the schemas of Kubernetes' built-in kinds. */
const VALIDATOR = "kubernetes-validate";

/** The validator has no schemas of custom resources. */
const isOfKubernetes = ({ apiVersion }: Manifest) =>
  /^(v1|[a-z]+\/v\d+|[a-z.]+\.k8s\.io\/v1)$/.test(apiVersion) && !apiVersion.startsWith("gateway.");

describe.each(EXAMPLES)("the values of %s", (example) => {
  it("pass helm lint", async () => {
    await execa(String(HELM), ["lint", "--strict", CHART, "--values", `${CHART}/examples/${example}.yaml`]);
  });

  describe("the schemas of the oldest Kubernetes", () => {
    skipWithout(VALIDATOR);

    it("accept all manifests", async () => {
      const further = [
        "privateCaConfigMap=ca",
        "appOpeningConfigMap=table",
        "backup.schedule=@daily",
        ...(example === "local" ? ["ingress.kind=ingress", "ingress.className=example"] : []),
      ];
      const manifests = render(example, ...further);
      const folder = mkdtempSync(join(tmpdir(), "tapthru-manifests-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const files = manifests.filter(isOfKubernetes).map((manifest, i) => {
        const file = join(folder, `${i}-${manifest.kind}.json`);
        writeFileSync(file, JSON.stringify(manifest));
        return file;
      });
      expect(files.length).toBeGreaterThan(15);
      const args = ["--strict", "--quiet", "--kubernetes-version=1.30", ...files];
      const { stdout } = await execa(String(findOnPath(VALIDATOR)), args);
      expect(stdout).toBe("");
    }, 600_000);
  });
});

it.each([
  ["redirect.replica=3", "additional properties 'replica' not allowed"],
  ["api.env.CLICKS_KEPT_MONTHS=3", "got number, want string"],
  ["publicBaseUrl=", "'' does not match pattern"],
  ["network.redis.networks=null", "Set network.redis.networks to the networks (CIDR) of your Redis, or peers"],
  ["tls.enabled=true", "With tls.enabled set ingress.kind to none"],
  ["ingress.className=", "Set ingress.className to a name from kubectl get gatewayclass."],
])("values with %s are refused", (value, message) => {
  expect(() => render("production", value)).toThrow(message);
});

const scaled = render("production", "keda.worker=true", "keda.redirect=true");

describe("KEDA's scaler of the worker", () => {
  let server: ControlledRedis;
  let redis: RequestRedis;
  beforeAll(async () => {
    server = await startRedis();
    const { logger } = createTestLogger();
    redis = createRequestRedis({ url: server.url, name: "queue", budgetMs: 5_000, logger });
    await redis.start?.();
  });
  afterAll(async () => {
    await redis.stop?.();
    await server.remove();
  });

  /** Counts like KEDA's scaler `redis` (pkg/scalers/redis_scaler.go of v2.21.0): by the type of the key. */
  const waitingIn = (listName: string) =>
    redis.run(async (client) =>
      (await client.type(listName)) === "zset" ? client.zcard(listName) : client.llen(listName),
    );

  it("counts the waiting jobs of each queue, including jobs with a priority", async () => {
    const jobs = createJobProducer({ jobs: JOBS, redis, logger: createTestLogger().logger });
    const page = "https://www.amazon.com/dp/B0ZZ1Y2X3W";
    const withoutRequest = { requestId: null };
    const byMember = { requestId: null, priority: readPriority("member") };
    await jobs.add("scrape-metadata", { canonicalUrl: page, attempt: 0 }, byMember);
    await jobs.add("propagate-metadata", { canonicalUrl: page, revision: 1 }, withoutRequest);
    await jobs.add("rebuild-redirects", { afterId: 0 }, withoutRequest);
    const triggers = find(scaled, "ScaledObject", "worker")?.spec?.triggers ?? [];
    const lists = triggers.map(({ metadata }) => metadata.listName ?? "");
    expect(lists.map((list) => list.split(":")[1])).toEqual([
      "scrape-metadata",
      "propagate-metadata",
      "rebuild-redirects",
    ]);
    for (const list of lists) expect(await waitingIn(list), list).toBe(1);
  });
});

describe("KEDA's scaler of the redirect", () => {
  describe("the query of requests in progress", () => {
    skipWithout("promtool");

    it("adds the routes of links in this installation", async () => {
      const query = find(scaled, "ScaledObject", "redirect")?.spec?.triggers?.[1]?.metadata.query;
      const series = (installation: string, route: string, secondsPerSecond: number) => ({
        series: `tapthru_gateway_upstream_duration_seconds_sum{installation="${installation}", route="${route}", method="GET", status="302"}`,
        values: `0+${secondsPerSecond * 10}x30`,
      });
      const links = COUNTED_ROUTES.filter(({ area }) => area === "link").map(({ route }) => route);
      const folder = mkdtempSync(join(tmpdir(), "tapthru-scaling-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const file = join(folder, "query.yml");
      const test = {
        interval: "10s",
        input_series: [
          ...links.map((route) => series("links", route, 40)),
          series("links", "/api/*", 500),
          series("another", "/l/:code", 500),
        ],
        promql_expr_test: [{ expr: query, eval_time: "5m", exp_samples: [{ labels: "{}", value: 40 * links.length }] }],
      };
      writeFileSync(file, stringify({ tests: [test] }));
      await execa(String(findOnPath("promtool")), ["test", "rules", file]);
    });
  });
});
