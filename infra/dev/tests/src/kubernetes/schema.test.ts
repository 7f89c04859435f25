import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { describe, expect, it, onTestFinished } from "vitest";
import { KUSTOMIZE, type Manifest, manifestsOf, productionWith } from "./manifests.ts";

/** From PyPI; includes the schemas of Kubernetes' built-in kinds. */
const VALIDATOR = "kubernetes-validate";

/** The validator has no schemas of custom resources. */
const isOfKubernetes = ({ apiVersion }: Manifest) =>
  /^(v1|[a-z]+\/v\d+|[a-z.]+\.k8s\.io\/v1)$/.test(apiVersion) && !apiVersion.startsWith("gateway.");

describe("the schemas of Kubernetes", () => {
  skipWithout(VALIDATOR);

  it.each(["local", "production"] as const)("accept the manifests of %s", (overlay) => {
    expect(validate(manifestsOf(overlay))).toBe("");
  });

  describe("with a component", () => {
    skipWithout("kustomize", KUSTOMIZE === null);

    it.each(["region", "first-region", "private-ca"])("accept %s", (component) => {
      expect(validate(productionWith(component))).toBe("");
    });
  });
});

/** The errors in strict mode. */
function validate(manifests: Manifest[]): string {
  const folder = mkdtempSync(join(tmpdir(), "tapthru-manifests-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = manifests.filter(isOfKubernetes).map((manifest, i) => {
    const file = join(folder, `${i}-${manifest.kind}.json`);
    writeFileSync(file, JSON.stringify(manifest));
    return file;
  });
  expect(files.length).toBeGreaterThan(20);
  const { status, stdout } = spawnSync(VALIDATOR, ["--strict", "--quiet", ...files], {
    encoding: "utf8",
  });
  return status === 0 ? stdout : `${status}: ${stdout}`;
}
