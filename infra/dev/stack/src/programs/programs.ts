/** A program that the stack needs and that is not on npm, with its name in each package manager. */
export interface Program {
  name: string;
  aptPackage: string;
  brewFormula: string;
  dockerImage: string;
}

export const REDIS: Program = {
  name: "redis-server",
  aptPackage: "redis-server",
  brewFormula: "redis",
  dockerImage: "redis:8-bookworm",
};

export const NGINX: Program = {
  name: "nginx",
  aptPackage: "nginx",
  brewFormula: "nginx",
  dockerImage: "nginx:1.29-bookworm",
};

/** Says how to install the missing programs on this platform. */
export function installAdvice(missing: readonly Program[], platform: NodeJS.Platform): string {
  const names = missing.map(({ name }) => name).join(" and ");
  const command =
    platform === "darwin"
      ? `brew install ${missing.map(({ brewFormula }) => brewFormula).join(" ")}`
      : `sudo apt-get install ${missing.map(({ aptPackage }) => aptPackage).join(" ")}`;
  return `Missing: ${names}. Install with \`${command}\`, or start Docker.`;
}
