import { GENERATION, OUTDATED } from './generation.ts';

/** A file of the folder `migrations`. */
export interface Migration {
  name: string;
  text: string;
  checksum: string;
  /** The oldest generation that supports it; 0 if it does not exclude any. */
  oldestGeneration: number;
}

/** The migration state of a database. */
export interface MigrationState {
  applied: ReadonlyArray<{ name: string; checksum: string }>;
  /** The oldest admitted generation; 0 admits all. */
  oldestGeneration: number;
}

/**
 * Whether a migration has yet to be applied. Migrations of a newer version are accepted as long as the database still
 * admits this version and has everything it needs. Throws otherwise.
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
