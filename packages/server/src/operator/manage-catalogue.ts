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

/** Reads a catalogue file; throws all its faults together. */
export function operatorParseCatalogue(text: string): Catalogue {
  return parseCatalogue(text);
}

/** A catalogue file in the form that the API accepts; throws all its faults together. */
export function operatorParseCatalogueFile(text: string) {
  return catalogueFileOf(parseCatalogue(text));
}

/** Converts the API's response to a catalogue file. */
export function operatorFormatCatalogueFile(file: object): string {
  return writeCatalogue(parseCatalogue(JSON.stringify(file)));
}

/**
 * Applies a file to an environment's catalogue and returns the differences; with `dryRun`, only returns them. Throws,
 * and changes nothing, if it would change something that was sold.
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

/** The current catalogue, as a file and parsed. */
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
