import { type Static, type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';
import { damaged } from './backup-error.ts';

// A backup is a sequence of entries, as files of a folder or in a tar stream: first the header, then for each
// environment its schema and the rows of its tables in parts, and last the manifest, without which nothing is restored.

export type EnvironmentName = 'production' | 'sandbox';

/** One file of a backup, small enough to fit in memory. */
export interface Entry {
  name: string;
  content: Buffer;
}

export const HEADER_NAME = 'backup.json';
export const MANIFEST_NAME = 'manifest.json';

/** The format version written by this version. */
export const FORMAT_VERSION = 1;

/** Rows are cut into parts of about this size, before compression. */
export const PART_BYTES = 4_194_304;
/** The maximum size of an entry; rows can be split anywhere. */
export const LARGEST_ENTRY_BYTES = 16_777_216;

export function schemaName(environment: EnvironmentName): string {
  return `${environment}/schema.json`;
}

export function partName(environment: EnvironmentName, table: string, part: number): string {
  return `${environment}/${table}/${String(part).padStart(8, '0')}.part`;
}

/** Whether an entry may have this name; anything else, such as a path that leads out of the folder, is refused. */
export function isEntryName(name: string): boolean {
  return (
    name === HEADER_NAME ||
    name === MANIFEST_NAME ||
    /^(?:production|sandbox)\/(?:schema\.json|[a-z_][a-z0-9_]{0,62}\/\d{8}\.part)$/.test(name)
  );
}

const ENVIRONMENT = Type.Union([Type.Literal('production'), Type.Literal('sandbox')]);
const DIGEST = Type.String({ pattern: '^[0-9a-f]{64}$' });
const COUNT = Type.Integer({ minimum: 0 });
const NAME = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' });

const HEADER = Type.Object({
  format: Type.Literal('seathold-backup'),
  format_version: Type.Integer(),
  id: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  created_at: Type.String(),
  service_version: Type.String(),
  encryption: Type.Union([
    Type.Null(),
    Type.Object({
      algorithm: Type.Literal('aes-256-gcm'),
      key_id: Type.String(),
      salt: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
  ]),
});

const SCHEMA = Type.Object({
  environment: ENVIRONMENT,
  taken_at: Type.String(),
  master_keys: Type.Array(Type.String({ pattern: '^[0-9a-f]{16}$' }), { minItems: 1 }),
  migrations: Type.Array(Type.Object({ name: Type.String(), checksum: Type.String() })),
  tables: Type.Array(Type.Object({ name: NAME, columns: Type.Array(Type.String()) })),
});

const TABLE_SUM = Type.Object({ name: NAME, rows: COUNT, bytes: COUNT, parts: COUNT, sha256: DIGEST });

const MANIFEST = Type.Object({
  id: Type.String(),
  ended_at: Type.String(),
  header_sha256: DIGEST,
  environments: Type.Array(
    Type.Object({
      environment: ENVIRONMENT,
      schema_sha256: DIGEST,
      tables: Type.Array(TABLE_SUM),
      sequences: Type.Array(
        Type.Object({ table: NAME, column: Type.String(), last: Type.String({ pattern: '^\\d{1,19}$' }) }),
      ),
    }),
  ),
  /** Which master key the last line authenticates all of this with. */
  mac_key: Type.String(),
  mac: DIGEST,
});

export type Header = Static<typeof HEADER>;
export type EnvironmentSchema = Static<typeof SCHEMA>;
export type TableSum = Static<typeof TABLE_SUM>;
export type Manifest = Static<typeof MANIFEST>;

export const parseHeader = (content: Buffer): Header => parse(HEADER_NAME, HEADER, content);
export const parseEnvironmentSchema = (name: string, content: Buffer): EnvironmentSchema =>
  parse(name, SCHEMA, content);
export const parseManifest = (content: Buffer): Manifest => parse(MANIFEST_NAME, MANIFEST, content);

export function formatEntry(value: Header | EnvironmentSchema | Manifest): Buffer {
  return Buffer.from(`${JSON.stringify(value, undefined, 1)}\n`);
}

/** The text that the manifest's `mac` authenticates. */
export function authenticatedText({ mac: _, ...manifest }: Manifest): string {
  return JSON.stringify(manifest);
}

function parse<Schema extends TSchema>(name: string, schema: Schema, content: Buffer): Static<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(content.toString('utf8'));
  } catch (error) {
    throw damaged(`${name} is not JSON`, error);
  }
  if (!Check(schema, value)) {
    throw damaged(`${name} does not have the expected content`);
  }
  return value;
}
