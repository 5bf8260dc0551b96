import type { Queries } from '../../database/index.ts';
import { listUsedMeters } from './queries.ts';

/** Which of these meters have records, by name. */
export async function listNamesOfUsedMeters(database: Queries, names: readonly string[]): Promise<string[]> {
  return (await listUsedMeters(database, { names })).map((row) => row.name);
}
