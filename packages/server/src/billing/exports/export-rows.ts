import { isoTime } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { type Answer, type AuthorizedContext, StreamedAnswer } from '../../http/index.ts';
import type { Columns } from './columns.ts';
import { type ExportQuery, type ExportRange, parseExportRange } from './export-range.ts';
import { writeHeader, writeRows } from './write-rows.ts';

/** An export: its rows, read in batches, and the columns of the file. */
export interface Exported<Row> {
  name: string;
  columns: Columns<Row>;
  list(database: Queries, batch: { afterTime: number; afterId: string; until: number; limit: number }): Promise<Row[]>;
}

/** A file of any size, oldest first: each batch is read when the client has received the previous one. */
export function exportRows<Row extends { id: string; created_at: Date }>(
  { database }: AuthorizedContext,
  exported: Exported<Row>,
  query: ExportQuery,
  nowMs: number,
): Answer<StreamedAnswer> {
  const { format = 'csv' } = query;
  const range = parseExportRange(query);
  const fileName = `${exported.name}-${isoTime(nowMs).slice(0, 10)}.${format}`;
  return {
    data: new StreamedAnswer(
      CONTENT_TYPES[format],
      { 'content-disposition': `attachment; filename="${fileName}"` },
      writeFile(),
    ),
  };

  async function* writeFile(): AsyncGenerator<string> {
    let header = writeHeader(format, exported.columns);
    for await (const rows of readBatches(database, exported, range)) {
      yield header + writeRows(format, exported.columns, rows);
      header = '';
    }
    yield header;
  }
}

async function* readBatches<Row extends { id: string; created_at: Date }>(
  database: Queries,
  { list }: Exported<Row>,
  { fromMs, untilMs }: ExportRange,
): AsyncGenerator<readonly Row[]> {
  // No identifier sorts before the empty text.
  let after = { afterTime: fromMs, afterId: '' };
  for (;;) {
    const rows = await list(database, { ...after, until: untilMs, limit: BATCH });
    const last = rows.at(-1);
    if (last === undefined) {
      return;
    }
    yield rows;
    if (rows.length < BATCH) {
      return;
    }
    after = { afterTime: last.created_at.getTime(), afterId: last.id };
  }
}

/** About 200 kB of a file. */
const BATCH = 500;

const CONTENT_TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl; charset=utf-8',
} as const;
