import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Account } from './accounts.ts';
import { pinned } from './pinning.ts';
import { recordPair } from './record-statements.ts';
import { SMALLEST_ANSWER, writeSeatScript } from './seat-script.ts';
import type { Service } from './service.ts';
import { storeSeats } from './stored-seats.ts';

/** The statements of one acquire and one release, ready to be run by pgbench. */
export interface SeatStatements {
  /** Pairs per second in one window, with as many clients as the load generator has connections. */
  run(seconds: number): Promise<number>;
}

/** Records a pair and writes its script. Licenses of their own, beside the others in the same tables, take the load. */
export async function preparePgbench(service: Service, accounts: readonly Account[]): Promise<SeatStatements> {
  const program = findPgbench();
  const [account] = accounts;
  if (account === undefined) {
    throw new Error('no account was registered');
  }
  const one = { heldPerLicense: 0, endedPerLicense: 0 };
  await storeSeats(service.databaseUrl, account, {
    ...one,
    licenses: LICENSES,
    seatsPerLicense: 10,
    nameLicense: (number) => ({ id: String(number + 1), key: String(number + 1) }),
  });
  const [recorded] = await storeSeats(service.databaseUrl, account, { ...one, licenses: 1, seatsPerLicense: 1_000 });
  if (recorded === undefined) {
    throw new Error('no license was stored to record on');
  }
  await removeSmallSlots(service.databaseUrl, account, recorded.id);
  const hardwareId = `hw_${'b'.repeat(32)}`;
  const pair = await recordPair(service, account, recorded.key, hardwareId);
  const names = { licenseId: recorded.id, licenseKey: recorded.key, hardwareId };
  const file = join(service.dataDir, 'seats.pgbench');
  await writeFile(file, writeSeatScript(pair, names, LICENSES));
  return {
    run: (seconds) => {
      const variables = { turn: 0, base: Date.now() * 1_000_000 };
      return runPgbench(program, file, service.databaseUrl, { seconds, clients: CLIENTS, variables });
    },
  };
}

/** One run of a script. */
export interface PgbenchOrder {
  seconds: number;
  clients: number;
  /** What the script's variables begin with. */
  variables: Readonly<Record<string, number>>;
}

const LICENSES = 1_000;
const CLIENTS = 32;

/** The slot that the recording gets must not be mistaken for a count. */
async function removeSmallSlots(databaseUrl: string, account: Account, licenseId: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('delete from seat_slots where organization_id = $1 and license_id = $2 and slot <= $3', [
      account.organizationId,
      licenseId,
      SMALLEST_ANSWER,
    ]);
  } finally {
    await client.end();
  }
}

/** Turns of a script per second. Throws when one of them failed. */
export async function runPgbench(
  program: string,
  file: string,
  url: string,
  { seconds, clients, variables }: PgbenchOrder,
): Promise<number> {
  const names = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`]);
  const load = ['-M', 'prepared', '-n', '-c', String(clients), '-j', '1', '-T', String(Math.ceil(seconds))];
  const [command, args] = pinned('generator', program, [...load, ...names, '-f', file, url]);
  const { stdout, stderr } = await promisify(execFile)(command, args);
  const rate = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1] ?? Number.NaN);
  if (Number.isNaN(rate) || /error|aborted/i.test(stderr)) {
    throw new Error(`pgbench failed:\n${stdout}\n${stderr}`);
  }
  return rate;
}

/** PGBENCH, or on the PATH, or where Debian's packages put it. */
export function findPgbench(): string {
  const debian = '/usr/lib/postgresql';
  const versions = isFolder(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  const candidates = [process.env.PGBENCH ?? '', ...folders.map((folder) => join(folder, 'pgbench'))];
  const found = candidates.find((path) => path !== '' && statSync(path, { throwIfNoEntry: false })?.isFile() === true);
  if (found === undefined) {
    throw new Error('pgbench was not found: install PostgreSQL’s client programs, or name it in PGBENCH.');
  }
  return found;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
