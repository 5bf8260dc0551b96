import fc from 'fast-check';
import { expect } from 'vitest';
import { changeLicense, type LicenseChange } from '../../src/licensing/index.ts';
import { createSilentLicenseTools } from '../harness/create-silent-license-tools.ts';
import { Acquire, type AcquireAsked } from './seat-acquire-command.ts';
import { Activate, Deactivate } from './seat-activation-commands.ts';
import { Command, licenseAt, type SeatCommand, sessionAt } from './seat-command.ts';
import { countOf } from './seat-comparison.ts';
import { AskWait, LeaveWait, Queue } from './seat-line-commands.ts';
import type { SeatModel } from './seat-model.ts';
import type { ModelLicense } from './seat-model-types.ts';
import type { SeatWorld } from './seat-world.ts';

const small = (max: number) => fc.nat({ max });
// Few of each, so that they meet often.
const place = fc.record({ license: small(1), app: small(1) });
const who = fc.record({ user: small(2), machine: small(1) });

// Their ends are far from every sum of clock moves, so that the duration of a run does not matter.
const offlineSeconds = fc.constantFrom(undefined, undefined, 250, 550, 1_050);
const waitSeconds = fc.constantFrom(150, 350, 3_600);
const isActivated = fc.constantFrom(false, false, true);

/** Everything that can happen to seats, at random. */
export function seatCommands() {
  const acquires = fc.record({ place, who, isKeyed: fc.boolean(), isActivated }).map((ask) => new Acquire(ask));
  const waits = fc.record({ place, who, isActivated, waitSeconds, offlineSeconds }).map((ask) => new Acquire(ask));
  const borrows = fc.record({ place, who, isActivated, offlineSeconds }).map((ask) => new Acquire(ask));
  const onWait = { wait: small(9), app: small(1) };
  const queues = fc.array(fc.record({ place, who }), { minLength: 3, maxLength: 8 }).map((asks) => new Queue(asks));
  const touches = fc
    .record({
      kind: fc.constantFrom('heartbeat', 'release'),
      session: small(9),
      user: fc.constantFrom(0, 1, 2, 'holder' as const),
      app: small(1),
    })
    .map((ask) => new Touch(ask));
  return fc.commands(
    [
      acquires,
      acquires,
      waits,
      waits,
      borrows,
      fc.record(onWait).map((ask) => new AskWait(ask)),
      fc.record(onWait).map((ask) => new AskWait(ask)),
      fc.record(onWait).map((ask) => new LeaveWait(ask)),
      fc.record({ machine: small(1), app: small(1) }).map((ask) => new Activate(ask)),
      fc.record({ machine: small(1), app: small(1) }).map((ask) => new Deactivate(ask)),
      touches,
      touches,
      queues,
      queues,
      fc.array(fc.record({ place, who }), { minLength: 2, maxLength: 8 }).map((asks) => new Rush(asks)),
      fc.record({ session: small(9), times: fc.integer({ min: 2, max: 6 }) }).map((ask) => new Scramble(ask)),
      fc.constantFrom(100, 100, 100, 200, 200, 4 * 86_400).map((seconds) => new MoveClock(seconds)),
      fc.constant(new RunJobs()),
      fc.record({ license: small(1), change: changes }).map((ask) => new Change(ask)),
      fc.record({ license: small(1), change: resizes }).map((ask) => new Change(ask)),
      fc.record({ app: small(1) }).map(({ app }) => new Restart(app)),
    ],
    { maxCommands: 60, size: 'max' },
  );
}

const resizes = fc.integer({ min: 1, max: 5 }).map((maxSeats) => ({ kind: 'resize' as const, maxSeats }));

const changes = fc.oneof(
  { weight: 2, arbitrary: resizes },
  { weight: 2, arbitrary: fc.constantFrom('suspend' as const, 'reinstate' as const).map((kind) => ({ kind })) },
  { weight: 2, arbitrary: fc.constantFrom(-1, 3, 30).map((days) => ({ kind: 'extend' as const, days })) },
  { weight: 1, arbitrary: fc.constant({ kind: 'revoke' as const }) },
);

