import fc from 'fast-check';
import { expect } from 'vitest';
import { changeLicense, type LicenseChange } from '../../src/licensing/index.ts';
import { createSilentLicenseTools } from '../harness/create-silent-license-tools.ts';
import type { ModelLicense, ModelSession, SeatModel } from './seat-model.ts';
import { countOf, type SeatWorld } from './seat-world.ts';

/** Everything that can happen to seats, at random. A command that names a license or session that is not there is skipped. */
export type SeatCommand = fc.AsyncCommand<SeatModel, SeatWorld>;

const small = (max: number) => fc.nat({ max });
// Few of each, so that they meet again and again.
const place = fc.record({ license: small(1), app: small(1) });
const who = fc.record({ user: small(2), machine: small(1) });

export function seatCommands() {
  const acquires = fc.record({ place, who, isKeyed: fc.boolean() }).map((ask) => new Acquire(ask));
  const touches = fc
    .record({ kind: fc.constantFrom('heartbeat', 'release'), session: small(9), user: small(2), app: small(1) })
    .map((ask) => new Touch(ask));
  return fc.commands(
    [
      acquires,
      acquires,
      touches,
      touches,
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

abstract class Command {
  check(): boolean {
    return true;
  }

  toString(): string {
    return `${this.constructor.name} ${JSON.stringify(this)}`;
  }
}

function licenseAt(model: SeatModel, position: number): ModelLicense {
  const license = model.licenses[position % model.licenses.length];
  if (license === undefined) {
    throw new Error('the model has no license');
  }
  return license;
}

function sessionAt(model: SeatModel, position: number): ModelSession | undefined {
  return model.sessions.at(-1 - (position % Math.max(1, model.sessions.length)));
}

interface AcquireAsked {
  place: { license: number; app: number };
  who: { user: number; machine: number };
  isKeyed?: boolean;
}

class Acquire extends Command implements SeatCommand {
  readonly ask: AcquireAsked;

  constructor(ask: AcquireAsked) {
    super();
    this.ask = ask;
  }

  async run(model: SeatModel, world: SeatWorld): Promise<void> {
    const { user, machine } = this.ask.who;
    const license = licenseAt(model, this.ask.place.license);
    const expected = model.acquire(license, user, machine);
    const answer = await world.acquire(this.ask, license);
    if (typeof expected === 'object') {
      expect(answer).toMatchObject({ status: 200, body: { data: { session_id: expected.id } } });
      expected.lastSignOfLife = model.now;
      await world.expectEvents(model, []);
    } else if (expected === 'new') {
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      await world.expectEvents(model, model.begin(license, user, machine, answer.body.data.session_id));
    } else {
      const details = { max_seats: license.seats, active_seats: model.activeSeats(license) };
      const error = { code: expected, ...(expected === 'no_seats_available' ? { details } : {}) };
      expect(answer.body.error).toMatchObject(error);
      await world.expectEvents(model, []);
    }
  }
}

interface TouchAsked {
  kind: 'heartbeat' | 'release';
  session: number;
  user: number;
  app: number;
}

class Touch extends Command implements SeatCommand {
  readonly ask: TouchAsked;

  constructor(ask: TouchAsked) {
    super();
    this.ask = ask;
  }

  async run(model: SeatModel, world: SeatWorld): Promise<void> {
    const { kind, user, app } = this.ask;
    const session = sessionAt(model, this.ask.session);
    if (session === undefined) {
      return;
    }
    const isHeartbeat = kind === 'heartbeat';
    const refusal = isHeartbeat ? model.heartbeatRefusal(session, user) : model.releaseRefusal(session, user);
    const answer = await world.touch(kind, session.id, user, app);
    expect(answer.body.error?.code, JSON.stringify(answer.body)).toBe(refusal);
    if (refusal !== undefined) {
      await world.expectEvents(model, []);
    } else if (isHeartbeat) {
      session.lastSignOfLife = model.now;
      await world.expectEvents(model, []);
    } else {
      const releasedAt: string = answer.body.data.released_at;
      expect(session.releasedAt ?? releasedAt).toBe(releasedAt);
      await world.expectEvents(model, model.release(session, releasedAt));
    }
  }
}

/** Many acquires at once on both processes: which of them win is open, how many is not. */
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
    // One order explains them all: new sessions as their events count them, those that found one, those that found no seat.
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
        outcome.lastSignOfLife = model.now;
      } else {
        expect(answer.body.error?.code, JSON.stringify(answer.body)).toBe(outcome);
      }
    }
    await world.expectEvents(model, expected);
  }
}

/** Heartbeats and releases of one session at once on both processes: it is released once, whichever comes first. */
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
    // Each heartbeat came after a release of its own, if that took effect.
    for (const [, beat] of all) {
      expect(beat?.body.error?.code).toBe(refusal === undefined ? 'session_released' : beatRefusal);
    }
    if (refusal === undefined) {
      const moments = new Set(releases.map((body) => body.data.released_at));
      expect(moments.size).toBe(1);
      await world.expectEvents(model, model.release(session, releases[0].data.released_at));
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
    await world.expectEvents(model, []);
  }
}

/** On both processes at once, which must not announce anything twice. */
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

/** A new process replaces one of the two: a process holds no state that counts. */
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
