import { type QuerySqlToken, sql } from "slonik";
import * as z from "zod/mini";
import type { TestApi } from "./test-api.ts";

export interface Plan {
  "Node Type": string;
  "Parent Relationship"?: string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

/** Reads the labels of each link on the page, which sorts at most ten rows, or its channel. */
const isOfOneLink = (plan: Plan) =>
  plan["Parent Relationship"] === "SubPlan" &&
  (plan["Node Type"] === "Aggregate" || plan["Relation Name"] === "channels");

/** Runs the query. @returns the nodes of its plan */
export async function queryPlan(api: TestApi, query: QuerySqlToken): Promise<Plan[]> {
  const Row = z.object({ "QUERY PLAN": z.array(z.object({ Plan: z.custom<Plan>() })) });
  const { "QUERY PLAN": plans } = await api.context.db.one(sql.type(Row)`EXPLAIN (ANALYZE, FORMAT JSON) ${query}`);
  const nodesOf = (plan: Plan): Plan[] => (isOfOneLink(plan) ? [] : [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]);
  return plans.flatMap(({ Plan: plan }) => nodesOf(plan));
}

export const rowsRead = (plan: Plan[], table: string) =>
  plan
    .filter((node) => node["Relation Name"] === table)
    .reduce(
      (sum, node) => sum + node["Actual Loops"] * (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)),
      0,
    );
