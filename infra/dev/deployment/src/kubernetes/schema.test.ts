import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { skipWithout } from "@tapthru/local/testing/skip-tests";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Manifest, manifestsOf, type Overlay } from "./manifests.ts";

/** From PyPI; includes the schemas of Kubernetes' built-in kinds. */
const VALIDATOR = "kubernetes-validate";

/** The validator has no schemas of custom resources. */
const isOfKubernetes = ({ apiVersion }: Manifest) =>
  /^(v1|[a-z]+\/v\d+|[a-z.]+\.k8s\.io\/v1)$/.test(apiVersion) && !apiVersion.startsWith("gateway.");

describe("the schemas of Kubernetes", () => {
  skipWithout(VALIDATOR);

  it.each<Overlay>(["local", "production"])(
    "accept the manifests of %s in strict mode",
    (overlay) => {
      const folder = mkdtempSync(join(tmpdir(), "tapthru-manifests-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const manifests = manifestsOf(overlay).filter(isOfKubernetes);
      const files = manifests.map((manifest, i) => {
        const file = join(folder, `${i}-${manifest.kind}.json`);
        writeFileSync(file, JSON.stringify(manifest));
        return file;
      });

      expect(files.length).toBeGreaterThan(20);
      const { status, stdout } = spawnSync(VALIDATOR, ["--strict", "--quiet", ...files], {
        encoding: "utf8",
      });
      expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
    },
  );
});
