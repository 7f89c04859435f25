import { createLogger } from "../logger.ts";
import { EnvError } from "./env.ts";

/**
 * Reads a process's configuration at boot. If it is invalid, logs all errors in one JSON record and exits with 1.
 */
export function readConfigAtBoot<Config>(service: string, readConfig: () => Config): Config {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    createLogger({ service, level: "fatal" }).fatal(
      { event: "invalid_configuration", problems: error.problems },
      "invalid configuration",
    );
    process.exit(1);
  }
}
