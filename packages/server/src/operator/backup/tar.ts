import { BackupError, damaged } from './backup-error.ts';
import { type Entry, LARGEST_ENTRY_BYTES } from './backup-format.ts';

// The part of POSIX ustar that a backup needs: regular files with short names. Reading does not write files, so names
// cannot be used for path traversal.

const BLOCK_BYTES = 512;

/** A file in a tar stream: its header, its content, and the padding. */
export function formatTarEntry({ name, content }: Entry, nowMs: number): Buffer[] {
  const header = Buffer.alloc(BLOCK_BYTES);
  header.write(name, 0, 100);
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write(
    `${Math.floor(nowMs / 1_000)
      .toString(8)
      .padStart(11, '0')}\0`,
    136,
  );
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148);
  return [header, content, Buffer.alloc(paddingOf(content.length))];
}

/** The end of a tar stream. */
export function formatTarEnd(): Buffer {
  return Buffer.alloc(2 * BLOCK_BYTES);
}

/** The files in a tar stream. Throws if it is truncated, or was made by another program. */
export async function* listTarEntries(stream: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const bytes = new Bytes(stream);
  for (;;) {
    const header = await bytes.take(BLOCK_BYTES);
    if (header.every((byte) => byte === 0)) {
      return;
    }
    const { name, size } = parseHeader(header);
    const content = await bytes.take(size);
    await bytes.take(paddingOf(size));
    yield { name, content };
  }
}

function parseHeader(header: Buffer): { name: string; size: number } {
  const text = (from: number, to: number) => header.toString('latin1', from, to).replace(/[\0 ].*$/s, '');
  const isTar = text(257, 262) === 'ustar' && Number.parseInt(text(148, 156), 8) === sumOf(header);
  if (!isTar) {
    throw damaged('it is not a tar stream of a backup, or was altered');
  }
  const [name, type, size] = [text(0, 100), text(156, 157), Number.parseInt(text(124, 136), 8)];
  const isOurs = (type === '0' || type === '') && text(345, 500) === '';
  if (!isOurs) {
    throw new BackupError(
      'damaged_backup',
      `The tar archive was made by another program (${name} is not a regular file). Extract it, and name the folder.`,
    );
  }
  if (!(size <= LARGEST_ENTRY_BYTES)) {
    throw damaged(`${name} is too large`);
  }
  return { name, size };
}

/** The sum of the bytes of a header, in which its own field counts as spaces. */
function sumOf(header: Buffer): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);
}

function paddingOf(size: number): number {
  return (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES;
}

/** Reads a requested number of bytes from a stream. */
class Bytes {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer[] = [];
  #heldBytes = 0;

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  async take(count: number): Promise<Buffer> {
    while (this.#heldBytes < count) {
      const { done, value } = await this.#chunks.next();
      if (done === true) {
        throw damaged('it is cut off');
      }
      this.#held.push(value);
      this.#heldBytes += value.length;
    }
    const all = Buffer.concat(this.#held);
    this.#held = all.length === count ? [] : [all.subarray(count)];
    this.#heldBytes = all.length - count;
    return all.subarray(0, count);
  }
}
