import type { Queries } from '../database/index.ts';

/**
 * A room's part in moving the clock of one organization forward (sandbox): the clock is set to when the next thing is due,
 * that thing is done, and so on until the time that was asked for. Nothing here touches another organization.
 */
export interface TimeTraveler {
  /**
   * When the organization's next thing is due, on its own clock, in milliseconds since 1970; undefined when there is none
   * until `untilMs`. What is overdue, or is being done by another process, counts with its own time.
   */
  nextDueMs(organizationId: string, untilMs: number): Promise<number | undefined>;
  /**
   * Does what is due by the organization's clock; returns how many things, zero when others are still at them. What waits for
   * others ends on `ending`.
   */
  runDue(organizationId: string, ending: AbortSignal): Promise<number>;
  /** Moves what the room keeps in real time, in the transaction that moves the clock. */
  shift?(tx: Queries, organizationId: string, milliseconds: number): Promise<void>;
}
