import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { BackupError, damaged } from './backup-error.ts';
import {
  type Entry,
  type EnvironmentName,
  FORMAT_VERSION,
  HEADER_NAME,
  type Header,
  LARGEST_ENTRY_BYTES,
  MANIFEST_NAME,
  parseHeader,
  partName,
  schemaName,
  type TableSum,
} from './backup-format.ts';
import { createUnsealing, type Sealing } from './seal-entries.ts';

/** Reads the entries of a backup one after the other, decrypted, in their fixed order. */
export class EntryReader {
  readonly header: Header;
  readonly headerSha256: string;
  readonly #entries: AsyncIterator<Entry>;
  readonly #unseal: Sealing;
  #next: Entry | undefined;

  private constructor(entries: AsyncIterator<Entry>, content: Buffer, header: Header, unseal: Sealing) {
    this.#entries = entries;
    this.header = header;
    this.headerSha256 = createHash('sha256').update(content).digest('hex');
    this.#unseal = unseal;
  }

  /** Reads the header. Throws if it has another format, or the key is missing or wrong. */
  static async start(source: AsyncIterable<Entry>, backupKey: Buffer | undefined): Promise<EntryReader> {
    const entries = source[Symbol.asyncIterator]();
    const first = await entries.next();
    if (first.done === true || first.value.name !== HEADER_NAME) {
      throw damaged(`${HEADER_NAME} is not the first entry`);
    }
    const { content } = first.value;
    const header = parseHeader(content);
    if (header.format_version !== FORMAT_VERSION) {
      throw new BackupError(
        'invalid_argument',
        `The backup has format version ${header.format_version}, but this version of Seathold supports ${FORMAT_VERSION}. Use the version that created it (${header.service_version}).`,
      );
    }
    const reader = new EntryReader(entries, content, header, createUnsealing(header, backupKey));
    await reader.#advance();
    return reader;
  }

  /** The environment whose schema comes next; undefined if there is none. */
  get nextEnvironment(): EnvironmentName | undefined {
    const names = ['production', 'sandbox'] as const;
    return names.find((each) => this.#next?.name === schemaName(each));
  }

  /** Reads the entry with this name, which must be the next one. */
  async take(name: string): Promise<Buffer> {
    const next = this.#next;
    if (next === undefined || next.name !== name) {
      throw damaged(`${name} is missing`);
    }
    const { content } = this.#unseal(next);
    await this.#advance();
    return content;
  }

  /** Reads the manifest, the last entry. */
  async takeLast(): Promise<Buffer> {
    const content = await this.take(MANIFEST_NAME);
    if (this.#next !== undefined) {
      throw damaged(`it continues with ${this.#next.name} after its end`);
    }
    return content;
  }

  /** The rows of a table, piece by piece. `sum` describes what was read when it ends. */
  async *takeRows(environment: EnvironmentName, sum: Omit<TableSum, 'rows'>): AsyncGenerator<Buffer> {
    const hash = createHash('sha256');
    while (this.#next?.name === partName(environment, sum.name, sum.parts + 1)) {
      const name = this.#next.name;
      const plain = await decompress(name, await this.take(name));
      hash.update(plain);
      sum.parts += 1;
      sum.bytes += plain.length;
      yield plain;
    }
    sum.sha256 = hash.digest('hex');
  }

  async #advance(): Promise<void> {
    const { done, value } = await this.#entries.next();
    this.#next = done === true ? undefined : value;
  }
}

async function decompress(name: string, content: Buffer): Promise<Buffer> {
  try {
    return await promisify(gunzip)(content, { maxOutputLength: LARGEST_ENTRY_BYTES });
  } catch (error) {
    throw damaged(`${name} was altered`, error);
  }
}
