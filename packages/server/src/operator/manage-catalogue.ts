import { INSTALLATION, OPERATOR_COMMAND, recordAudit } from '../audit/index.ts';
import {
  applyCatalogue,
  type Catalogue,
  type CatalogueChange,
  catalogueFileOf,
  getCatalogue,
  type HeartbeatDefaults,
  parseCatalogue,
  summarizeChanges,
  writeCatalogue,
} from '../billing/index.ts';
import type { Queries } from '../database/index.ts';
import { listNamesOfUsedFeatures } from '../licensing/index.ts';
import { listNamesOfUsedMeters } from '../usage/index.ts';
import type { Installation } from './connect-installation.ts';

/** Reads a catalogue file; throws everything that is wrong with it at once. */
export function operatorParseCatalogue(text: string): Catalogue {
  return parseCatalogue(text);
}

/** A catalogue file as the API takes it; throws everything that is wrong with it at once. */
export function operatorParseCatalogueFile(text: string) {
  return catalogueFileOf(parseCatalogue(text));
}

/** What the API answers, as a catalogue file. */
export function operatorFormatCatalogueFile(file: object): string {
  return writeCatalogue(parseCatalogue(JSON.stringify(file)));
}

/**
 * Makes an environment's catalogue what the file says and answers the differences; with `dryRun` only those. Throws what would
 * change something that was sold, and changes nothing then.
 */
export async function operatorApplyCatalogue(
  { database, config }: Pick<Installation, 'database'> & { config: HeartbeatDefaults },
  catalogue: Catalogue,
  dryRun: boolean,
): Promise<CatalogueChange[]> {
  return applyCatalogue(database, catalogue, {
    dryRun,
    listUsedMeters: listNamesOfUsedMeters,
    listUsedFeatures: listNamesOfUsedFeatures,
    heartbeats: config,
    record: recordApplied,
  });
}

/** The present catalogue: as a file, and as what the file says. */
export async function operatorShowCatalogue({
  database,
}: Pick<Installation, 'database'>): Promise<{ yaml: string; catalogue: Catalogue }> {
  const catalogue = await getCatalogue(database);
  return { yaml: writeCatalogue(catalogue), catalogue };
}

async function recordApplied(tx: Queries, changes: readonly CatalogueChange[]): Promise<void> {
  await recordAudit(
    tx,
    { ...OPERATOR_COMMAND, organizationId: INSTALLATION },
    {
      action: 'catalogue.applied',
      targetType: 'catalogue',
      targetId: 'catalogue',
      after: summarizeChanges(changes),
    },
  );
}
