import { migrate } from "./migrate.ts";

const databaseUrl = process.env.DATABASE_URL;
if (databaseUrl === undefined) {
  console.error("DATABASE_URL is not set: the address of the database, as a role that owns it.");
  process.exit(1);
}
const applied = await migrate({ databaseUrl, log: () => {} });
console.log(applied.length === 0 ? "The schema is up to date." : `Applied ${applied.join(", ")}.`);
