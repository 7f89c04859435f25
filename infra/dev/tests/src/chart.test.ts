import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@tapthru/core/platform/config/configs";
import { shapeOf } from "@tapthru/core/platform/config/settings";
import { findOnPath } from "@tapthru/stack/programs/on-path";
import { CONTAINERS } from "@tapthru/stack/settings-files";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { execa } from "execa";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseAllDocuments } from "yaml";

const CHART = join(CHECKOUT, "k8s");
const HELM = findOnPath("helm");
const EXAMPLES = ["local", "production", "tls"] as const;
type Example = (typeof EXAMPLES)[number];

const documents = (text: string) => parseAllDocuments(text).map((document) => document.toJS());

/** The objects of the chart with the values of an example and further ones. Without helm the tests are skipped. */
function render(example: Example, ...further: string[]) {
  if (HELM === null) return [];
  const values = further.map((value) => `--set-json=${value}`);
  const args = ["template", "tapthru", CHART, "--namespace=links", `--values=${CHART}/examples/${example}.yaml`];
  return documents(execFileSync(HELM, [...args, ...values], { encoding: "utf8", stdio: "pipe", maxBuffer: 2 ** 24 }));
}
type Manifests = ReturnType<typeof documents>;
type Manifest = Manifests[number];

const ofKind = (manifests: Manifests, kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const find = (manifests: Manifests, kind: string, name: string) =>
  ofKind(manifests, kind).find(({ metadata }) => metadata.name === name);
const podsOf = (manifests: Manifests): Manifests =>
  manifests.flatMap(({ spec }) => spec?.template ?? spec?.jobTemplate?.spec.template ?? []);
const containersOf = (manifests: Manifests): Manifests => podsOf(manifests).flatMap(({ spec }) => spec.containers);
const nameOf = (pod: Manifest): string => pod.metadata.labels["app.kubernetes.io/name"];

function selects({ matchLabels = {}, matchExpressions = [] }: Manifest, pod: Manifest): boolean {
  const { labels } = pod.metadata;
  const hasAll = Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
  return hasAll && matchExpressions.every(({ key, values }: Manifest) => values.includes(labels[key]));
}

/** The peers that each pod may reach, as "peer:port", apart from name servers. */
function egressOf(manifests: Manifests): Record<string, string[]> {
  const pods = podsOf(manifests);
  function peerOf({ podSelector, namespaceSelector, ipBlock }: Manifest): string {
    if (podSelector)
      return pods
        .filter((pod) => selects(podSelector, pod))
        .map(nameOf)
        .join("+");
    if (namespaceSelector) return Object.values(namespaceSelector.matchLabels ?? { any: "any pod" }).join();
    if (!ipBlock.cidr.endsWith("/0")) return ipBlock.cidr;
    return /^fc00::|^10[.].*,169[.]254.*,172[.]16.*,192[.]168/.test(ipBlock.except) ? "internet" : "anywhere";
  }
  const policies = ofKind(manifests, "NetworkPolicy").filter(({ metadata }) => metadata.name !== "names");
  const egress = (pod: Manifest): string[] =>
    policies
      .filter(({ spec }) => selects(spec.podSelector, pod))
      .flatMap(({ spec }) => spec.egress ?? [])
      .flatMap(({ to, ports }) =>
        to.flatMap((peer: object) =>
          (ports.length > 0 ? ports : [{ port: "any" }]).map((it: Manifest) => `${peerOf(peer)}:${it.port}`),
        ),
      );
  return Object.fromEntries(pods.map((pod) => [nameOf(pod), [...new Set(egress(pod))].sort()]));
}

skipWithout("helm");

describe.each(EXAMPLES)("the pods of %s", (example) => {
  const manifests = render(example, 'backup.schedule="@daily"');
  const pods = podsOf(manifests);

  it("all pods meet the restricted pod security standard, with limits and images of a version", () => {
    for (const pod of pods) {
      expect(pod.spec, nameOf(pod)).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
      });
      expect(Object.keys(pod.spec).join(), nameOf(pod)).not.toMatch(/\bhost/);
    }
    const resources = { cpu: expect.anything(), memory: expect.any(String) };
    for (const container of containersOf(manifests)) {
      expect(container).toMatchObject({
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
        resources: { requests: resources, limits: resources },
        image: expect.stringMatching(/:(?!latest$)[\w.-]+(@sha256:[0-9a-f]{64})?$/),
      });
    }
  });

  it("each service and budget selects pods", () => {
    const selectors = [...ofKind(manifests, "Service"), ...ofKind(manifests, "PodDisruptionBudget")].map(
      ({ spec: { selector } }) => selector.matchLabels ?? selector,
    );
    expect(selectors.length).toBeGreaterThan(4);
    const selected = (matchLabels: Manifest) => pods.some((pod) => selects({ matchLabels }, pod));
    expect(selectors.filter((matchLabels) => !selected(matchLabels))).toEqual([]);
  });

  it("a policy denies the pods all traffic that no other policy allows", () => {
    const { podSelector, ...rest } = find(manifests, "NetworkPolicy", "nothing-else").spec;
    expect(rest).toEqual({ policyTypes: ["Ingress", "Egress"] });
    expect(pods.filter((pod) => !selects(podSelector, pod))).toEqual([]);
  });
});

