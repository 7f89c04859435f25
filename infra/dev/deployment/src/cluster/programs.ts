import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { executable } from "@tapthru/local/programs/on-path";
import { TOOLS_DIR } from "@tapthru/local/stack/settings";
import { execa } from "execa";
import { downloadModule, GO_ENV } from "./go.ts";
import { GoMod, goMod, kubernetesGoMod } from "./go-module.ts";
import { ETCD, KUBERNETES, KWOK } from "./versions.ts";

interface Module {
  folder: string;
  goMod(): Promise<string>;
  programs: Record<string, string>;
}

const MODULES: Module[] = [
  {
    folder: `kubernetes-${KUBERNETES}-etcd-${ETCD}`,
    goMod: readKubernetesGoMod,
    programs: {
      etcd: "go.etcd.io/etcd/server/v3",
      "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
      "kube-controller-manager": "k8s.io/kubernetes/cmd/kube-controller-manager",
      "kube-scheduler": "k8s.io/kubernetes/cmd/kube-scheduler",
      kubectl: "k8s.io/kubernetes/cmd/kubectl",
    },
  },
  {
    folder: `kwok-${KWOK}`,
    goMod: async () => goMod({ "sigs.k8s.io/kwok": KWOK }),
    programs: { kwok: "sigs.k8s.io/kwok/cmd/kwok" },
  },
];

/** Builds missing programs of a cluster and returns their folder. */
export async function buildPrograms(signal: AbortSignal): Promise<string> {
  const bin = join(TOOLS_DIR, "cluster", `${KUBERNETES}-etcd-${ETCD}-kwok-${KWOK}`);
  mkdirSync(bin, { recursive: true });
  for (const { folder, goMod, programs } of MODULES) {
    const missing = Object.entries(programs).filter(([name]) => !executable(join(bin, name)));
    if (missing.length === 0) continue;
    const cwd = join(TOOLS_DIR, "cluster", "modules", folder);
    mkdirSync(cwd, { recursive: true });
    writeFileSync(join(cwd, "go.mod"), await goMod());
    for (const [name, path] of missing) await build(path, join(bin, name), cwd, signal);
  }
  return bin;
}

async function readKubernetesGoMod(): Promise<string> {
  const { GoMod: file } = await downloadModule(`k8s.io/kubernetes@${KUBERNETES}`);
  const { stdout } = await execa("go", ["mod", "edit", "-json", file], { env: GO_ENV });
  return kubernetesGoMod(GoMod.parse(JSON.parse(stdout)), KUBERNETES, {
    "go.etcd.io/etcd/server/v3": ETCD,
  });
}

/** Leaves one core free and runs with low priority. */
async function build(path: string, file: string, cwd: string, cancelSignal: AbortSignal) {
  const start = performance.now();
  const [, minor = ""] = KUBERNETES.split(".");
  const version = { gitVersion: KUBERNETES, gitMajor: "1", gitMinor: minor };
  const flags = Object.entries(version).map(
    ([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`,
  );
  const ldflags = ["-s -w", ...flags].join(" ");
  const jobs = Math.max(1, availableParallelism() - 1);
  const args = ["build", `-p=${jobs}`, "-mod=mod", "-trimpath", `-ldflags=${ldflags}`];
  console.log(`… building ${path} (takes minutes the first time)`);
  await execa("nice", ["-n", "15", "go", ...args, "-o", `${file}.new`, path], {
    cwd,
    env: { ...GO_ENV, CGO_ENABLED: "0" },
    cancelSignal,
  });
  renameSync(`${file}.new`, file);
  console.log(`✓ ${path} (${((performance.now() - start) / 1000).toFixed(0)} s)`);
}
