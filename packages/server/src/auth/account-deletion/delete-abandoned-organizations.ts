import type { Queries } from '../../database/index.ts';
import { hasEventSince } from '../../events/index.ts';
import { firstIdAt } from '../../ids/index.ts';
import { endOfRetention, type Job } from '../../jobs/index.ts';
import {
  endOrganization,
  listMemberIds,
  listMembershipIds,
  listOldOrganizations,
  lockOrganization,
} from '../../organizations/index.ts';
import { lockUserById } from '../../users/index.ts';
import { NOBODY } from '../record-account-audit.ts';
import { endAccountOfUser } from './delete-account.ts';
import type { AbandonedTools } from './ending-tools.ts';
import { isActiveSince } from './is-active-since.ts';
import { findActivityInOrganization } from './queries.ts';

/**
 * Deletes sandbox organizations that were not used during the retention period: no login, no token use, no seat, and no
 * event except those caused by time alone. Members without another organization and without activity are deleted too.
 */
export function deleteAbandonedOrganizationsJob(tools: AbandonedTools, days: number): Job[] {
  let after = '';
  const run = async () => {
    const since = endOfRetention(tools.clock.nowMs(), days);
    const ids = await listOldOrganizations(tools.database, after, since, ORGANIZATIONS);
    for (const id of ids) {
      if (await isAbandoned(tools, tools.database, id, since)) {
        await deleteAbandoned(tools, id, since);
      }
      after = id;
    }
    if (ids.length < ORGANIZATIONS) {
      after = '';
    }
    return ids.length === ORGANIZATIONS;
  };
  return days === 0 ? [] : [{ name: 'auth.delete-abandoned-organizations', everyMs: HOUR_MS, run }];
}

async function isAbandoned(tools: AbandonedTools, database: Queries, id: string, since: Date): Promise<boolean> {
  const sinceMs = since.getTime();
  const memberIds = await listMemberIds(database, id);
  return (
    !(await findActivityInOrganization(database, { organizationId: id, memberIds, since })).is_active &&
    !(await tools.connectedApps.hasActivityInOrganization(database, id, since)) &&
    !(await tools.hasSeatUseSince(database, id, firstIdAt('seatSession', sinceMs))) &&
    !(await hasEventSince(database, {
      organizationId: id,
      firstEventId: firstIdAt('event', sinceMs),
      exceptTypes: tools.eventsOfTime,
    }))
  );
}

async function deleteAbandoned(tools: AbandonedTools, id: string, since: Date): Promise<void> {
  const memberIds = await tools.database.transaction(async (tx) => {
    const organization = await lockOrganization(tx, { organizationId: id });
    if (organization === undefined || !(await isAbandoned(tools, tx, id, since))) {
      return [];
    }
    const members = await listMemberIds(tx, id);
    await tools.discardLiveBilling(tx, id);
    await endOrganization(tx, tools, organization, { ...NOBODY, organizationId: id });
    return members;
  });
  for (const userId of memberIds) {
    await tools.database.transaction(async (tx) => {
      const user = await lockUserById(tx, { userId });
      const isLeft = user !== undefined && (await listMembershipIds(tx, userId)).length === 0;
      if (isLeft && !(await isActiveSince(tx, tools, userId, since))) {
        await endAccountOfUser(tx, tools, userId, NOBODY);
      }
    });
  }
}

const ORGANIZATIONS = 100;
const HOUR_MS = 3_600_000;
