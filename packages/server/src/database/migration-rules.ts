import { GENERATION, OUTDATED } from './generation.ts';

/** A file of the folder `migrations`. */
export interface Migration {
  name: string;
  text: string;
  checksum: string;
  /** The oldest generation that can live with it; 0 if all can that could live with what came before. */
  oldestGeneration: number;
}

/** What a database says about its migrations. */
export interface MigrationState {
  applied: ReadonlyArray<{ name: string; checksum: string }>;
  /** The oldest generation that it admits; 0 admits all. */
  oldestGeneration: number;
}

/**
 * Whether a migration has yet to be applied. A newer version's migrations are no obstacle as long as the database still admits
 * this version and has everything that it needs. Throws otherwise.
 */
export function isNewMigration(
  migration: Migration,
  known: readonly Migration[],
  { applied, oldestGeneration }: MigrationState,
  generation = GENERATION,
): boolean {
  if (oldestGeneration > generation) {
    throw new Error(OUTDATED(oldestGeneration));
  }
  const row = applied.find((each) => each.name === migration.name);
  const newer = applied.find((each) => !known.some(({ name }) => name === each.name));
  if (row === undefined && newer !== undefined) {
    throw new Error(
      `the database has the migration ${newer.name} of a newer version, but lacks ${migration.name} of this one; start the newer version instead`,
    );
  }
  if (row !== undefined && row.checksum !== migration.checksum) {
    throw new Error(`the migration ${migration.name} was changed after it had been applied; restore the file`);
  }
  return row === undefined;
}
