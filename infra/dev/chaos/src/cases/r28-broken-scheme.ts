import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Prometheus, startPrometheus } from "@tapthru/monitoring/show/prometheus";
import type {
  AppOpeningStrategy,
  AppOpeningTable,
} from "@tapthru/proto/rules/app-opening/app-opening";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { type CheckResult, none } from "../check-result.ts";
import { countStoredOutcomes } from "../evidence/app-openings.ts";
import { readMetric } from "../evidence/metrics.ts";
import { readReplicaFigures } from "../evidence/replica-figures.ts";
import type { FaultCase } from "../fault-case.ts";
import { pastOutcomes } from "../load/phones/past-outcomes.ts";
import type { Phone } from "../load/phones/phone.ts";
import { startPhoneLoad } from "../load/phones/phone-load.ts";
import { codesOf } from "../load/visits/visits.ts";
import { insertProjectedLinks } from "../load/visits/warm-links.ts";
import type { Testbed } from "../testbed/testbed.ts";
import { redirectEndpoints } from "../testbed/testbed-config.ts";
import { checkBrokenScheme } from "./r28-checks.ts";

const REPLICAS = ["redirect-1", "redirect-2"] as const;
const PER_SECOND = 10;
const BASELINE_MS = 40_000;
const CANARY_MS = 30_000;
const CANARY_PERCENT = 30;
/** How long the alert may take to fire or to be resolved. */
const ALERT_TIMEOUT_MS = 6 * 60_000;

const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15";
const SAFARI: Phone = {
  row: "browser-ios",
  userAgent: `${IPHONE} (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1`,
  opensByItself: true,
};
const INSTAGRAM: Phone = {
  row: "instagram-ios",
  userAgent: `${IPHONE} (KHTML, like Gecko) Mobile/15E148 Instagram 445.0.0.26.117 (iPhone15,3; iOS 18_6)`,
  opensByItself: false,
};

const ALERTS = 'ALERTS{alertname="AppOpenRateLow",alertstate="firing"}';

export const brokenScheme: FaultCase = {
  id: "R28",
  title: "An app no longer opens by its scheme",
  expected:
    "the alert AppOpenRateLow fires ≤ 5 min after the scheme broke, for that row only; a change of data, without a deployment or restart, restores the open rate; the alert is resolved ≤ 5 min later",
  procedure: `Phones with Safari and with Instagram open ${PER_SECOND} links per second each; nine of ten have the Amazon app, and each page reports its outcome. A Prometheus with the rules of this project, and imported reports of the last seven days, scrapes both replicas every 10 s. After ${BASELINE_MS / 1_000} s, the scheme opens nothing in Safari any more, unless a person taps. Once the alert fires, the file of APP_OPENING_FILE gets a canary for ${CANARY_PERCENT} % of the visitors, whose page waits for a tap, and ${CANARY_MS / 1_000} s later the row itself is changed so. The phones do what the pages say.`,
  timeoutMs: 15 * 60_000,
  async run(trial) {
    const { testbed, log, random, pause, secondsUntil } = trial;
    const file = join(testbed.config.first.dataDir, "app-opening.json");
    await loadTablesFrom(testbed, file);
    const codes = codesOf(await insertProjectedLinks(trial, 100));
    const prometheus = await startPrometheusWithPast(testbed);
    const before = await readReplicaFigures(testbed);

    const safari = { ...SAFARI };
    const replicas = redirectEndpoints(testbed.config);
    const origins = replicas.map(({ origin }) => origin);
    const plan = { phones: [safari, INSTAGRAM], perSecond: PER_SECOND, origins, codes, random };
    const load = startPhoneLoad(plan);
    const isFiring = async () =>
      (await prometheus.query(ALERTS)).some(({ labels }) => labels.row === safari.row);
    const change = async (version: string, rows: AppOpeningStrategy[]) => {
      await writeTable(file, { ...BUILT_IN_OPENING_TABLE, version, rows });
      return secondsUntil(() => isInUse(testbed, version), 30_000);
    };
    try {
      await pause(BASELINE_MS);
      log("the scheme opens nothing without a tap");
      const brokenAt = Date.now();
      const alertsBefore = await prometheus.query(ALERTS);
      safari.opensByItself = false;
      const firingAfterS = await secondsUntil(isFiring, ALERT_TIMEOUT_MS, 1_000);

      log(`the alert fires; a canary for ${CANARY_PERCENT} % waits for a tap`);
      const canaryAt = Date.now();
      const canaryAfterS = await change("canary", withCanary(safari.row));
      await pause(CANARY_MS);

      log("the row waits for a tap");
      const changedAt = Date.now();
      const changedAfterS = await change("changed", withTap(safari.row));
      const isResolved = async () => !(await isFiring());
      const resolvedAfterS = await secondsUntil(isResolved, ALERT_TIMEOUT_MS, 1_000);
      await load.stop();

      const counted = await countReports(testbed, safari.row);
      const isStored = async () =>
        (await countStoredOutcomes(testbed.databaseUrl, safari.row)) === counted;
      const fired = await prometheus.query(`max_over_time(${ALERTS}[1h])`);
      return [
        ...checkBrokenScheme({
          visits: load.visits.filter(({ phone }) => phone === safari),
          row: safari.row,
          times: { brokenAt, canaryAt, changedAt },
          loadedAfterS: [canaryAfterS, changedAfterS],
          ...{ firingAfterS, resolvedAfterS, counted },
          storedAfterS: await secondsUntil(isStored, 30_000),
        }),
        none("alerts before the scheme broke", alertsBefore.map(rowOf)),
        none(
          "alerts for other rows",
          fired.map(rowOf).filter((row) => row !== safari.row),
        ),
        none("failed visits and reports", load.errors),
        ...(await checkRestarts(testbed, before)),
      ];
    } finally {
      await load.stop();
    }
  },
};

