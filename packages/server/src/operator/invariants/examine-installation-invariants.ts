import { type Environment, loadConfig } from '../../config/index.ts';
import { connectInstallation } from '../connect-installation.ts';
import type { Finding } from '../finding.ts';
import { examineInvariants } from './examine-invariants.ts';

/** Checks the data of both environments against all invariants; never throws. */
export async function examineInstallationInvariants(environment: Environment): Promise<Finding[]> {
  const findings: Finding[] = [];
  const { sandbox = true } = loadConfig(environment).config ?? {};
  for (const name of sandbox ? (['production', 'sandbox'] as const) : (['production'] as const)) {
    findings.push(...(await examineEnvironment(environment, name)));
  }
  return findings;
}

async function examineEnvironment(environment: Environment, name: 'production' | 'sandbox'): Promise<Finding[]> {
  try {
    const installation = await connectInstallation(environment, name);
    try {
      const { retentionDays } = installation.config;
      const findings = await examineInvariants(installation.database, { retentionDays });
      return findings.map((finding) => ({ ...finding, check: `${name}: ${finding.check}` }));
    } finally {
      await installation.close();
    }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return [{ check: `${name}: invariants`, ok: false, detail }];
  }
}
