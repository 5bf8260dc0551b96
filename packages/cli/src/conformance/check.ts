import type { GroupKey } from './group-keys.ts';
import type { Probe } from './probe.ts';

/** One promise of the API, and how to check it. */
export interface Check {
  /** The promise, as a sentence. */
  name: string;
  /** Throws a Fault if the promise is broken, and LeftOut if it cannot be checked here. */
  run(probe: Probe): Promise<void>;
}

/** The checks of one section of the contract. */
export interface CheckGroup {
  /** Its name on the command line. */
  key: GroupKey;
  title: string;
  checks: readonly Check[];
}