type ChangeAsked = typeof changes extends fc.Arbitrary<infer T> ? T : never;

interface TouchAsked {
  kind: 'heartbeat' | 'release';
  session: number;
  user: number | 'holder';
  app: number;
}

class Touch extends Command implements SeatCommand {
  readonly ask: TouchAsked;

  constructor(ask: TouchAsked) {
    super();
    this.ask = ask;
  }

  async run(model: SeatModel, world: SeatWorld): Promise<void> {
    const { kind, app } = this.ask;
    const session = sessionAt(model, this.ask.session);
    if (session === undefined) {
      return;
    }
    const user = this.ask.user === 'holder' ? session.user : this.ask.user;
    const answer = await world.touch(kind, session.id, user, app);
    const isHeartbeat = kind === 'heartbeat';
    const refusal = isHeartbeat ? model.heartbeatRefusal(session, user) : model.releaseRefusal(session, user);
    if (typeof user === 'string' && !model.activations.some(({ id }) => id === user)) {
      expect(answer.status).toBe(401);
      await world.expectEvents(model, []);
      return;
    }
    expect(answer.body.error?.code, JSON.stringify(answer.body)).toBe(refusal);
    if (refusal !== undefined) {
      await world.expectEvents(model, []);
    } else if (isHeartbeat) {
      model.heartbeat(session);
      await world.expectEvents(model, []);
    } else {
      const releasedAt: string = answer.body.data.released_at;
      expect(session.releasedAt ?? releasedAt).toBe(releasedAt);
      // A release shows the admin until when the program may run: the first one, and each later one if the first was
      // the admin's own.
      const isForced = session.end === undefined ? user !== session.user : model.revoked.has(session.id);
      const mayRunOn = isForced && user !== session.user && session.offlineUntil !== undefined;
      expect(answer.body.data.may_run_until !== undefined).toBe(mayRunOn);
      await world.expectEvents(model, model.release(session, releasedAt, user));
    }
  }
}

/** Many simultaneous acquires on both processes: which of them win is open, but not how many. */
class Rush extends Command implements SeatCommand {
  readonly asks: readonly AcquireAsked[];

  constructor(asks: readonly AcquireAsked[]) {
    super();
    this.asks = asks;
  }

  async run(model: SeatModel, world: SeatWorld): Promise<void> {
    const answers = await Promise.all(
      this.asks.map(async (ask) => {
        const license = licenseAt(model, ask.place.license);
        return { license, ...ask.who, answer: await world.acquire(ask, license) };
      }),
    );
    model.settleAll();
    // One order explains them all: new sessions in the order of their events' counts, then acquires that found a
    // session, then those that found no seat.
    const counts = await world.countsOfAcquired();
    const expected = answers
      .filter(({ answer }) => answer.status === 201)
      .toSorted((one, other) => countOf(one.answer, counts) - countOf(other.answer, counts))
      .flatMap(({ license, user, machine, answer }) => {
        expect(model.acquire(license, user, machine)).toBe('new');
        return model.begin(license, user, machine, answer.body.data.session_id);
      });
    for (const { license, user, machine, answer } of answers.filter((each) => each.answer.status !== 201)) {
      const outcome = model.acquire(license, user, machine);
      if (typeof outcome === 'object') {
        expect(answer).toMatchObject({ status: 200, body: { data: { session_id: outcome.id } } });
        model.renew(outcome, undefined);
      } else {
        expect(answer.body.error?.code, JSON.stringify(answer.body)).toBe(outcome);
      }
    }
    await world.expectEvents(model, expected);
  }
}

/**
 * Simultaneous heartbeats and releases of one session on both processes: it is released once, whichever comes first.
 */
