import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse, parseAllDocuments, stringify } from "yaml";

const K8S = fileURLToPath(new URL("../../../../../k8s", import.meta.url));

export type Overlay = "local" | "production";

interface Labels {
  [name: string]: string;
}

export interface Container {
  name: string;
  image: string;
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  env?: { name: string; value?: string; valueFrom?: { fieldRef: { fieldPath: string } } }[];
  resources: { requests: Labels; limits: Labels };
  startupProbe?: object;
  livenessProbe?: object;
  readinessProbe?: object;
  lifecycle?: { preStop: { sleep: { seconds: number } } };
  securityContext: Record<string, unknown>;
  volumeMounts?: { name: string; mountPath: string }[];
}

export interface PodSpec {
  automountServiceAccountToken: boolean;
  enableServiceLinks: boolean;
  terminationGracePeriodSeconds?: number;
  securityContext: Record<string, unknown>;
  topologySpreadConstraints?: { topologyKey: string; labelSelector: { matchLabels: Labels } }[];
  containers: Container[];
  initContainers?: Container[];
  volumes?: { name: string; configMap?: { name: string } }[];
}

export interface Selector {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: "In"; values: string[] }[];
}

export interface Peer {
  podSelector?: Selector;
  namespaceSelector?: Selector;
  ipBlock?: { cidr: string; except?: string[] };
}

/** The fields that the tests use, of every kind of object. */
interface Spec {
  template?: { spec: PodSpec };
  replicas?: number;
  strategy?: { rollingUpdate: { maxSurge: number; maxUnavailable: number } };
  selector?: Selector & Labels;
  maxUnavailable?: number;
  unhealthyPodEvictionPolicy?: string;
  minReplicas?: number;
  maxReplicas?: number;
  metrics?: { resource: { name: string; target: Labels } }[];
  behavior?: unknown;
  minReplicaCount?: number;
  maxReplicaCount?: number;
  advanced?: { horizontalPodAutoscalerConfig: unknown };
  secretTargetRef?: Labels[];
  triggers?: { type: string; metadata: Labels }[];
  listeners?: {
    name: string;
    hostname: string;
    protocol: string;
    tls?: { certificateRefs: { name: string }[] };
  }[];
  parentRefs?: { name: string; sectionName: string }[];
  hostnames?: string[];
  tls?: { hosts: string[]; secretName: string }[];
  rules?: {
    host?: string;
    backendRefs?: { name: string; port: number }[];
    filters?: { requestRedirect: { scheme: string; statusCode: number } }[];
  }[];
  podSelector?: Selector;
  policyTypes?: string[];
  egress?: { to: Peer[]; ports: { port: number }[] }[];
  endpoints?: { relabelings: Labels[] }[];
}

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Labels };
  data?: Labels;
  spec?: Spec;
}

export const KUSTOMIZE: string[] | null = findKustomize();

/** The manifests of an overlay: rendered by kustomize or, without it, unpatched. */
export function manifestsOf(overlay: Overlay): Manifest[] {
  const manifests = rendered.get(overlay) ?? render(join(K8S, "overlays", overlay));
  rendered.set(overlay, manifests);
  return manifests;
}

const rendered = new Map<Overlay, Manifest[]>();

function render(folder: string): Manifest[] {
  if (KUSTOMIZE === null) return unpatched(folder);
  const [file = "", ...args] = KUSTOMIZE;
  return documents(execFileSync(file, [...args, folder], { encoding: "utf8" }));
}

/** The production overlay with further components; requires kustomize. */
export function productionWith(...further: string[]): Manifest[] {
  return editedProduction((text) => {
    const { components = [], ...kustomization } = parse(text);
    return stringify({
      ...kustomization,
      components: [...components, ...further.map((name) => `../../components/${name}`)],
    });
  });
}

/**
 * An edited copy of the production overlay, as in a real installation; requires kustomize.
 * @param edit changes the text of its kustomization.yaml
 */
export function editedProduction(edit: (kustomization: string) => string): Manifest[] {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "tapthru-k8s-"));
  try {
    cpSync(K8S, folder, { recursive: true });
    const overlay = join(folder, "overlays", "production");
    const file = join(overlay, "kustomization.yaml");
    writeFileSync(file, edit(readFileSync(file, "utf8")));
    return render(overlay);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function findKustomize(): string[] | null {
  const candidates = [
    { version: ["kustomize", "version"], build: ["kustomize", "build"] },
    { version: ["kubectl", "kustomize", "--help"], build: ["kubectl", "kustomize"] },
  ];
  for (const { version, build } of candidates) {
    const [file = "", ...args] = version;
    try {
      execFileSync(file, args, { stdio: "ignore" });
      return build;
    } catch {
      // Try the next candidate.
    }
  }
  return null;
}

function unpatched(folder: string): Manifest[] {
  const { resources = [], components = [] } = parse(
    readFileSync(join(folder, "kustomization.yaml"), "utf8"),
  ) as { resources?: string[]; components?: string[] };
  return [...resources, ...components].flatMap((path) =>
    path.endsWith(".yaml")
      ? documents(readFileSync(join(folder, path), "utf8"))
      : unpatched(join(folder, path)),
  );
}

function documents(text: string): Manifest[] {
  return parseAllDocuments(text, { merge: true }).map((document) => document.toJS() as Manifest);
}
