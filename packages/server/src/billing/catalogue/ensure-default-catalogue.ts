import { readFile } from 'node:fs/promises';
import type { Queries } from '../../database/index.ts';
import { applyCatalogue, applyFirstCatalogue } from './apply-catalogue.ts';
import { type Catalogue, CatalogueRefused } from './catalogue.ts';
import { parseCatalogue } from './parse-catalogue.ts';

/**
 * Gives a database that has never had a plan the plans of `default-catalogue.yaml`; safe to call from many processes at
 * the same time.
 */
export async function ensureDefaultCatalogue(database: Queries): Promise<boolean> {
  return applyFirstCatalogue(database, readDefaultCatalogue);
}

/** Whether the catalogue is still the default one, without the operator's own prices. */
export async function hasDefaultCatalogue(database: Queries): Promise<boolean> {
  try {
    return (await applyCatalogue(database, await readDefaultCatalogue(), { dryRun: true })).length === 0;
  } catch (error) {
    if (error instanceof CatalogueRefused) {
      return false;
    }
    throw error;
  }
}

async function readDefaultCatalogue(): Promise<Catalogue> {
  return parseCatalogue(await readFile(new URL('./default-catalogue.yaml', import.meta.url), 'utf8'));
}
