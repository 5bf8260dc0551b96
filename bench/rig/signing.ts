import { LineProgram } from './line-program.ts';

/** RS256 signatures of one thread on the contenders' core. */
export interface SigningRate {
  perSecond: number;
  /** Milliseconds of processor time for each. */
  processorMs: number;
}

export async function measureSigning(seconds: number): Promise<SigningRate> {
  const signer = new LineProgram('contender', new URL('../programs/signer.ts', import.meta.url), [String(seconds)]);
  try {
    return JSON.parse(await signer.read());
  } finally {
    await signer.stop();
  }
}
