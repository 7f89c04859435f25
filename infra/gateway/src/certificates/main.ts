import { readConfigAtBoot } from "@tapthru/core/platform/config/configs";
import { runComponents } from "@tapthru/core/platform/lifecycle";
import { createLogger } from "@tapthru/core/platform/logger";
import { createCertificateKeys } from "@tapthru/core/platform/sealer";
import { createCopier } from "./copier.ts";

const config = readConfigAtBoot("certificates");
const logger = createLogger({ service: "certificates", level: config.LOG_LEVEL });
const { DATABASE_URL: databaseUrl, CERTIFICATES_DIR: directory, ENCRYPTION_KEYS: keys } = config;
const certificateKeys = createCertificateKeys(keys ?? []);
await runComponents(logger, [createCopier({ databaseUrl, directory, certificateKeys, logger })]);
logger.info({ event: "service_started" }, "certificates started");
