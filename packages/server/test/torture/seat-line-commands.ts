import { expect } from 'vitest';
import type { ApiAnswer } from '../harness/api-client.ts';
import { Acquire, type AcquireAsked } from './seat-acquire-command.ts';
import { Command, type SeatCommand } from './seat-command.ts';
import type { SeatModel } from './seat-model.ts';
import type { ModelSession, ModelWait } from './seat-model-types.ts';
import type { SeatWorld } from './seat-world.ts';

/** Several machines ask for one license in turn and wait if there is no seat: a line forms. */
export class Queue extends Command implements SeatCommand {
  readonly asks: readonly AcquireAsked[];

  constructor(asks: readonly AcquireAsked[]) {
    super();
    this.asks = asks;
  }

  async run(model: SeatModel, world: SeatWorld): Promise<void> {
    for (const ask of this.asks) {
      await new Acquire({ ...ask, waitSeconds: 3_600 }).run(model, world);
    }
  }
}

interface WaitAsked {
  wait: number;
  app: number;
}

function waitAt(model: SeatModel, position: number): ModelWait | undefined {
  return model.waits.at(-1 - (position % Math.max(1, model.waits.length)));
}

/** A removed activation has no token any more, so its program cannot ask. */
function canAsk(model: SeatModel, { user }: ModelWait): boolean {
  return typeof user === 'number' || model.activations.some(({ id }) => id === user);
}

/** What a machine does with its place in line, if any machine has one. */
abstract class WaitCommand extends Command implements SeatCommand {
  readonly ask: WaitAsked;

  constructor(ask: WaitAsked) {
    super();
    this.ask = ask;
  }

  async run(model: SeatModel, world: SeatWorld): Promise<void> {
    const wait = waitAt(model, this.ask.wait);
    if (wait !== undefined) {
      await this.runOn(wait, model, world);
    }
  }

  protected abstract runOn(wait: ModelWait, model: SeatModel, world: SeatWorld): Promise<void>;
}

/** A machine asks for its seat. */
export class AskWait extends WaitCommand {
  protected async runOn(wait: ModelWait, model: SeatModel, world: SeatWorld): Promise<void> {
    const answer = await world.askWait(wait, this.ask.app);
    if (!canAsk(model, wait)) {
      expect(answer.status).toBe(401);
    } else if (wait.session !== undefined) {
      this.#expectSession(model, wait, wait.session, answer);
    } else {
      model.settle(wait.license);
      await this.#expectTurn(model, world, wait, answer);
      return;
    }
    await world.expectEvents(model, []);
  }

  /** The response that granted the seat may have been lost, so asking again returns the same session. */
  #expectSession(model: SeatModel, { user, license }: ModelWait, session: ModelSession, answer: ApiAnswer): void {
    const refusal = model.heartbeatRefusal(session, user);
    expect(answer.body.error?.code, JSON.stringify(answer.body)).toBe(refusal);
    if (refusal === undefined) {
      expect(answer.body.data).toMatchObject({ status: 'granted', session_id: session.id });
      expect(model.licenseRefusal(license)).toBe(undefined);
      model.renew(session, undefined);
    }
  }

  async #expectTurn(model: SeatModel, world: SeatWorld, wait: ModelWait, answer: ApiAnswer): Promise<void> {
    const { license, user, machine, offlineSeconds } = wait;
    const outcome =
      wait.status === 'waiting' ? model.acquire(license, user, machine, { offlineSeconds, waitSeconds: 1 }) : '';
    const { data } = answer.body;
    if (outcome === 'offline_not_allowed') {
      Object.assign(wait, { status: 'canceled', reason: outcome });
    }
    if (outcome === 'new') {
      expect(data, JSON.stringify(answer.body)).toMatchObject({ wait_id: wait.id, status: 'granted' });
      await world.expectEvents(model, model.begin(license, user, machine, data.session_id, offlineSeconds));
      return;
    }
    expect(data, JSON.stringify(answer.body)).toMatchObject({
      wait_id: wait.id,
      status: wait.status,
      ...(wait.reason === null ? {} : { reason: wait.reason }),
      ...(outcome === 'waits' ? { position: model.line(license).indexOf(wait) + 1 } : {}),
    });
    await world.expectEvents(model, []);
  }
}

/** A machine leaves the line. */
export class LeaveWait extends WaitCommand {
  protected async runOn(wait: ModelWait, model: SeatModel, world: SeatWorld): Promise<void> {
    const answer = await world.leaveWait(wait, this.ask.app);
    const ofGranted = wait.status === 'granted' ? 409 : 204;
    expect(answer.status).toBe(canAsk(model, wait) ? ofGranted : 401);
    if (wait.status === 'waiting') {
      Object.assign(wait, { status: 'canceled', reason: 'left' });
    }
    await world.expectEvents(model, []);
  }
}