describe("the network", () => {
  const STORES = ["10.20.0.0/16:5432", "10.20.0.0/16:6379"];
  const MAIL = ["internet:465", "internet:587"];

  it("allows each pod only the egress that it requires", () => {
    expect(egressOf(render("production", 'backup.schedule="@daily"'))).toEqual({
      gateway: ["api+redirect:8080", "gateway-metrics:5514"],
      "gateway-metrics": [],
      blackbox: ["any pod:any", "anywhere:any", "gateway:8080"],
      api: [...STORES, "internet:443"],
      redirect: STORES,
      worker: [...STORES, "internet:443", ...MAIL],
      migrate: ["10.20.0.0/16:5432"],
      commands: ["10.20.0.0/16:5432"],
      backup: ["10.20.0.0/16:5432"],
    });
    expect(egressOf(render("tls"))).toMatchObject({
      gateway: ["10.20.0.0/16:5432", "api+redirect:8080"],
      worker: [...STORES, "gateway:8080", "gateway:8443", "internet:443", ...MAIL, "internet:80"].sort(),
    });
    expect(
      egressOf(render("tls", "monitoring.enabled=true", 'network.probes={"peers":[],"ports":[443]}')),
    ).toMatchObject({
      blackbox: ["anywhere:443", "gateway:8080", "gateway:8443"],
    });
    expect(egressOf(render("local"))).toMatchObject({ redirect: ["postgres:5432", "redis-cache+redis-queue:6379"] });
  });

  it.each([
    ["network.oidc.networks", '["10.30.0.0/16"]', "api", "10.30.0.0/16:443"],
    ["network.mail", '{"networks":["10.30.0.0/16"],"ports":[25]}', "worker", "10.30.0.0/16:25"],
    ["network.backup", '{"networks":["10.30.0.0/16"],"ports":[9000]}', "backup", "10.30.0.0/16:9000"],
    ["network.dns.servers", '["10.30.0.2/32"]', "worker", "10.30.0.2/32:53"],
    ["network.redis.peers", '[{"namespaceSelector":{"matchLabels":{"name":"stores"}}}]', "redirect", "stores:6379"],
  ])("allows what %s names: %s", (name, value, pod, peer) => {
    expect(egressOf(render("production", 'backup.schedule="@daily"', `${name}=${value}`))[pod]).toContain(peer);
  });
});

it("a trial fits the smallest cluster: with the least replicas its pods request at most 1 core and 1.5 GiB", () => {
  const manifests = render("local");
  const replicasOf = (name: string) => find(manifests, "HorizontalPodAutoscaler", name)?.spec.minReplicas ?? 1;
  const requested = { cpu: 0, memory: 0 };
  for (const pod of podsOf(manifests)) {
    if (nameOf(pod) === "commands") continue; // Never runs by itself.
    for (const { resources } of pod.spec.containers) {
      requested.cpu += replicasOf(nameOf(pod)) * quantity(resources.requests.cpu);
      requested.memory += (replicasOf(nameOf(pod)) * quantity(resources.requests.memory)) / 2 ** 30;
    }
  }
  expect(requested.cpu).toBeLessThanOrEqual(1);
  expect(requested.memory).toBeLessThanOrEqual(1.5);
});

/** A quantity of Kubernetes as a number of cores or bytes. */
function quantity(text: string | number): number {
  const [, value, unit = ""] = /^([\d.]+)(m|Mi|Gi)?$/.exec(String(text)) ?? [];
  return Number(value) * ({ m: 0.001, Mi: 2 ** 20, Gi: 2 ** 30 }[unit] ?? 1);
}

it.each(["gateway", "api", "redirect"])("%s drains before it stops, with a margin", (name) => {
  const { spec } = podsOf(render("production")).find((pod) => nameOf(pod) === name);
  const drain = spec.containers[0].lifecycle.preStop.sleep.seconds;
  // The gateway resolves names every second, and clusters cache them for some seconds more. A service stops within 10 s.
  expect(drain).toBeGreaterThanOrEqual(10);
  expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(drain + 10);
});

it("gateways that serve https share the keys of their tickets", () => {
  const sharing = (example: Example) =>
    containersOf(render(example))
      .filter(({ args = [], command = [] }) => [...args, ...command].includes("--share-tickets"))
      .map(({ name }) => name);
  expect([sharing("tls"), sharing("production")]).toEqual([["gateway", "certificates"], []]);
});

it("a private CA is mounted where it is named, in all containers that connect to Postgres or Redis", () => {
  const containers = containersOf(render("tls", 'privateCaConfigMap="ca"')).filter(({ env }) =>
    env.some(({ name }: { name: string }) => name === "NODE_EXTRA_CA_CERTS"),
  );
  expect(containers.map(({ name }) => name).sort()).toEqual([
    "api",
    "certificates",
    "commands",
    "migrate",
    "redirect",
    "worker",
  ]);
  for (const { volumeMounts } of containers)
    expect(volumeMounts).toContainEqual(expect.objectContaining({ mountPath: "/etc/private-ca" }));
});

