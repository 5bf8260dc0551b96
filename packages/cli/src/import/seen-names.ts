import { createHash } from 'node:crypto';

/**
 * A Bloom filter for any number of names in 16 MiB. It has no false negatives; with a million names, fewer than one in
 * ten billion look-ups is a false positive. Only use it for the report of a dry run.
 */
export class SeenNames {
  #bits: Uint8Array | undefined;

  add(name: string): void {
    this.#bits ??= new Uint8Array(BYTES);
    for (const place of placesOf(name)) {
      this.#bits[place >>> 3] = (this.#bits[place >>> 3] ?? 0) | (1 << (place & 7));
    }
  }

  has(name: string): boolean {
    const bits = this.#bits;
    return bits !== undefined && placesOf(name).every((place) => ((bits[place >>> 3] ?? 0) & (1 << (place & 7))) !== 0);
  }
}

const BYTES = 2 ** 24;
const PLACES = 8;

function placesOf(name: string): number[] {
  const hash = createHash('sha256').update(name).digest();
  return Array.from({ length: PLACES }, (_, index) => hash.readUInt32LE(index * 4) % (BYTES * 8));
}
