import { type Environment, loadConfig } from '../config/index.ts';
import { examineMail, examineSmtpServer } from './examine-mail.ts';
import { examinePayments } from './examine-payments.ts';
import type { Finding } from './finding.ts';
import { examineKeys } from './keys/examine-keys.ts';
import { openInstallation } from './open-installation.ts';
import { LIST_SEAT_FAULTS } from './queries.ts';

/** Looks at what commonly goes wrong, one line each; never throws. */
export async function examineInstallation(environment: Environment): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const name of ['production', 'sandbox'] as const) {
    findings.push(...(await examineEnvironment(environment, name)));
  }
  const { smtpServer } = loadConfig(environment).config ?? {};
  return smtpServer === undefined ? findings : [...findings, await examineSmtpServer(smtpServer)];
}

async function examineEnvironment(environment: Environment, name: 'production' | 'sandbox'): Promise<Finding[]> {
  try {
    const installation = await openInstallation(environment, name);
    try {
      const faults = await installation.database.query(LIST_SEAT_FAULTS, []);
      return [
        { check: `${name}: settings, database, schema and master key`, ok: true, detail: 'all fit' },
        {
          check: `${name}: seats`,
          ok: faults.length === 0,
          detail:
            faults.length === 0
              ? 'every count is right'
              : faults.map((each) => `${each.license_id}: ${each.fault}`).join('; '),
        },
        await examineMail(installation.database, name),
        await examineKeys(installation, name),
        await examinePayments(installation.database, name, installation.config),
      ];
    } finally {
      await installation.close();
    }
  } catch (error) {
    return [
      {
        check: `${name}: settings, database, schema and master key`,
        ok: false,
        detail: error instanceof Error ? error.message : String(error),
      },
    ];
  }
}
