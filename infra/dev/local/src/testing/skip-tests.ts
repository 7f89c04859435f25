import { beforeEach } from "vitest";
import { onPath } from "../programs/on-path.ts";

/** Programs that single tests need, and what brings them. */
const PROGRAMS = {
  k6: "Go: go install go.k6.io/k6@latest",
  kustomize: "Go: go install sigs.k8s.io/kustomize/kustomize/v5@latest; or kubectl",
  "kubernetes-validate": "PyPI: pip install kubernetes-validate",
  prometheus: "Debian: apt-get install prometheus",
  promtool: "Debian: apt-get install prometheus",
};

type Program = keyof typeof PROGRAMS;

/** Skips the tests of the describe, or else of the file, that calls it where the program is missing. */
export function skipWithout(program: Program, isMissing = onPath(program) === null): void {
  beforeEach(({ skip }) => skip(isMissing, skipReason(program)));
}

/** Why a test is skipped where the program is missing. */
export function skipReason(program: Program): string {
  return `${program} is missing (${PROGRAMS[program]})`;
}
