import { parseEnv } from "@tapthru/runtime/config/env";
import { commonSettings, portWithDefault } from "@tapthru/runtime/config/settings";
import * as z from "zod/mini";

const { HOST, LOG_LEVEL, TAPTHRU_VERSION } = commonSettings;

/** The settings of gateway-metrics. */
export const Config = z.object({
  HOST,
  LOG_LEVEL,
  TAPTHRU_VERSION,
  /** UDP port for the gateways' log. */
  SYSLOG_PORT: portWithDefault(5514),
  ADMIN_PORT: portWithDefault(9084),
});

/** The common rules are about settings that gateway-metrics does not have. */
const NO_SETTING_RULES: [] = [];

/** @throws EnvError that lists every invalid setting */
export function readConfig(): z.output<typeof Config> {
  return parseEnv(Config, process.env, NO_SETTING_RULES);
}