class Scramble extends Command implements SeatCommand {
  readonly ask: { session: number; times: number };

  constructor(ask: { session: number; times: number }) {
    super();
    this.ask = ask;
  }

  async run(model: SeatModel, world: SeatWorld): Promise<void> {
    const session = sessionAt(model, this.ask.session);
    if (session === undefined) {
      return;
    }
    const refusal = model.releaseRefusal(session, 0);
    const beatRefusal = model.heartbeatRefusal(session, 0);
    const all = await Promise.all(
      Array.from({ length: this.ask.times }, async (_, turn) => [
        await world.touch('release', session.id, 0, turn % 2),
        await world.touch('heartbeat', session.id, 0, turn % 2),
      ]),
    );
    const releases = all.map(([release]) => release?.body);
    for (const body of releases) {
      expect(body.error?.code).toBe(refusal);
    }
    // Each heartbeat came after its own release, if that took effect.
    for (const [, beat] of all) {
      expect(beat?.body.error?.code).toBe(refusal === undefined ? 'session_released' : beatRefusal);
    }
    if (refusal === undefined) {
      const moments = new Set(releases.map((body) => body.data.released_at));
      expect(moments.size).toBe(1);
      await world.expectEvents(model, model.release(session, releases[0].data.released_at, 0));
    }
  }
}

class MoveClock extends Command implements SeatCommand {
  readonly seconds: number;

  constructor(seconds: number) {
    super();
    this.seconds = seconds;
  }

  async run(model: SeatModel, world: SeatWorld): Promise<void> {
    await world.moveClock(this.seconds);
    model.now += this.seconds;
    // The next request finds what is due now.
    await world.expectEvents(model, [], { isSettled: false });
  }
}

/** On both processes at the same time, which must not announce anything twice. */
class RunJobs extends Command implements SeatCommand {
  async run(model: SeatModel, world: SeatWorld): Promise<void> {
    await world.runJobs();
    await world.expectEvents(model, model.runJobs());
  }
}

class Change extends Command implements SeatCommand {
  readonly ask: { license: number; change: ChangeAsked };

  constructor(ask: { license: number; change: ChangeAsked }) {
    super();
    this.ask = ask;
  }

  async run(model: SeatModel, world: SeatWorld): Promise<void> {
    const { change } = this.ask;
    const license = licenseAt(model, this.ask.license);
    const isRefused =
      license.state === 'revoked' ||
      (change.kind === 'suspend' && license.state === 'suspended') ||
      (change.kind === 'reinstate' && license.state === 'active');
    const outcome = changeLicense(createSilentLicenseTools(world.database), license.id, asked(change, model, world));
    if (isRefused) {
      await expect(outcome).rejects.toMatchObject({ code: 'conflict' });
    } else {
      apply(change, license, model);
      expect(await outcome).toMatchObject({ max_seats: license.seats, active_seats: model.activeSeats(license) });
    }
    await world.expectEvents(model, []);
  }
}

function asked(change: ChangeAsked, model: SeatModel, world: SeatWorld): LicenseChange {
  const isExtension = change.kind === 'extend';
  return isExtension ? { kind: 'extend', expiresAt: world.timeOf(model.now + change.days * 86_400) } : change;
}

const STATES = { suspend: 'suspended', reinstate: 'active', revoke: 'revoked' } as const;

function apply(change: ChangeAsked, license: ModelLicense, model: SeatModel): void {
  if (change.kind === 'resize') {
    license.seats = change.maxSeats;
  } else if (change.kind === 'extend') {
    license.expiresAt = model.now + change.days * 86_400;
  } else {
    license.state = STATES[change.kind];
  }
}

/** A new process replaces one of the two: a process has no state that matters. */
class Restart extends Command implements SeatCommand {
  readonly app: number;

  constructor(app: number) {
    super();
    this.app = app;
  }

  async run(_model: SeatModel, world: SeatWorld): Promise<void> {
    await world.restart(this.app);
  }
}
