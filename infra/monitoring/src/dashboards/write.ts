import { writeFileSync } from "node:fs";
import { DASHBOARDS } from "./catalogue.ts";
import { grafanaFile, grafanaJson } from "./grafana.ts";

for (const dashboard of DASHBOARDS) writeFileSync(grafanaFile(dashboard), grafanaJson(dashboard));
