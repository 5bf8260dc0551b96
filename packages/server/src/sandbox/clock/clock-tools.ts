import type { Queries } from '../../database/index.ts';
import type { TimeTraveler } from '../../jobs/index.ts';
import type { MasterKey } from '../../security/index.ts';
import type { Capacity } from './capacity.ts';

/** What moving an organization's clock works with. */
export interface ClockTools {
  database: Queries;
  masterKey: MasterKey;
  /** The rooms with work that becomes due, in the order in which they run what is due at the same time. */
  travelers: readonly TimeTraveler[];
  /** How many moves may run in this process at once. */
  capacity: Capacity;
  /** Aborts when the process is about to stop. */
  stopping: AbortSignal;
}
