import { CREATORS_CLIENT, REPORTS } from "@tapthru/amazon-stand-in/creators-api";
import { type AmazonStandIn, startAmazonStandIn } from "@tapthru/amazon-stand-in/stand-in";
import { EARNINGS_FILE_MAX_BYTES } from "@tapthru/proto/rules/limits";
import { createSafeFetch } from "@tapthru/runtime/safe-fetch/safe-fetch";
import { createEarningsSecrets } from "@tapthru/runtime/sealer";
import { createTestLogger } from "@tapthru/runtime/testing/test-logger";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { addReportUser, NO_QUEUE } from "../testing/test-reports.ts";
import { fetchReports } from "./fetch-reports.ts";

const [OLD_KEY, NEW_KEY] = [
  "an earlier key of thirty-two letters",
  "the newest key of thirty-two letters",
];
const earlierSecrets = createEarningsSecrets([OLD_KEY]);
const secrets = createEarningsSecrets([NEW_KEY, OLD_KEY]);
const { logger, lines } = createTestLogger();

let database: TestDatabase;
let amazon: AmazonStandIn;
beforeAll(async () => {
  [database, amazon] = await Promise.all([createTestDatabase(), startAmazonStandIn()]);
});
afterAll(() => Promise.all([database.drop(), amazon.stop()]));
beforeEach(async () => {
  await database.empty();
  amazon.requests.length = 0;
  lines.length = 0;
  REPORTS.clear();
  addReport("Fee-Earnings.csv");
});

function addReport(name: string, { fees = "0.52", body = file(fees), url }: NewReport = {}) {
  REPORTS.set(name, { body, lastModified: "2026-10-02T06:00:00Z", url });
}
interface NewReport {
  fees?: string;
  body?: string | Buffer;
  url?: string;
}
const file = (fees: string) =>
  `Fee-Earnings reports from 2026-09-01 to 2026-09-30\nASIN,Tracking ID,Date Shipped,Items Shipped,Ad Fees\nB08N5WRWNW,me-21,2026-09-03,1,${fees}\n`;

async function connect({ secret = CREATORS_CLIENT.secret, seal = earlierSecrets.seal } = {}) {
  const userId = await addReportUser(database);
  await database.rows(
    `INSERT INTO earnings_connections (user_id, marketplace, store_id, client_id, sealed_secret, version)
     VALUES ($1, 'de', 'shop-21', $2, $3, '3.2')`,
    [userId, CREATORS_CLIENT.id, seal(secret, { userId, marketplace: "de" })],
  );
  return userId;
}

const fetchDue = ({
  url = amazon.url,
  signal = new AbortController().signal,
  maxReports = 100,
} = {}) =>
  fetchReports(
    {
      db: database.db,
      jobs: NO_QUEUE,
      logger,
      reportsFetch: createSafeFetch({
        standInUrl: url,
        userAgent: "Tapthru-test",
        deadlineMs: 60_000,
      }),
      earningsSecrets: secrets,
    },
    signal,
    maxReports,
  );
const connection = async () =>
  (
    await database.rows(
      `SELECT *, round(extract(epoch FROM next_fetch_at - now()) / 3600)::int AS hours FROM earnings_connections`,
    )
  )[0];
const makeDue = () => database.rows("UPDATE earnings_connections SET next_fetch_at = now()");
const imports = () =>
  database.rows(
    `SELECT import.file_name, import.source, import.state, import.store_id, sums->>'earnings' AS earnings, days::text
     FROM earnings_imports AS import LEFT JOIN earnings_reports AS report ON import_id = import.id
     WHERE import.state <> 'removed' ORDER BY import.created_at`,
  );
const requestedFiles = () =>
  amazon.requests.flatMap(({ host, url }) => (host.includes("amazonaws") ? url : []));

