import { runLinksCommand } from "@tapthru/postgres/commands/links";
import { withDatabase } from "../servers/database.ts";

await withDatabase((databaseUrl, { publicBaseUrl }) =>
  runLinksCommand(databaseUrl, publicBaseUrl, process.argv.slice(2)),
);
