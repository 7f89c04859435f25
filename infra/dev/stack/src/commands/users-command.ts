import { runUsersCommand } from "@tapthru/postgres/commands/users";
import { withDatabase } from "../servers/database.ts";

await withDatabase((databaseUrl, { publicBaseUrl }) =>
  runUsersCommand(databaseUrl, publicBaseUrl, process.argv.slice(2)),
);
