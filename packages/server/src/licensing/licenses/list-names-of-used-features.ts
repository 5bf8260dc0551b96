import type { Queries } from '../../database/index.ts';
import { listUsedFeatures } from './product-use-queries.ts';

/** Which of these features the licenses of a product have, by name. */
export async function listNamesOfUsedFeatures(
  database: Queries,
  product: string,
  features: readonly string[],
): Promise<string[]> {
  return (await listUsedFeatures(database, { product, features })).map((row) => row.feature);
}
