import { many, type Queries, statement } from '../../src/database/index.ts';

/**
 * Remembers every secret that a test received or sent, and afterwards looks for them where none may be: in the
 * database, row by row, and in the log. A secret is searched for verbatim and in the encodings that a careless line of
 * code would give it.
 */
export class SecretWatch {
  /** The first characters of each form of a secret, with its name. */
  readonly #beginnings = new Map<string, string>();
  #known = { secrets: -1, table: new Uint8Array() };

  /** Notes a secret under a descriptive name. Secrets that are too short cannot be told from chance. */
  note(name: string, secret: string): void {
    for (const [encoding, form] of formsOf(secretPartOf(secret))) {
      const window = encoding === 'hex' ? HEX_WINDOW : WINDOW;
      if (form.length >= window) {
        this.#beginnings.set(form.slice(0, window), `${name} as ${encoding}`);
      }
    }
  }

  /** Notes every value in a sent or received body whose name is that of a secret. */
  noteBody(body: unknown): void {
    if (typeof body !== 'object' || body === null) {
      return;
    }
    for (const [name, value] of Object.entries(body)) {
      if (SECRET_FIELDS.has(name)) {
        for (const secret of [value].flat()) {
          if (typeof secret === 'string') {
            this.note(name, secret);
          }
        }
      } else {
        this.noteBody(value);
      }
    }
  }

  /** The secrets found in a text. There should be none. */
  findIn(text: string): string[] {
    const found: string[] = [];
    const skips = this.#skips();
    for (let at = 0; at + WINDOW <= text.length; ) {
      const skip = skips[hashBlock(text, at + WINDOW - BLOCK)] ?? 0;
      if (skip > 0) {
        at += skip;
        continue;
      }
      const secret =
        this.#beginnings.get(text.slice(at, at + WINDOW)) ?? this.#beginnings.get(text.slice(at, at + HEX_WINDOW));
      if (secret !== undefined) {
        found.push(`${secret} in …${text.slice(Math.max(0, at - 60), at)}…`);
      }
      at += 1;
    }
    return found;
  }

  /**
   * How far the search may skip, given the last characters of the current window: up to the first window of any secret
   * that contains them (Wu and Manber). All tables of all tests are searched, so checking each position takes too long.
   */
  #skips(): Uint8Array {
    if (this.#known.secrets !== this.#beginnings.size) {
      const table = new Uint8Array(HASHES).fill(WINDOW - BLOCK + 1);
      for (const beginning of this.#beginnings.keys()) {
        for (let at = 0; at <= WINDOW - BLOCK; at += 1) {
          const hash = hashBlock(beginning, at);
          table[hash] = Math.min(table[hash] ?? 0, WINDOW - BLOCK - at);
        }
      }
      this.#known = { secrets: this.#beginnings.size, table };
    }
    return this.#known.table;
  }

  /** Throws if the database or the log contains a secret. */
  async requireNone(database: Queries, logLines: readonly string[]): Promise<void> {
    const found = this.findIn(logLines.join('\n')).map((each) => `the log: ${each}`);
    const tables = await listTables(database);
    const dumps = tables.map(
      ({ name }) => `(select '${name}' as name, t::text as line from "${name}" t limit ${MAX_ROWS})`,
    );
    const text = dumps.join(' union all ');
    const dumped = database.execute({ name: 'dump_tables', text }, []);
    const rows = await many<{ name: string; line: string }>().from(dumped);
    found.push(...rows.flatMap(({ name, line }) => this.findIn(line).map((each) => `the table ${name}: ${each}`)));
    if (found.length > 0) {
      throw new Error(`secrets were found where none may be:\n${found.slice(0, 10).join('\n')}`);
    }
  }
}

const SECRET_FIELDS = new Set([
  'access_token',
  'refresh_token',
  'token',
  'challenge_token',
  'client_secret',
  'device_code',
  'secret',
  'recovery_codes',
  'license_token',
  'password',
  'current_password',
]);

/** The number of characters that tell a secret from chance. The shortest secrets, recovery codes, have eleven. */
const WINDOW = 10;
/** In the bytes of a whole database, ten hexadecimal digits, forty bits, do occur by chance. */
const HEX_WINDOW = 20;

/** How many characters the search looks at to skip, and how many values their hash has. */
const BLOCK = 3;
const HASHES = 1 << 20;

function hashBlock(text: string, at: number): number {
  return ((text.charCodeAt(at) << 14) ^ (text.charCodeAt(at + 1) << 7) ^ text.charCodeAt(at + 2)) & (HASHES - 1);
}

/** Tests that store millions of rows bypass the API. */
const MAX_ROWS = 20_000;

/**
 * Leaves out the parts that are public on purpose: the first characters of a token, the header and claims of a signed
 * one, and the payment's reference in a payment provider's client secret.
 */
function secretPartOf(secret: string): string {
  return secret.replace(/^(?:svc_[a-z]+_|ch_).{4}|^[\w-]+\.[\w-]+\.|^\w+_secret_/, '');
}

/** Within something longer, Base64 can start at any of three positions. */
function formsOf(secret: string): Array<[string, string]> {
  const bytes = Buffer.from(secret);
  return [
    ['itself', secret],
    ['hex', bytes.toString('hex')],
    ['base64', bytes.toString('base64')],
    ['base64, one on', bytes.subarray(2).toString('base64')],
    ['base64, two on', bytes.subarray(1).toString('base64')],
    ['a URL component', encodeURIComponent(secret)],
  ];
}

const listTables = statement({
  name: 'test_list_tables',
  returns: many<{ name: string }>(),
  sql: () => "select table_name as name from information_schema.tables where table_schema = 'public'",
});
