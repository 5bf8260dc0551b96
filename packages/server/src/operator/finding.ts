/** One thing that was looked at. */
export interface Finding {
  check: string;
  ok: boolean;
  detail: string;
}
