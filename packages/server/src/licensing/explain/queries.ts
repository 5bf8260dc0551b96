import { one, statement } from '../../database/index.ts';

/** The line of a license, as one user sees it. */
export interface Line {
  waiting: number;
  /** The position of the user's first machine, from 1. Null if none of the user's machines is waiting. */
  position: number | null;
}

/** Counts the machines waiting for a seat of a license, and finds the user's position. */
export const findLine = statement({
  name: 'find_line',
  parameters: { organizationId: 'text', licenseId: 'text', userId: 'text' },
  returns: one<Line>(),
  sql: ({ organizationId, licenseId, userId }) => `
    select count(*)::integer as waiting, min(rank) filter (where user_id = ${userId})::integer as position
    from (
      select user_id, row_number() over (order by place) as rank from seat_waits
      where organization_id = ${organizationId} and license_id = ${licenseId} and ended_at is null
    ) line`,
});
