import { recordAudit, staffActorOf } from '../../audit/index.ts';
import { hasMeter } from '../../billing/index.ts';
import { isoTime } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { type Answer, type AuthorizedContext, httpError, notFound } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { findOrganizationClock } from '../../organizations/index.ts';
import type { UsageInput, UsageRecord } from '../schemas.ts';
import { findRecordByKey, insertRecord, type UsageRecordRow } from './queries.ts';
import { decimalOf, instantOf, requireTimely } from './record-rules.ts';

/**
 * Records what an organization used: 201, or 200 with the first record if its key was already recorded. Throws
 * not_found for an unknown organization, validation_failed for an unknown meter or an `at` outside the accepted range,
 * and idempotency_key_reused if the key was used with another value or time.
 */
export async function recordUsage(context: AuthorizedContext, input: UsageInput): Promise<Answer<UsageRecord>> {
  const { organization_id: organizationId, meter, idempotency_key: key } = input;
  const reported = { value: decimalOf(input.value), atMs: instantOf(input.at) };
  return context.database.transaction(async (tx) => {
    const clock = await findOrganizationClock(tx, organizationId);
    if (clock === undefined) {
      throw notFound('organization');
    }
    // Before all checks: a repeated record is returned, regardless of when.
    const before = await findByKey(tx, input);
    if (before !== undefined) {
      return repeated(before, reported);
    }
    if (!(await hasMeter(tx, { name: meter }))) {
      throw httpError('validation_failed', `The catalogue has no meter named ${meter}.`, {
        details: { field: 'meter', reason: 'unknown' },
      });
    }
    requireTimely(reported.atMs, clock.nowMs);
    const added = await insertRecord(tx, {
      organizationId,
      id: newId('usageRecord'),
      meter,
      value: reported.value,
      at: reported.atMs,
      key: key ?? null,
      recordedBy: context.principal.tokenSourceId,
      clockOffsetMs: clock.offsetMs,
    });
    if (added === undefined) {
      return repeated(await findByKey(tx, input), reported);
    }
    const record = present(added);
    await recordAudit(tx, staffActorOf(context, organizationId), {
      action: 'usage.recorded',
      targetType: 'usage_record',
      targetId: record.id,
      after: { meter, value: record.value, at: record.at },
    });
    return { data: record };
  });
}

interface Reported {
  value: string;
  atMs: number;
}

async function findByKey(tx: Queries, input: UsageInput): Promise<UsageRecordRow | undefined> {
  const { organization_id: organizationId, meter, idempotency_key: key } = input;
  return key === undefined ? undefined : findRecordByKey(tx, { organizationId, meter, key });
}

/** The response if the key is taken. */
function repeated(first: UsageRecordRow | undefined, { value, atMs }: Reported): Answer<UsageRecord> {
  if (first === undefined) {
    throw new Error('a record conflicts with its key, but there is none with that key');
  }
  if (Number(first.value) !== Number(value) || first.at_ms !== atMs) {
    throw httpError('idempotency_key_reused', 'This idempotency_key was already used with a different value or time.');
  }
  return { status: 200, data: present(first) };
}

function present(row: UsageRecordRow): UsageRecord {
  return {
    id: row.id,
    organization_id: row.organization_id,
    meter: row.meter,
    value: Number(row.value),
    at: isoTime(row.at_ms),
    idempotency_key: row.idempotency_key,
    recorded_at: isoTime(row.recorded_at_ms),
  };
}
