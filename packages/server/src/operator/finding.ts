/** One thing that was looked at. */
export interface Finding {
  check: string;
  ok: boolean;
  detail: string;
  /** What is wrong, thing by thing, where there may be many: the first hundred. */
  faults?: readonly string[];
}
