import { type Account, registerAccounts } from './accounts.ts';
import { ask } from './api.ts';
import { type BarePeer, type CannedAnswer, startBarePeer } from './bare-peer.ts';
import type { BenchOptions } from './figure.ts';
import { LoadGenerator } from './load.ts';
import type { LoadPlan, Target } from './load-plan.ts';
import { makeDataDir, removeDataDir, type Service, startService } from './service.ts';
import { type StoredLicense, type StoredSeats, settle, storeSeats } from './stored-seats.ts';

/** A service with data in it. */
export interface Installation {
  service: Service;
  accounts: readonly Account[];
  licenses: readonly StoredLicense[];
}

/** Everything that a comparison with the bare handler needs. */
export interface Stage extends Installation {
  peer: BarePeer;
  generator: LoadGenerator;
}

/** How many organizations share the load; batches are gathered per organization, so one alone would flatter us. */
const ORGANIZATIONS = 4;

/** Starts a service on a new folder, stores `seats` spread over the organizations, and takes all away afterwards. */
export async function withInstallation<Result>(
  options: BenchOptions,
  seats: StoredSeats,
  work: (installation: Installation) => Promise<Result>,
  organizations = ORGANIZATIONS,
  settings: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const dataDir = await makeDataDir();
  try {
    const service = await startService(dataDir, options.profileDir, settings);
    try {
      const accounts = await registerAccounts(service.target, organizations);
      const licenses: StoredLicense[] = [];
      for (const account of accounts) {
        const share = { ...seats, licenses: Math.ceil(seats.licenses / organizations) };
        licenses.push(...(await storeSeats(service.databaseUrl, account, share)));
      }
      await settle(service.databaseUrl);
      return await work({ service, accounts, licenses });
    } finally {
      await service.stop();
    }
  } finally {
    await removeDataDir(dataDir);
  }
}

/** The same beside a bare peer that gives the service's own answers, and a load generator for both. */
export async function withStage<Result>(
  options: BenchOptions,
  seats: StoredSeats,
  work: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  return withInstallation(options, seats, async (installation) => {
    const { service } = installation;
    const peer = await startBarePeer(
      { ...service.tls, answers: await captureAnswers(installation) },
      service.target.ca,
    );
    try {
      return await withGenerator(options, (generator) => work({ ...installation, peer, generator }));
    } finally {
      await peer.stop();
    }
  });
}

export async function withGenerator<Result>(
  options: BenchOptions,
  work: (generator: LoadGenerator) => Promise<Result>,
): Promise<Result> {
  const generator = new LoadGenerator(options);
  try {
    return await work(generator);
  } finally {
    await generator.stop();
  }
}

/** Heartbeats of the sessions held, at most `atMost` of them, in random order. */
export function heartbeatPlan(licenses: readonly StoredLicense[], atMost: number): LoadPlan {
  const sessions = licenses.flatMap(({ account, sessionIds }) =>
    sessionIds.map((sessionId) => ({ sessionId, token: account.token })),
  );
  return { kind: 'heartbeats', sessions: sample(sessions, atMost) };
}

/** Acquires and releases on at most `atMost` of these licenses. */
export function seatPlan(licenses: readonly StoredLicense[], atMost: number): LoadPlan {
  const all = licenses.map(({ key, account }) => ({ key, token: account.token }));
  return { kind: 'seats', licenses: sample(all, atMost) };
}

/** As many at random, in random order (Fisher and Yates). */
function sample<Item>(items: Item[], atMost: number): Item[] {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    const [a, b] = [items[last], items[other]];
    if (a !== undefined && b !== undefined) {
      items[last] = b;
      items[other] = a;
    }
  }
  return items.slice(0, atMost);
}

async function captureAnswers({ service, accounts, licenses }: Installation): Promise<CannedAnswer[]> {
  const { target } = service;
  const [account] = accounts;
  const license = licenses.find((each) => each.account === account);
  if (account === undefined || license === undefined) {
    throw new Error('there is no license to capture answers with');
  }
  const { token } = account;
  const acquired = await post(target, token, 'acquire', {
    license_key: license.key,
    hardware_id: `hw_${'c'.repeat(32)}`,
  });
  const grant: { data: { session_id: string } } = JSON.parse(acquired.body);
  const session = { session_id: grant.data.session_id };
  return [
    await post(target, token, 'heartbeat', session),
    acquired,
    await post(target, token, 'release', session),
    { method: 'GET', url: '/v1/me', ...(await ask(target, 'GET', '/v1/me', token)) },
  ];
}

async function post(target: Target, token: string, verb: string, content: object): Promise<CannedAnswer> {
  const url = `/v1/licenses/${verb}`;
  return { method: 'POST', url, ...(await ask(target, 'POST', url, token, content)) };
}
