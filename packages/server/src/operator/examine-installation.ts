import { type Environment, loadConfig } from '../config/index.ts';
import { COMMAND_TIMEOUTS, findMissingTimeouts, type Queries } from '../database/index.ts';
import { listSeatFaults } from '../licensing/index.ts';
import { readMasterKeyFile } from '../security/index.ts';
import { findSpecialProblems } from './check-settings.ts';
import { connectInstallation } from './connect-installation.ts';
import { examineMail, examineSmtpServer } from './examine-mail.ts';
import { examinePayments } from './examine-payments.ts';
import type { Finding } from './finding.ts';
import { examineKeys } from './keys/examine-keys.ts';

/** Checks for common problems, one line each; never throws. */
export async function examineInstallation(environment: Environment): Promise<Finding[]> {
  const findings: Finding[] = examineSettings(environment);
  const { smtpServer, sandbox = true } = loadConfig(environment).config ?? {};
  for (const name of sandbox ? (['production', 'sandbox'] as const) : (['production'] as const)) {
    findings.push(...(await examineEnvironment(environment, name)));
  }
  return smtpServer === undefined ? findings : [...findings, await examineSmtpServer(smtpServer)];
}

/** Checks the settings that the checks of the databases do not read. */
function examineSettings(environment: Environment): Finding[] {
  const problems = [...findSpecialProblems(environment)];
  if (hasMasterKeyForBackups(environment)) {
    problems.push({ name: 'SEATHOLD_BACKUP_KEY', problem: 'must differ from the master key in the data folder' });
  }
  return problems.map(({ name, problem }) => ({ check: 'settings', ok: false, detail: `${name} ${problem}` }));
}

function hasMasterKeyForBackups(environment: Environment): boolean {
  const { dataDir, backupKey } = loadConfig(environment).config ?? {};
  if (dataDir === undefined || backupKey === undefined) {
    return false;
  }
  try {
    return readMasterKeyFile(dataDir)?.some((key) => key.equals(backupKey)) === true;
  } catch {
    // A file that cannot be read is reported with the databases.
    return false;
  }
}

async function examineEnvironment(environment: Environment, name: 'production' | 'sandbox'): Promise<Finding[]> {
  try {
    const installation = await connectInstallation(environment, name);
    try {
      const faults = await listSeatFaults(installation.database);
      return [
        { check: `${name}: settings, database, schema and master key`, ok: true, detail: 'OK' },
        {
          check: `${name}: seats`,
          ok: faults.length === 0,
          detail:
            faults.length === 0
              ? 'all counts are correct'
              : faults.map((each) => `${each.license_id}: ${each.fault}`).join('; '),
        },
        await examineTimeouts(installation.database, name),
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

/** A pooler may drop a connection's startup options, and provide connections without timeouts. */
async function examineTimeouts(database: Queries, name: string): Promise<Finding> {
  const faults = await findMissingTimeouts(database, COMMAND_TIMEOUTS);
  return {
    check: `${name}: connection timeouts`,
    ok: faults.length === 0,
    detail: faults.length === 0 ? 'in effect' : faults.join('; '),
  };
}
