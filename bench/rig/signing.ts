import { LineProgram } from './line-program.ts';

/** RS256 signatures per second of one thread on the contenders' core. */
export async function measureSigning(seconds: number): Promise<number> {
  const signer = new LineProgram('contender', new URL('../programs/signer.ts', import.meta.url), [String(seconds)]);
  try {
    return Number(await signer.read());
  } finally {
    await signer.stop();
  }
}