describe("the settings", () => {
  const KEY = "9f2c6d".repeat(6);
  const secrets = documents(readFileSync(join(CHART, "examples/secrets.yaml"), "utf8"));
  /** An operator replaces these. */
  const filledIn = (value: string) => value.replace("PASSWORD", KEY).replace(/.*-OF-YOUR-OWN$/, KEY);

  /** The environment of a container: the example's secrets, then its own variables. */
  function environmentOf(manifests: Manifests, service: string): Record<string, string> {
    const { env, envFrom } = containersOf(manifests).find(({ name }) => name === service);
    const named = envFrom.flatMap(({ secretRef }: Manifest) => {
      const { stringData } = find([...manifests, ...secrets], "Secret", secretRef.name);
      return Object.entries<string>(stringData).map(([name, value]) => [name, filledIn(value)]);
    });
    const own = env.map(({ name, value }: Manifest) => [name, value]);
    return Object.fromEntries([["WEB_ROOT", "/app/web/dist"], ...named, ...own]);
  }

  it.each(EXAMPLES)("each service starts with the settings of %s, and reads all of them", (example) => {
    const manifests = render(example);
    const ofAll = ["PUBLIC_BASE_URL", "PRODUCT_NAME", "CONTACT_EMAIL", "NODE_OPTIONS", "WEB_ROOT"];
    for (const service of CONTAINERS.filter((name) => name !== "certificates" || example === "tls")) {
      const env = environmentOf(manifests, service);
      expect(readConfig(service, env).TAPTHRU_ENV).toBe(example === "local" ? "demo" : "production");
      const known = [...Object.keys(shapeOf(service)), ...ofAll];
      expect(Object.keys(env).filter((name) => !known.includes(name))).toEqual([]);
    }
  });

  it("no service starts with the settings of the examples until an operator has replaced the secrets", () => {
    for (const service of ["api", "redirect", "worker", "certificates", "migrate"] as const) {
      const { stringData } = find(secrets, "Secret", `tapthru-${service}`);
      expect(() => readConfig(service, { TAPTHRU_ENV: "production", ...stringData })).toThrow(
        /DATABASE_URL must not carry a well-known password/,
      );
    }
  });

  it("a gateway that serves https trusts no proxy unless it is named", () => {
    const proxies = (...args: Parameters<typeof render>) =>
      readConfig("gateway", environmentOf(render(...args), "gateway")).TRUSTED_PROXIES;
    expect(proxies("production")).toEqual(["uniquelocal"]);
    expect(proxies("tls")).toEqual([]);
    expect(proxies("tls", 'gateway.env={"TRUSTED_PROXIES":"10.9.0.0/16"}')).toEqual(["10.9.0.0/16"]);
  });
});

it.each([
  ["redirect.replica=3", "additional properties 'replica' not allowed"],
  ["api.env.CLICKS_KEPT_MONTHS=3", "got number, want string"],
  ['publicBaseUrl=""', "'' does not match pattern"],
  ["network.redis.networks=null", "Set network.redis.networks to the networks (CIDR) of your Redis, or peers"],
  ["tls.enabled=true", "With tls.enabled set ingress.kind to none"],
  ['ingress.className=""', "Set ingress.className to a name from kubectl get gatewayclass."],
])("values with %s are refused", (value, message) => {
  expect(() => render("production", value)).toThrow(message);
});

describe("the schemas of the oldest Kubernetes, of all but custom resources", () => {
  skipWithout("kubernetes-validate");

  it.each(EXAMPLES)(
    "the schemas accept %s, which helm lints without a warning",
    async (example) => {
      await execa(String(HELM), ["lint", "--strict", CHART, "--values", `${CHART}/examples/${example}.yaml`]);
      const ingress = example === "local" ? ['ingress={"kind":"ingress","className":"example"}'] : [];
      const further = [
        'privateCaConfigMap="ca"',
        'appOpeningConfigMap="table"',
        'backup.schedule="@daily"',
        ...ingress,
      ];
      const folder = mkdtempSync(join(tmpdir(), "tapthru-manifests-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const files = render(example, ...further)
        .filter(({ apiVersion }) =>
          /^(v1|(apps|batch|autoscaling|policy)\/.+|(?!gateway)[a-z.]+\.k8s\.io\/v1)$/.test(apiVersion),
        )
        .map((manifest, i) => {
          const file = join(folder, `${i}-${manifest.kind}.json`);
          writeFileSync(file, JSON.stringify(manifest));
          return file;
        });
      expect(files.length).toBeGreaterThan(15);
      const args = ["--strict", "--quiet", "--kubernetes-version=1.30", ...files];
      expect((await execa(String(findOnPath("kubernetes-validate")), args)).stdout).toBe("");
    },
    600_000,
  );
});
