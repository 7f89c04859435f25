export type { LinkFile } from "./address-lines.ts";
export {
  countTags,
  type FoundLink,
  type Group,
  guessOwn,
  type Place,
  type Reason,
  repairedUrl,
  sortLinks,
} from "./classify-link.ts";
export {
  type KnownLink,
  type LinkDomains,
  type OwnLink,
  type PlannedLine,
  planLines,
  REFUSALS,
  REPLACEMENTS,
  type WantedLink,
  wantedLink,
} from "./plan-lines.ts";
export type { Reading } from "./read-files.ts";
export { useReader } from "./use-reader.ts";
