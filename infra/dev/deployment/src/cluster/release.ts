import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CHECKOUT } from "@tapthru/local/stack/settings";
import { parse, stringify } from "yaml";

interface Kustomization {
  namespace: string;
  components: string[];
  images: { name: string; newTag: string }[];
  patches: { target: { kind: string; name?: string }; patch: string }[];
}

/** What a release changes in a copy of the production overlay. */
export interface Release {
  tag: string;
  /** The migration fails after some seconds, because it selects a node that does not exist. */
  migrationFails?: boolean;
  /** A further region instead of the first one. */
  isFurtherRegion?: boolean;
}

export const K8S: string = join(CHECKOUT, "k8s");

/** Components that only one kind of region has, and those that come last, in this order. All others are in both. */
const OF_FIRST_REGION = ["first-region", "keda", "private-ca"];
const OF_FURTHER_REGION = ["region", "private-ca"];

/**
 * Writes a production overlay with all components of its region and another namespace.
 * @param folder a new folder for a copy of k8s/
 * @returns the folder of the overlay
 */
export function writeRelease(folder: string, namespace: string, release: Release): string {
  cpSync(K8S, folder, { recursive: true });
  const overlay = join(folder, "overlays", "production");
  const file = join(overlay, "kustomization.yaml");
  const kustomization = parse(readFileSync(file, "utf8")) as Kustomization;
  const ofBoth = readdirSync(join(folder, "components")).filter(
    (name) => ![...OF_FIRST_REGION, ...OF_FURTHER_REGION].includes(name),
  );
  const components = [
    ...ofBoth,
    ...(release.isFurtherRegion ? OF_FURTHER_REGION : OF_FIRST_REGION),
  ];
  const patches = release.migrationFails ? [UNSCHEDULABLE_MIGRATION] : [];
  writeFileSync(
    file,
    stringify({
      ...kustomization,
      namespace,
      components: components.map((name) => `../../components/${name}`),
      images: kustomization.images.map((image) => ({ ...image, newTag: release.tag })),
      patches: [...kustomization.patches, ...patches],
    }),
  );
  return overlay;
}

const UNSCHEDULABLE_MIGRATION = {
  target: { kind: "Job", name: "migrate" },
  patch: stringify([
    { op: "replace", path: "/spec/activeDeadlineSeconds", value: 5 },
    {
      op: "add",
      path: "/spec/template/spec/nodeSelector",
      value: { "kubernetes.io/hostname": "none" },
    },
  ]),
};
