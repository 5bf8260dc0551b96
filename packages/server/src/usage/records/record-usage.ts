import { actorOf, recordAudit } from '../../audit/index.ts';
import { isoTime } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { type Answer, type AuthorizedContext, httpError, notFound } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import type { UsageInput, UsageRecord } from '../schemas.ts';
import { FIND_METERING, FIND_RECORD_BY_KEY, INSERT_RECORD, type UsageRecordRow } from './queries.ts';
import { decimalOf, instantOf, requireTimely } from './record-rules.ts';

/**
 * Records what an organization used: 201, or 200 with the first record when its key was recorded already. Throws not_found for
 * an unknown organization, validation_failed for an unknown meter or an untimely `at`, idempotency_key_reused for a key that
 * names another value or time.
 */
export async function recordUsage(context: AuthorizedContext, input: UsageInput): Promise<Answer<UsageRecord>> {
  const { organization_id: organizationId, meter, idempotency_key: key } = input;
  const reported = { value: decimalOf(input.value), atMs: instantOf(input.at) };
  return context.database.transaction(async (tx) => {
    const [metering] = await tx.query(FIND_METERING, [organizationId, meter]);
    if (metering === undefined) {
      throw notFound('organization');
    }
    // Before everything that time decides: what was recorded once is answered however late it is sent again.
    const before = await findByKey(tx, input);
    if (before !== undefined) {
      return repeated(before, reported);
    }
    if (!metering.has_meter) {
      throw httpError('validation_failed', `The catalogue has no meter ${meter}.`, {
        details: { field: 'meter', reason: 'unknown' },
      });
    }
    requireTimely(reported.atMs, metering.now_ms);
    const { principal } = context;
    const values = [organizationId, newId('usageRecord'), meter, reported.value, reported.atMs, key ?? null];
    const [added] = await tx.query(INSERT_RECORD, [...values, principal.tokenSourceId, metering.clock_offset_ms]);
    if (added === undefined) {
      return repeated(await findByKey(tx, input), reported);
    }
    const record = present(added);
    await recordAudit(
      tx,
      { ...actorOf(context), organizationId, userId: null },
      {
        action: 'usage.recorded',
        targetType: 'usage_record',
        targetId: record.id,
        after: { meter, value: record.value, at: record.at },
      },
    );
    return { data: record };
  });
}

interface Reported {
  value: string;
  atMs: number;
}

async function findByKey(tx: Queries, input: UsageInput): Promise<UsageRecordRow | undefined> {
  const { organization_id: organizationId, meter, idempotency_key: key } = input;
  return key === undefined ? undefined : (await tx.query(FIND_RECORD_BY_KEY, [organizationId, meter, key]))[0];
}

/** What is answered to a key that is taken. */
function repeated(first: UsageRecordRow | undefined, { value, atMs }: Reported): Answer<UsageRecord> {
  if (first === undefined) {
    throw new Error('a record was refused by its key, and there is none with that key');
  }
  if (Number(first.value) !== Number(value) || first.at_ms !== atMs) {
    throw httpError('idempotency_key_reused', 'This idempotency_key was used for another value or time.');
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
