import type { Queries } from '../../database/index.ts';
import type { TimeTraveler } from '../../jobs/index.ts';
import type { MasterKey } from '../../security/index.ts';
import type { Capacity } from './capacity.ts';

/** The dependencies of moving an organization's clock. */
export interface ClockTools {
  database: Queries;
  masterKey: MasterKey;
  /** The rooms with due work, in the order in which they run work that is due at the same time. */
  travelers: readonly TimeTraveler[];
  /** Limits the concurrent moves in this process. */
  capacity: Capacity;
  /** Aborts when the process is about to stop. */
  stopping: AbortSignal;
}
