import { execute, type Member, type TestApp } from './index.ts';

/** Puts this many machines in line, as if each had asked for a seat. */
export async function plantWaits(
  app: TestApp,
  { organizationId, userId }: Member,
  licenseId: string,
  count: number,
): Promise<void> {
  await execute(
    app.database,
    `insert into seat_waits (organization_id, id, license_id, user_id, hardware_id, joined_at, deadline, due_at, touched, status)
     select $1, 'wait_' || lpad(n::text, 26, '0'), $2, $3, 'hw_' || lpad(n::text, 32, '0'), clock_timestamp(),
       clock_timestamp() + interval '1 hour', clock_timestamp() + interval '1 hour', 0, 'waiting'
     from generate_series(1, $4) n`,
    [organizationId, licenseId, userId, count],
  );
  await execute(
    app.database,
    'update license_seat_counts set waiting = $3 where organization_id = $1 and license_id = $2',
    [organizationId, licenseId, count],
  );
}