/** Restarts the redirects with the built-in table in a file. */
async function loadTablesFrom(testbed: Testbed, file: string): Promise<void> {
  await writeTable(file, BUILT_IN_OPENING_TABLE);
  for (const name of REPLICAS) {
    await testbed.replace(name, (plan) => ({
      ...plan,
      env: { ...plan.env, APP_OPENING_FILE: file },
    }));
  }
}

function writeTable(file: string, table: AppOpeningTable): Promise<void> {
  return writeFile(file, JSON.stringify(table));
}

function withTap(row: string): AppOpeningStrategy[] {
  return BUILT_IN_OPENING_TABLE.rows.map((each) =>
    each.id === row ? { ...each, mode: "tap" } : each,
  );
}

function withCanary(row: string): AppOpeningStrategy[] {
  const changed = withTap(row).filter(({ id }) => id === row);
  const canaries = changed.map((each) => ({
    ...each,
    id: `${each.id}-canary`,
    percent: CANARY_PERCENT,
  }));
  return [...BUILT_IN_OPENING_TABLE.rows, ...canaries];
}

function startPrometheusWithPast({ config, processes }: Testbed): Promise<Prometheus> {
  const { dataDir, logsDir } = config.first;
  return startPrometheus(
    {
      folder: join(dataDir, "prometheus"),
      logFile: join(logsDir, "prometheus.log"),
      targets: { "tapthru-redirect": redirectEndpoints(config).map(({ adminPort }) => adminPort) },
      intervalS: 10,
      past: pastOutcomes([SAFARI.row, INSTAGRAM.row], Date.now() / 1_000),
    },
    processes,
  );
}

async function isInUse({ config }: Testbed, version: string): Promise<boolean> {
  const values = redirectEndpoints(config).map(({ adminPort }) =>
    readMetric(adminPort, "tapthru_app_opening_table_info", { version }),
  );
  return (await Promise.all(values)).every((value) => value === 1);
}

async function countReports({ config }: Testbed, row: string): Promise<number> {
  const values = redirectEndpoints(config).map(({ adminPort }) =>
    readMetric(adminPort, "tapthru_app_opening_outcomes_total", { row }),
  );
  return (await Promise.all(values)).reduce((sum, value) => sum + value, 0);
}

function rowOf({ labels }: { labels: Record<string, string> }): string {
  return labels.row ?? "";
}

async function checkRestarts(
  testbed: Testbed,
  before: Awaited<ReturnType<typeof readReplicaFigures>>,
): Promise<CheckResult[]> {
  const after = await readReplicaFigures(testbed);
  return after.map(({ name, pid }, index) =>
    none(`${name}: restarts`, pid === before[index]?.pid ? [] : [String(pid)]),
  );
}
