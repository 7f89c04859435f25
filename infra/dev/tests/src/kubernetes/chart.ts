import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findOnPath } from "@tapthru/stack/programs/on-path";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { parseAllDocuments } from "yaml";

export const CHART: string = join(CHECKOUT, "k8s");
export const HELM: string | null = findOnPath("helm");

/** The files in k8s/examples with values. */
export const EXAMPLES = ["local", "production", "tls"] as const;
export type Example = (typeof EXAMPLES)[number];

interface Labels {
  [name: string]: string;
}

interface Container {
  name: string;
  image: string;
  envFrom?: { secretRef: { name: string } }[];
  env?: { name: string; value: string }[];
  resources: { requests: Labels; limits: Labels };
  lifecycle?: { preStop: { sleep: { seconds: number } } };
  securityContext: object;
  volumeMounts: { name: string; mountPath: string }[];
}

export interface PodSpec {
  terminationGracePeriodSeconds?: number;
  securityContext: object;
  containers: Container[];
  volumes: { name: string; configMap?: { name: string } }[];
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

interface Template {
  template: { spec: PodSpec };
}

/** The fields that the tests use, of every kind of object. */
interface Spec extends Partial<Template> {
  jobTemplate?: { spec: Template };
  selector?: Selector & Labels;
  podSelector?: Selector;
  egress?: { to: Peer[]; ports: { port: number }[] }[];
  triggers?: { type: string; metadata: Labels }[];
}

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Labels; annotations?: Labels };
  stringData?: Labels;
  spec?: Spec;
}

/**
 * The chart with the values of an example; none without helm, where the tests are skipped.
 * @param further values, each as key=value, or as json:key=JSON
 */
export function render(example: Example, ...further: string[]): Manifest[] {
  if (HELM === null) return [];
  const key = [example, ...further].join();
  const known = rendered.get(key);
  if (known) return known;
  const values = further.flatMap((value) =>
    value.startsWith("json:") ? ["--set-json", value.slice(5)] : ["--set", value],
  );
  const file = join(CHART, "examples", `${example}.yaml`);
  const args = ["template", "tapthru", CHART, "--namespace=links", `--values=${file}`, ...values];
  const options = { encoding: "utf8", stdio: "pipe", maxBuffer: 2 ** 24 } as const;
  const manifests = documents(execFileSync(HELM, args, options));
  rendered.set(key, manifests);
  return manifests;
}

const rendered = new Map<string, Manifest[]>();

export function readSecretExamples(): Manifest[] {
  return documents(readFileSync(join(CHART, "examples", "secrets.yaml"), "utf8"));
}

export function find(manifests: Manifest[], kind: string, name: string): Manifest | undefined {
  return manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
}

/** The labels of the objects of this name in the release that `render` makes. */
export function labelsOf(name: string): Labels {
  return {
    "app.kubernetes.io/name": name,
    "app.kubernetes.io/instance": "tapthru",
    "app.kubernetes.io/part-of": "tapthru",
  };
}

/** The pods of deployments, stateful sets and jobs, by their names. */
export function podsOf(manifests: Manifest[]): [string, PodSpec][] {
  return manifests.flatMap(({ metadata, spec }) => {
    const template = spec?.template ?? spec?.jobTemplate?.spec.template;
    return template ? [[metadata.name, template.spec]] : [];
  });
}

function documents(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}
