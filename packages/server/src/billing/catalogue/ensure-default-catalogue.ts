import { readFile } from 'node:fs/promises';
import type { Queries } from '../../database/index.ts';
import { applyFirstCatalogue } from './apply-catalogue.ts';
import type { Catalogue } from './catalogue.ts';
import { parseCatalogue } from './parse-catalogue.ts';

/** Gives a database that has never had a plan the plans of `default-catalogue.yaml`; safe for many processes at once. */
export async function ensureDefaultCatalogue(database: Queries): Promise<boolean> {
  return applyFirstCatalogue(database, readDefaultCatalogue);
}

async function readDefaultCatalogue(): Promise<Catalogue> {
  return parseCatalogue(await readFile(new URL('./default-catalogue.yaml', import.meta.url), 'utf8'));
}
