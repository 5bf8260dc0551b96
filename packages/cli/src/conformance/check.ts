import type { GroupKey } from './group-keys.ts';
import type { Probe } from './probe.ts';

/** One promise of the API, and how to find out whether a service keeps it. */
export interface Check {
  /** The promise, as a sentence. */
  name: string;
  /** Throws a Fault when the promise is broken, LeftOut when it cannot be checked here. */
  run(probe: Probe): Promise<void>;
}

/** The checks of one section of the contract. */
export interface CheckGroup {
  /** How the command line names it. */
  key: GroupKey;
  title: string;
  checks: readonly Check[];
}
