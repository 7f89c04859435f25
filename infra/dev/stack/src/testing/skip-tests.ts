import { beforeEach } from "vitest";
import { findOnPath } from "../programs/on-path.ts";

/** Programs that some tests need, and how to install them. */
const PROGRAMS = {
  age: "Debian: apt-get install age",
  helm: "Go: go install helm.sh/helm/v4/cmd/helm@latest",
  k6: "Go: go install go.k6.io/k6@latest",
  "kubernetes-validate": "PyPI: pip install kubernetes-validate",
  pg_dump: "Debian: apt-get install postgresql",
  pebble: "Debian: apt-get install pebble",
  promtool: "Debian: apt-get install prometheus",
  schemathesis: "PyPI: pip install schemathesis",
};

type Program = keyof typeof PROGRAMS;

/** Skips the tests of the calling describe, or of the file, if the program is missing. */
export function skipWithout(program: Program, isMissing = findOnPath(program) === null): void {
  beforeEach(({ skip }) => skip(isMissing, skipReason(program)));
}

function skipReason(program: Program): string {
  return `${program} is missing (${PROGRAMS[program]})`;
}
