/** A program that the stack needs and npm does not have, with its name in each package manager. */
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
