import { createCertificateKeys } from "@tapthru/core/platform/cipher";
import { readConfigAtBoot } from "@tapthru/core/platform/config/configs";
import { runComponents } from "@tapthru/core/platform/lifecycle";
import { createLogger } from "@tapthru/core/platform/logger";
import { sharesTickets } from "../container-settings.ts";
import { createCopier } from "./copier.ts";
import { createTicketKeys } from "./ticket-keys.ts";

const config = readConfigAtBoot("certificates");
const logger = createLogger({ service: "certificates", level: config.LOG_LEVEL });
const { DATABASE_URL: databaseUrl, CERTIFICATES_DIR: directory, ENCRYPTION_KEYS: keys } = config;
const certificateKeys = createCertificateKeys(keys ?? []);
const components = [createCopier({ databaseUrl, directory, certificateKeys, logger })];
const [secret] = keys ?? [];
if (secret !== undefined && sharesTickets()) components.push(createTicketKeys({ directory, secret, logger }));
await runComponents(logger, components);
logger.info({ event: "service_started" }, "certificates started");
