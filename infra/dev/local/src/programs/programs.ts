/** A program the stack needs and does not bring from npm, and where each kind of system has it. */
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
