import { fillPostgres } from "@tapthru/bench/redirect/populate";
import { UserFacingError } from "@tapthru/local/user-facing-error";

const MAX_LINKS = 10 ** 6;

/**
 * Inserts the data set into a database: numbered links without outbox rows. Existing links are kept.
 */
export async function seed(databaseUrl: string, links: number): Promise<void> {
  if (!(Number.isInteger(links) && links >= 1 && links <= MAX_LINKS)) {
    throw new UserFacingError("LINKS must be an integer from 1 to 1000000.");
  }
  await fillPostgres(databaseUrl, links);
}
