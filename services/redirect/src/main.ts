import { readConfigAtBoot } from "@tapthru/core/platform/config/configs";
import { runComponents } from "@tapthru/core/platform/lifecycle";
import { createLogger } from "@tapthru/core/platform/logger";
import { createContext } from "./context.ts";
import { createComponents } from "./server.ts";

const config = readConfigAtBoot("redirect");
const logger = createLogger({ service: "redirect", level: config.LOG_LEVEL });
const context = createContext(config, logger);
await runComponents(logger, await createComponents(config, context));
logger.info({ event: "service_started", host: config.HOST, port: config.PORT }, "redirect started");
