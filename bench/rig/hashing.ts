import { LineProgram } from './line-program.ts';

/** Argon2id checks per second, at the service's default parameters, on the contenders' core. */
export async function measureHashing(seconds: number): Promise<number> {
  const hasher = new LineProgram('contender', new URL('../programs/hasher.ts', import.meta.url), [String(seconds)]);
  try {
    return Number(await hasher.read());
  } finally {
    await hasher.stop();
  }
}
