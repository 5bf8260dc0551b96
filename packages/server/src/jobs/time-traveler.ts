import type { Queries } from '../database/index.ts';

/**
 * A room's part in moving the clock of one organization forward (sandbox): the clock is set to the time of the next due
 * work, that work is done, and so on until the requested time. Other organizations are not affected.
 */
export interface TimeTraveler {
  /**
   * When the organization's next work is due, on its own clock, in milliseconds since 1970; undefined if there is none
   * until `untilMs`. Work that is overdue or in progress on another process counts with its own time.
   */
  nextDueMs(organizationId: string, untilMs: number): Promise<number | undefined>;
  /**
   * Processes the work due by the organization's clock; returns how much, and zero if others are still working on it.
   * Long waits end on `ending`.
   */
  runDue(organizationId: string, ending: AbortSignal): Promise<number>;
  /** Shifts the room's real times, in the transaction that moves the clock. */
  shift?(tx: Queries, organizationId: string, milliseconds: number): Promise<void>;
}
