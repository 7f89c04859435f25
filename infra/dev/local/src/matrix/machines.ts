import { UserFacingError } from "../user-facing-error.ts";

export type CommandName = "start" | "test";
const COMMANDS: readonly CommandName[] = ["start", "test"];

/** A machine on which both commands are tested. */
export interface Machine {
  name: string;
  node: 20 | 22 | 24;
  user: "root" | "node";
  cores: 1 | 2 | 4 | 8;
  /** Path of the checkout. */
  path: string;
  fonts: "small" | "large";
  locale: string;
  /** False if the locale is set but not installed, as after a login by SSH. */
  isLocaleInstalled: boolean;
  timeZone: string;
  hasDocker: boolean;
  /** Another program listens on every default port. */
  arePortsInUse: boolean;
}

const DEFAULT_MACHINE = {
  node: 24,
  user: "node",
  cores: 4,
  path: "/home/node/tapthru",
  fonts: "small",
  locale: "C.UTF-8",
  isLocaleInstalled: true,
  timeZone: "UTC",
  hasDocker: false,
  arePortsInUse: false,
} as const;

/** Covers each value of each property at least once, not every combination. */
export const MACHINES: readonly Machine[] = [
  { ...DEFAULT_MACHINE, name: "root", user: "root", path: "/root/tapthru" },
  {
    ...DEFAULT_MACHINE,
    name: "path",
    node: 20,
    cores: 2,
    path: "/home/node/Täp thru",
    locale: "de_DE.UTF-8",
    isLocaleInstalled: false,
    timeZone: "Asia/Kathmandu",
  },
  {
    ...DEFAULT_MACHINE,
    name: "one-core",
    node: 22,
    cores: 1,
    locale: "tr_TR.UTF-8",
    timeZone: "America/St_Johns",
  },
  { ...DEFAULT_MACHINE, name: "eight-cores", cores: 8, fonts: "large" },
  {
    ...DEFAULT_MACHINE,
    name: "docker",
    node: 22,
    user: "root",
    path: "/root/tapthru",
    hasDocker: true,
  },
  { ...DEFAULT_MACHINE, name: "ports", node: 20, arePortsInUse: true },
];

/**
 * The machines and commands that the arguments name; all of them without arguments.
 * @throws UserFacingError on an unknown name
 */
export function parseMatrixArguments(args: readonly string[]): {
  machines: readonly Machine[];
  commands: readonly CommandName[];
} {
  const names = [...COMMANDS, ...MACHINES.map(({ name }) => name)];
  const unknown = args.find((word) => !names.includes(word));
  if (unknown !== undefined)
    throw new UserFacingError(`Unknown: ${unknown}. Known: ${names.join(", ")}.`);
  const machines = MACHINES.filter(({ name }) => args.includes(name));
  const commands = COMMANDS.filter((name) => args.includes(name));
  return {
    machines: machines.length > 0 ? machines : MACHINES,
    commands: commands.length > 0 ? commands : COMMANDS,
  };
}
