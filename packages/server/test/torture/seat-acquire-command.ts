import { expect } from 'vitest';
import type { ApiAnswer } from '../harness/api-client.ts';
import { Command, licenseAt, type SeatCommand } from './seat-command.ts';
import type { SeatModel } from './seat-model.ts';
import type { Holder, ModelLicense } from './seat-model-types.ts';
import type { SeatWorld } from './seat-world.ts';

export interface AcquireAsked {
  place: { license: number; app: number };
  who: { user: number; machine: number };
  isKeyed?: boolean;
  /** Asks as the activated machine instead of the user, if the machine is activated. */
  isActivated?: boolean;
  offlineSeconds?: number | undefined;
  waitSeconds?: number | undefined;
}

export class Acquire extends Command implements SeatCommand {
  readonly ask: AcquireAsked;

  constructor(ask: AcquireAsked) {
    super();
    this.ask = ask;
  }

  async run(model: SeatModel, world: SeatWorld): Promise<void> {
    const { who, place, isActivated, offlineSeconds } = this.ask;
    const activation =
      isActivated === true ? model.activations.find((each) => each.machine === who.machine) : undefined;
    const license = activation?.license ?? licenseAt(model, place.license);
    const user = activation?.id ?? who.user;
    model.settle(license);
    const expected = model.acquire(license, user, who.machine, this.ask);
    const answer = await world.acquire({ ...this.ask, who: { ...who, user } }, license);
    if (typeof expected === 'object') {
      expect(answer, JSON.stringify(answer.body)).toMatchObject({
        status: 200,
        body: { data: { session_id: expected.id } },
      });
      model.renew(expected, offlineSeconds);
      await world.expectEvents(model, []);
    } else if (expected === 'new') {
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      expect(answer.body.data.offline_until !== undefined).toBe(offlineSeconds !== undefined);
      const sessionId: string = answer.body.data.session_id;
      await world.expectEvents(model, model.begin(license, user, who.machine, sessionId, offlineSeconds));
    } else if (expected === 'waits') {
      this.#expectPlace(model, license, user, answer);
      await world.expectEvents(model, []);
    } else {
      const details = { max_seats: license.seats, active_seats: model.activeSeats(license) };
      const error = { code: expected, ...(expected === 'no_seats_available' ? { details } : {}) };
      expect(answer.body.error, JSON.stringify(answer.body)).toMatchObject(error);
      await world.expectEvents(model, []);
    }
  }

  /** A machine that is already waiting keeps its place. */
  #expectPlace(model: SeatModel, license: ModelLicense, user: Holder, answer: ApiAnswer): void {
    const { machine } = this.ask.who;
    const own = model.waitOf(license, user, machine);
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    const { wait_id: waitId } = answer.body.data;
    expect(waitId).toBe(own?.id ?? waitId);
    if (own === undefined) {
      model.join(waitId, license, user, machine, this.ask);
    }
    const position = model.line(license).findIndex(({ id }) => id === waitId) + 1;
    expect(answer.body.data.position).toBe(position);
  }
}
