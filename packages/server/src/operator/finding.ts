/** The result of one check. */
export interface Finding {
  check: string;
  ok: boolean;
  /** Not a fault, but possibly unintended. */
  isWarning?: true;
  detail: string;
  /** The individual faults, if there may be many: the first hundred. */
  faults?: readonly string[];
}
