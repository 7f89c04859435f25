import { useQuery } from "@tanstack/react-query";
import { createPattern, tooManyPatterns } from "@tapthru/proto/patterns";
import { PATTERNS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { CallForm, TextField } from "../../../kit/call-form.tsx";
import { Items } from "../../../kit/items.tsx";
import { queryOf } from "../../../lib/http/query-presets.ts";
import { PatternItem } from "./pattern-item.tsx";

/** The section of the account in which the user creates and revokes link patterns. */
export function LinkPatterns() {
  return (
    <Items
      title="Link patterns"
      text="For the Amazon links on your own site: put the address of a pattern in front of each, and it becomes one of your short links when it is first opened."
      empty="You have no link patterns."
      failed="Your link patterns could not be loaded."
      call="POST /api/patterns"
      what="add link patterns"
      add="New link pattern"
      maxCount={PATTERNS_MAX_COUNT}
      tooMany={tooManyPatterns.message}
      query={useQuery(queryOf("GET /api/patterns"))}
      item={(pattern) => <PatternItem pattern={pattern} />}
      form={(close) => (
        <CallForm
          call="POST /api/patterns"
          rules={createPattern.body}
          values={{ name: "" }}
          input={(body) => ({ body })}
          save="Create link pattern"
          pending="Creating..."
          done="The link pattern was created. Copy its address from the list."
          failed="Failed to create the link pattern. Please try again."
          replyLost="No reply arrived. Please see whether the pattern is in the list before you try again."
          onClose={close}
        >
          <TextField name="name" label="Name of the pattern" hint="For example the site that you use it on." />
        </CallForm>
      )}
    />
  );
}
