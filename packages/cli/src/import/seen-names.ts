import { createHash } from 'node:crypto';

/**
 * A Bloom filter: names of any number in 16 MiB. It never forgets one, and takes another for one of a million in less than one of ten
 * thousand million cases. It may only decide what a dry run tells.
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
