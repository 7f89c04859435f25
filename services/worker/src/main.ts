import { readConfigAtBoot } from "@tapthru/core/platform/config/configs";
import { runComponents } from "@tapthru/core/platform/lifecycle";
import { createLogger } from "@tapthru/core/platform/logger";
import { createContext } from "./context.ts";
import { createComponents } from "./server.ts";

const config = readConfigAtBoot("worker");
const logger = createLogger({ service: "worker", level: config.LOG_LEVEL });
const context = createContext(config, logger);
await runComponents(logger, createComponents(config, context));
logger.info({ event: "service_started" }, "worker started");
