import { fail } from "k6";
import { API_KEY, call, replyOf } from "./steps/api.js";
import { deleteLinks, NICKNAME } from "./steps/links.js";

// Deletes the links that killed runs left in the account of API_KEY. Other runs delete their links at their end.
export default function unseed() {
  if (API_KEY === null) fail("Set API_KEY to the key with which the links were created.");
  const query = `q=${encodeURIComponent(NICKNAME)}`;
  const ids = replyOf(call("GET", "list-ids", `/api/link-ids?${query}`, undefined, API_KEY));
  deleteLinks({ caller: API_KEY, ids });
  console.log(`${ids.length} links deleted`);
}
