/** The child process of read-page.ts. */
import { serve } from "../../../child-process/child.ts";
import { parsePage } from "./parse-page.ts";

serve(parsePage);
