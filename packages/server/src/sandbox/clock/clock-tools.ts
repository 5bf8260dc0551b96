import type { Queries } from '../../database/index.ts';
import type { TimeTraveler } from '../../jobs/index.ts';
import type { MasterKey } from '../../security/index.ts';
import type { Places } from './places.ts';

/** What moving an organization's clock works with. */
export interface ClockTools {
  database: Queries;
  masterKey: MasterKey;
  /** The rooms that have things to be done at their times, in the order in which what is due together is done. */
  travelers: readonly TimeTraveler[];
  /** For as many moves as are at work in this process at once. */
  places: Places;
  /** Aborts when the process is about to stop. */
  stopping: AbortSignal;
}