describe("reports of Amazon", () => {
  it("are stored once a day, each once, and again when it changed", async () => {
    await connect();
    await fetchDue();
    const september = "{[2026-09-01,2026-10-01)}";
    const first = {
      file_name: "Fee-Earnings.csv",
      source: "amazon",
      state: "stored",
      store_id: "shop-21",
      earnings: "52",
      days: september,
    };
    expect(await imports()).toEqual([first]);
    expect(await connection()).toMatchObject({
      error: null,
      fetched_at: expect.any(Date),
      hours: 24,
    });
    await fetchDue();
    expect(requestedFiles()).toHaveLength(1);
    await makeDue();
    await fetchDue();
    expect(requestedFiles()).toHaveLength(1);
    addReport("Fee-Earnings.csv", { fees: "0.60" });
    await makeDue();
    await fetchDue();
    // The earlier one is not needed any more.
    expect(await imports()).toEqual([{ ...first, earnings: "60" }]);
  });

  it("are fetched with the version, the store and the secret of the user, which is then encrypted with the newest key", async () => {
    const userId = await connect();
    await fetchDue();
    expect(amazon.requests.map(({ host, url }) => host + url)).toEqual([
      "api.amazon.co.uk/auth/o2/token",
      "creatorsapi.amazon/reports/v1/listReports",
      "creatorsapi.amazon/reports/v1/getReport",
      expect.stringMatching(
        /^creators-reports\.s3\.eu-west-1\.amazonaws\.com\/Fee-Earnings\.csv\?/,
      ),
    ]);
    expect(amazon.requests[1]?.headers).toMatchObject({ "x-marketplace": "www.amazon.de" });
    const sealed = String((await connection())?.sealed_secret);
    const owner = { userId, marketplace: "de" };
    expect(createEarningsSecrets([NEW_KEY]).open(sealed, owner)).toBe(CREATORS_CLIENT.secret);
  });

  it("that cannot be read are reported, and do not keep others back", async () => {
    addReport("a.csv", { body: "a,b\n1,2\n" });
    addReport("b.csv", { body: Buffer.alloc(EARNINGS_FILE_MAX_BYTES + 1, "x") });
    await connect();
    await fetchDue();
    expect((await imports()).map(({ file_name, state }) => [file_name, state])).toEqual([
      ["Fee-Earnings.csv", "stored"],
      ["a.csv", "refused"],
      ["b.csv", "refused"],
    ]);
    const failed = { error: "unknown-report", fetched_at: expect.any(Date), hours: 24 };
    expect(await connection()).toMatchObject(failed);
    await makeDue();
    await fetchDue();
    expect(requestedFiles()).toHaveLength(3);
    expect(await connection()).toMatchObject(failed);
    await database.rows("DELETE FROM earnings_imports WHERE state = 'refused'");
    await makeDue();
    await fetchDue();
    expect(await connection()).toMatchObject({ error: null });
  });

  it.each([
    ["on an unknown host", "https://files.example/a.csv", "unknown-host", 24],
    ["that cannot be downloaded", "https://reports.s3.amazonaws.com/a.csv", "unavailable", 1],
  ])("%s are fetched later, and do not keep others back", async (_, url, error, hours) => {
    REPORTS.clear();
    addReport("a.csv", { url });
    addReport("Fee-Earnings.csv");
    await connect();
    await fetchDue();
    expect(await imports()).toMatchObject([{ file_name: "Fee-Earnings.csv", state: "stored" }]);
    expect(await connection()).toMatchObject({ error, hours });
    addReport("a.csv");
    await makeDue();
    await fetchDue();
    expect(await imports()).toMatchObject([{ file_name: "a.csv", state: "stored" }]);
    expect(await connection()).toMatchObject({ error: null });
  });

  it("that are many are fetched in parts, an hour apart", async () => {
    for (const name of ["a.csv", "b.csv"]) addReport(name, { body: "x" });
    await connect();
    await fetchDue({ maxReports: 2 });
    expect(requestedFiles()).toHaveLength(2);
    expect(await connection()).toMatchObject({ hours: 1 });
    await makeDue();
    await fetchDue({ maxReports: 2 });
    expect(requestedFiles()).toHaveLength(3);
    expect(await connection()).toMatchObject({ hours: 24 });
  });

  it("with dates of two meanings wait for an answer of the user", async () => {
    addReport("Fee-Earnings.csv", {
      body: "ASIN,Tracking ID,Date Shipped,Items Shipped,Ad Fees\nB08N5WRWNW,me-21,03/04/2026,1,0.52\n",
    });
    await connect();
    await fetchDue();
    expect(await imports()).toMatchObject([{ state: "question" }]);
    expect(await connection()).toMatchObject({ error: "unknown-report" });
  });
});

describe("a connection", () => {
  it("with wrong credentials is tried again the next day", async () => {
    await connect({ secret: "wrong" });
    await fetchDue();
    expect(await connection()).toMatchObject({ error: "refused", fetched_at: null, hours: 24 });
    expect(JSON.stringify(lines)).not.toContain("wrong");
  });

  it("whose secret cannot be opened is refused without a request", async () => {
    await connect({ seal: createEarningsSecrets(["a key that the operator lost, of old"]).seal });
    await fetchDue();
    expect(amazon.requests).toEqual([]);
    expect(await connection()).toMatchObject({ error: "refused" });
    expect(lines).toMatchObject([{ event: "earnings_fetch_failed" }]);
  });

  it("is tried again after an hour if Amazon is unavailable", async () => {
    await connect();
    await fetchDue({ url: "http://127.0.0.1:9" });
    expect(await connection()).toMatchObject({ error: "unavailable", hours: 1 });
    await makeDue();
    await fetchDue();
    expect(await connection()).toMatchObject({ error: null });
  });

  it("that was saved anew in the meantime is fetched with the new credentials", async () => {
    await connect();
    await database.rows(
      `CREATE FUNCTION save_anew() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
         UPDATE earnings_connections SET sealed_secret = 'another', next_fetch_at = now(); RETURN NULL; END $$;
       CREATE TRIGGER save_anew AFTER INSERT ON earnings_imports EXECUTE FUNCTION save_anew()`,
    );
    await fetchDue();
    await database.rows("DROP TRIGGER save_anew ON earnings_imports");
    expect(await connection()).toMatchObject({ sealed_secret: "another", error: "refused" });
  });

  it("of a user who is disabled is left alone", async () => {
    const userId = await connect();
    await database.rows("UPDATE users SET state = 'disabled' WHERE id = $1", [userId]);
    await fetchDue();
    expect(amazon.requests).toEqual([]);
  });

  it("of an account that is being deleted is left alone", async () => {
    const userId = await connect();
    await database.rows(
      "INSERT INTO account_deletions (user_id, firebase_uid) SELECT id, firebase_uid FROM users WHERE id = $1",
      [userId],
    );
    await fetchDue();
    expect(amazon.requests).toEqual([]);
  });
});
