import { fillPostgres } from "@tapthru/bench/redirect/populate";
import { UserFacingError } from "@tapthru/local/user-facing-error";

const MAX_LINKS = 10 ** 6;

/**
 * Puts the data set into a database: as many links, by number, without a row in the outbox. Those that
 * are there stay.
 */
export async function seed(databaseUrl: string, links: number): Promise<void> {
  if (!(Number.isInteger(links) && links >= 1 && links <= MAX_LINKS)) {
    throw new UserFacingError("LINKS has to be a whole number from 1 to 1000000.");
  }
  await fillPostgres(databaseUrl, links);
}
