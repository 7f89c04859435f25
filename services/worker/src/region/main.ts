import { readConfigAtBoot } from "@tapthru/runtime/config/configs";
import { runComponents } from "@tapthru/runtime/lifecycle";
import { createLogger } from "@tapthru/runtime/logger";
import { createRegionComponents } from "./components.ts";

const config = readConfigAtBoot("region-relay");
const logger = createLogger({ service: "region-relay", level: config.LOG_LEVEL });
await runComponents(logger, createRegionComponents(config, logger));
logger.info({ event: "service_started" }, "region relay started");
