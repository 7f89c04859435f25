import type * as activityCalls from "../http/activity.ts";
import type { Activity } from "../http/activity.ts";
import { ACTIVITY_EXPORT_MAX_COUNT } from "../rules/limits.ts";
import type { DocumentationOf } from "./call-documentation.ts";
import { EXAMPLE_CODE } from "./example-values.ts";

export const EXAMPLE_ACTIVITY: Activity = {
  id: 9041,
  at: "2026-11-26T15:00:00.000Z",
  actor: "key",
  actorName: "Nightly script",
  action: "link.changed",
  object: EXAMPLE_CODE,
  before: { nickname: null },
  after: { nickname: "Mug of the camping list" },
  requestId: "0f6c6a0e-6d0e-4a53-8e0c-0b8a3f3d0d5e",
};

export const EXAMPLE_ACTIVITY_CSV = `time,actor,name,action,object,before,after,request
2026-11-26T15:00:00.000Z,key,Nightly script,link.changed,${EXAMPLE_CODE},"{""nickname"":null}","{""nickname"":""Mug of the camping list""}",0f6c6a0e-6d0e-4a53-8e0c-0b8a3f3d0d5e
`;

export const activityDocumentation: DocumentationOf<typeof activityCalls> = {
  listActivity: {
    tag: "Activity",
    summary: "List changes",
    description: `What was changed in the user's account, by whom, the newest first; with \`link\`, what was changed of this link. An API key needs \`link\`: the whole list has what no key may read, such as webhooks and logins. \`before\` and \`after\` have what changed. \`nextBefore\` is \`before\` of the next page. As \`text/csv\` without pages, at most ${ACTIVITY_EXPORT_MAX_COUNT} rows.`,
    errors: ["key-not-allowed", "link-not-found"],
    otherTypes: { "text/csv": EXAMPLE_ACTIVITY_CSV },
    example: {
      query: { link: EXAMPLE_CODE },
      replies: { 200: { activity: [EXAMPLE_ACTIVITY], nextBefore: null } },
    },
  },
};
