/** The result of one check. */
export interface Finding {
  check: string;
  ok: boolean;
  /** It is not wrong, but may be unintended. */
  isWarning?: true;
  detail: string;
  /** What is wrong, thing by thing, where there may be many: the first hundred. */
  faults?: readonly string[];
}
