import { stringify } from "yaml";
import type { Kubectl } from "./kubectl.ts";

const ZONES = ["a", "b", "c"];
const NODES_PER_ZONE = 2;
const CAPACITY = { cpu: "8", memory: "32Gi", pods: "110" };
/** Sizes of the disks, one for each volume claim of the local overlay. */
const DISKS = ["5Gi", "1Gi"];

/** Adds nodes in several zones and disks, and waits until pods can be scheduled. */
export async function addNodes(kubectl: Kubectl): Promise<void> {
  const objects = [...ZONES.flatMap(nodesOf), STORAGE_CLASS, ...DISKS.map(disk)];
  await kubectl.run(["apply", "-f", "-"], objects.map((object) => stringify(object)).join("---\n"));
  await kubectl.run(["wait", "--for=condition=Ready", "node", "--all", "--timeout=60s"]);
}

function nodesOf(zone: string) {
  return Array.from({ length: NODES_PER_ZONE }, (_, index) => {
    const name = `node-${zone}${index + 1}`;
    const labels = { "kubernetes.io/hostname": name, "topology.kubernetes.io/zone": zone };
    const status = { allocatable: CAPACITY, capacity: CAPACITY };
    return { apiVersion: "v1", kind: "Node", metadata: { name, labels }, status };
  });
}

const STORAGE_CLASS = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: {
    name: "standard",
    annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
  },
  provisioner: "kubernetes.io/no-provisioner",
};

function disk(storage: string, index: number) {
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: `disk-${index + 1}` },
    spec: {
      storageClassName: STORAGE_CLASS.metadata.name,
      capacity: { storage },
      accessModes: ["ReadWriteOnce"],
      hostPath: { path: `/disks/${index + 1}` },
    },
  };
}
