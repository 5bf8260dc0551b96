import { periodAt } from '../packages/server/src/billing/money/periods.ts';
import { registerAccounts } from './rig/accounts.ts';
import { ask } from './rig/api.ts';
import type { Bench, BenchOptions, Figure } from './rig/figure.ts';
import { makeFigure, median } from './rig/figure.ts';
import type { Target } from './rig/load-plan.ts';
import { residentMegabytes } from './rig/resident-memory.ts';
import { makeDataDir, removeDataDir, type Service, startService } from './rig/service.ts';

const MONTHS = 12;
/** As many requests create subscriptions at the same time. */
const BUYERS = 8;
const DAY_MS = 86_400_000;

/**
 * A year of one sandbox organization with many subscriptions, on a real service: once by one request, and on a second
 * organization month by month, to see whether a renewal takes longer the more there is behind it.
 */
export const timeTravel: Bench = {
  name: 'time-travel',
  measure: async (options) => {
    const dataDir = await makeDataDir();
    try {
      const service = await startService(dataDir, options.profileDir);
      try {
        return await measureTravel(options, service);
      } finally {
        await service.stop();
      }
    } finally {
      await removeDataDir(dataDir);
    }
  },
};

/** An organization with its subscriptions. */
interface Traveler {
  token: string;
  creationMs: number;
  boughtAtMs: number;
}

async function measureTravel({ subscriptions }: BenchOptions, service: Service): Promise<Figure[]> {
  const target = service.sandboxTarget;
  const accounts = await registerAccounts(target, 3);
  const [warmUp, whole, stepwise] = await Promise.all(
    accounts.map(({ email, password }) => logIn(target, email, password)),
  );
  if (warmUp === undefined || whole === undefined || stepwise === undefined) {
    throw new Error('nobody was registered');
  }
  await travelByMonths(target, await buy(target, warmUp, Math.ceil(subscriptions / 20)));
  const idleMegabytes = residentMegabytes(service.target.pid);
  const year = await travelAtOnce(target, await buy(target, whole, subscriptions), service.target.pid);
  const traveler = await buy(target, stepwise, subscriptions);
  const months = await travelByMonths(target, traveler);
  const perItem = months.map((tookMs) => tookMs / subscriptions);
  const renewals = subscriptions * MONTHS;
  const notes = [
    `${subscriptions} subscriptions; ms for each renewal, month by month: ${perItem.map((ms) => ms.toFixed(1)).join(', ')}`,
    `${MONTHS} months by one request: ${(year.tookMs / 1000).toFixed(0)} s, ${(year.tookMs / renewals).toFixed(1)} ms for each of ${renewals.toLocaleString('en-US')} renewals`,
    `memory of the service: ${idleMegabytes} MB before, at most ${year.mostMegabytes} MB during the year, ${residentMegabytes(service.target.pid)} MB at the end`,
    `${BUYERS} at the same time created ${(1000 / traveler.creationMs).toFixed(0)} subscriptions a second`,
  ];
  const about = { name: 'time travel, a renewal', unit: 'ms', isAtMost: true, bar: 1.2, notes };
  // Of three neighbours the middle one, so that one slow moment of the machine is not taken for growth.
  const rounds = [{ ours: median(perItem.slice(-3)), limit: median(perItem.slice(0, 3)) }];
  return [makeFigure({ ...about, limitIs: 'the same in the first months' }, rounds)];
}

async function logIn(target: Target, email: string, password: string): Promise<string> {
  const { body } = await ask(target, 'POST', '/v1/auth/login', undefined, { email, password });
  const login: { data: { access_token: string } } = JSON.parse(body);
  return login.data.access_token;
}

/** Subscribes so often to the cheapest plan that costs something. */
async function buy(target: Target, token: string, count: number): Promise<Traveler> {
  const listed = await ask(target, 'GET', '/v1/plans', token);
  const { data: plans }: { data: Array<{ id: string; price: number | null }> } = JSON.parse(listed.body);
  const plan = plans.find(({ price }) => price !== null && price > 0);
  const order = { plan_id: plan?.id, quantity: 5, payment_method_id: 'pm_card_visa' };
  let left = count;
  const buyer = async () => {
    while (left > 0) {
      left -= 1;
      await ask(target, 'POST', '/v1/subscriptions', token, order);
    }
  };
  // The first attaches the card.
  left -= 1;
  await ask(target, 'POST', '/v1/subscriptions', token, order);
  const startMs = performance.now();
  await Promise.all(Array.from({ length: BUYERS }, buyer));
  return { token, creationMs: (performance.now() - startMs) / (count - 1), boughtAtMs: Date.now() };
}

async function travelAtOnce(target: Target, { token, boughtAtMs }: Traveler, pid: number) {
  let mostMegabytes = 0;
  const watch = setInterval(() => {
    mostMegabytes = Math.max(mostMegabytes, residentMegabytes(pid));
  }, 1_000);
  try {
    return { tookMs: await advanceTo(target, token, arrivalMs(boughtAtMs, MONTHS)), mostMegabytes };
  } finally {
    clearInterval(watch);
  }
}

/** Milliseconds of each month. */
async function travelByMonths(target: Target, { token, boughtAtMs }: Traveler): Promise<number[]> {
  const tookMs: number[] = [];
  for (let month = 1; month <= MONTHS; month += 1) {
    tookMs.push(await advanceTo(target, token, arrivalMs(boughtAtMs, month)));
  }
  return tookMs;
}

/** A day after everything was renewed for the so-manieth time. */
function arrivalMs(boughtAtMs: number, months: number): number {
  return periodAt(boughtAtMs, months).startMs + DAY_MS;
}

async function advanceTo(target: Target, token: string, timeMs: number): Promise<number> {
  const read = await ask(target, 'GET', '/v1/sandbox/clock', token);
  const { data: clock }: { data: { now: string } } = JSON.parse(read.body);
  const seconds = Math.ceil((timeMs - Date.parse(clock.now)) / 1000);
  const startMs = performance.now();
  await ask(target, 'POST', '/v1/sandbox/clock/advance', token, { seconds });
  return performance.now() - startMs;
}
