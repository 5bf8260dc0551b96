import type { Queries } from '../../src/database/index.ts';
import { examineInvariants } from '../../src/operator/invariants/examine-invariants.ts';

/** Throws with IDs if a test's data violates an invariant. Call it when nothing is in progress. */
export async function requireInvariants(database: Queries): Promise<void> {
  const findings = await examineInvariants(database, { pause: () => Promise.resolve() });
  const broken = findings.filter((finding) => !finding.ok);
  if (broken.length > 0) {
    const lines = broken.flatMap(({ check, detail, faults = [] }) => [`${check}: ${detail}`, ...faults.slice(0, 10)]);
    throw new Error(`invariants are broken:\n${lines.join('\n')}`);
  }
}
