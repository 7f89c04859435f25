import { runLinksCommand } from "@tapthru/postgres/commands/links";
import { withDatabase } from "../servers/database.ts";

await withDatabase((databaseUrl) => runLinksCommand(databaseUrl, process.argv.slice(2)));
