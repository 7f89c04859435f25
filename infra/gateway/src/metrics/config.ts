import { parseEnv } from "@tapthru/runtime/config/env";
import { commonSettings, portWithDefault } from "@tapthru/runtime/config/settings";
import * as z from "zod/mini";

const { HOST, LOG_LEVEL, TAPTHRU_VERSION } = commonSettings;

/** The settings of the program that makes metrics of the gateway's log. */
export const Config = z.object({
  HOST,
  LOG_LEVEL,
  TAPTHRU_VERSION,
  /** UDP. */
  SYSLOG_PORT: portWithDefault(5514),
  ADMIN_PORT: portWithDefault(9084),
});

/** It knows no secret and no site. */
const NO_REFUSALS: [] = [];

/** @throws EnvError naming every setting that is invalid */
export function readConfig(): z.output<typeof Config> {
  return parseEnv(Config, process.env, NO_REFUSALS);
}
