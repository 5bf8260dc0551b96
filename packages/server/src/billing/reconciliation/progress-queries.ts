import { count, maybeOne, statement } from '../../database/index.ts';
import type { Progress } from './progress.ts';

interface ProgressRow {
  since: Date;
  started_at: Date;
  finished_at: Date | null;
  phase: Progress['phase'];
  cursor: string | null;
  counts: Pick<Progress, 'counts' | 'findings'>;
}

/** The last reconciliation with a provider, finished or not. */
export const findLastProgress = statement({
  name: 'find_payment_reconciliation',
  parameters: { provider: 'text' },
  returns: maybeOne(progressOf),
  sql: ({ provider }) => `select since, started_at, finished_at, phase, cursor, counts
    from payment_reconciliations where provider = ${provider}`,
});

function progressOf(row: ProgressRow): Progress {
  return {
    sinceMs: row.since.getTime(),
    startedAtMs: row.started_at.getTime(),
    finishedAtMs: row.finished_at?.getTime() ?? null,
    phase: row.phase,
    cursor: row.cursor,
    counts: row.counts.counts,
    findings: row.counts.findings,
  };
}

/** Records the start of a reconciliation, replacing the last one. */
export const upsertProgress = statement({
  name: 'upsert_payment_reconciliation',
  parameters: { provider: 'text', since: 'instant', startedAt: 'instant', found: 'jsonb' },
  sql: ({ provider, since, startedAt, found }) => `insert into payment_reconciliations
      (provider, since, started_at, phase, counts)
    values (${provider}, ${since}, ${startedAt}, 'provider', ${found})
    on conflict (provider) do update set since = excluded.since, started_at = excluded.started_at, finished_at = null,
      phase = excluded.phase, cursor = null, counts = excluded.counts`,
});

/** Writes the progress of a reconciliation; counts none if another has begun in the meantime. */
export const updateProgress = statement({
  name: 'update_payment_reconciliation',
  parameters: {
    provider: 'text',
    startedAt: 'instant',
    finishedAt: 'instant | null',
    phase: 'text',
    cursor: 'text | null',
    found: 'jsonb',
  },
  returns: count(),
  sql: ({ provider, startedAt, finishedAt, phase, cursor, found }) => `update payment_reconciliations
    set finished_at = ${finishedAt}, phase = ${phase}, cursor = ${cursor}, counts = ${found}
    where provider = ${provider} and started_at = ${startedAt}`,
});
