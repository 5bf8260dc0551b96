/** What a program wrote about its seat. `at` is the machine's monotonic clock in milliseconds, the same for all processes. */
export type Line = { readonly at: number; readonly program: string } /** It asks for a seat from now on. */ & (
  | { readonly event: 'asking' }
  | { readonly event: 'waiting'; readonly position: number }
  | { readonly event: 'granted'; readonly reason: string }
  | { readonly event: 'offline'; readonly reason: string }
  | { readonly event: 'lost'; readonly reason: string; readonly final: boolean }
  /** It has stopped its work, and releases the seat next. */
  | { readonly event: 'stopping' }
  | { readonly event: 'released' }
  /** The acquire failed. */
  | { readonly event: 'refused'; readonly reason: string }
);

/** What was done to a program. */
export interface Action {
  readonly at: number;
  readonly program: string;
  readonly event: 'started' | 'asleep' | 'awake' | 'killed' | 'told_to_end';
}

/** When something was wrong with the service, its database or the network. */
export interface Fault {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Everything known about a trial, each list in chronological order. */
export interface Evidence {
  readonly lines: readonly Line[];
  readonly actions: readonly Action[];
  readonly faults: readonly Fault[];
}

/** The machine's monotonic clock in milliseconds, as the programs read it. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Reads what a program wrote. The last line may be incomplete if the program was killed. */
export function parseLines(program: string, text: string): Line[] {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ ...JSON.parse(line), program }));
}
